// SPDX-License-Identifier: Apache-2.0

/// A command that creates an album.
struct AlbumCreateCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "album create", "Create an album.",
    examples: [CommandExample("album create Lisbon 3F25 7A01", "create an album with two photos")],
    writesJSON: true,
    arguments: [
      .positional("TITLE", \.title, "Title of the album; need not be unique."),
      .positional(
        "ASSET", \.names, isRequired: false,
        "Asset identifiers or unique prefixes to add, in order."),
      .group(\.library, LibraryArguments.arguments),
      .option("folder", \.folder, value: "FOLDER", "Parent folder."),
    ])

  var title = ""
  var names: [String] = []
  var library = LibraryArguments()
  var folder: String?

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let library = try library.open(environment)
    let assets = try library.assets(named: names)
    let parent: CollectionList? = if let folder { try library.folder(named: folder) } else { nil }
    let placeholder = try changing(library) { changes throws(LibraryError) in
      let album = try changes.createAlbum(title: title)
      if !assets.isEmpty { try album.addAssets(assets) }
      if let parent {
        try changes.change(parent, children: nil).addChildCollections([album.placeholder])
      }
      return album.placeholder
    }
    try CollectionReport.reportNew(placeholder.localIdentifier, title, environment)
  }
}

/// A command that lists the albums of a library.
struct AlbumListCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "album list", "List albums.",
    examples: [CommandExample("album list -L Photos", "list albums with their asset counts")],
    writesJSON: true,
    arguments: [
      .group(\.library, LibraryArguments.arguments),
      .flag("smart", \.isSmart, "List smart albums instead of user albums."),
    ])

  var library = LibraryArguments()
  var isSmart = false

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let library = try library.open(environment)
    let albums = try inLibrary(
      library.fetchAssetCollections(with: isSmart ? .smartAlbum : .album, subtype: .any))
    for album in albums { try CollectionReport.write(.assets(album), environment) }
  }
}

/// A command that lists the members of an album.
struct AlbumShowCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "album show", "List the assets of an album, in order.",
    examples: [CommandExample("album show Lisbon", "list the assets with their indexes")],
    writesJSON: true,
    arguments: [
      .positional("ALBUM", \.album, "Album title, identifier or unique prefix."),
      .group(\.library, LibraryArguments.arguments),
    ])

  var album = ""
  var library = LibraryArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let library = try library.open(environment)
    let album = try library.album(named: album)
    let found = try inLibrary(library.fetchAssets(in: album, options: .complete))
    for (index, asset) in found.enumerated() {
      if environment.wantsJSON {
        var json = asset.json
        json["index"] = .whole(index)
        try environment.write(json)
      } else {
        environment.print("\(index)  \(asset.line)")
      }
    }
  }
}

/// A command that renames an album.
struct AlbumRenameCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "album rename", "Rename an album.",
    examples: [CommandExample("album rename Lisbon Portugal", "change the title")],
    writesJSON: true, arguments: [.group(\.renaming, RenameArguments.arguments("ALBUM"))])

  var renaming = RenameArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try renaming.run(environment) { library, name throws(CommandFailure) in
      try library.album(named: name)
    } rename: { changes, album, title throws(LibraryError) in
      try changes.change(album, assets: nil).setTitle(title)
    }
  }
}

/// A command that deletes albums but keeps their assets.
struct AlbumDeleteCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "album delete", "Delete albums; their assets stay in the library.",
    examples: [CommandExample("album delete Lisbon --yes", "delete an album but keep its assets")],
    writesJSON: true,
    arguments: [
      .group(
        \.deletion,
        DeletionArguments.arguments("ALBUM", "Album titles, identifiers or unique prefixes.")
          + [DeletionArguments.confirmation])
    ])

  var deletion = DeletionArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try deletion.run("deleted", environment, warning: { "deletes \(counted($0, "album"))" }) {
      library, names throws(CommandFailure) in
      try names.map { name throws(CommandFailure) in try library.album(named: name) }
    } change: { changes, albums throws(LibraryError) in
      try changes.delete(albums)
    }
  }
}
