// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Filters
import PhotoEditLibrary

/// Makes an album.
struct AlbumCreateCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "album create", "Makes an album; titles need not be unique.",
    examples: [CommandExample("album create Lisbon 3F25 7A01", "with two photos in it")],
    writesJSON: true,
    arguments: [
      .positional("TITLE", \.title, "The title."),
      .positional("ASSET", \.names, isRequired: false, "What is in it, in this order."),
      .group(\.library, LibraryArguments.arguments),
      .option("folder", \.folder, value: "FOLDER", "The folder that it is put into."),
    ])

  var title = ""
  var names: [String] = []
  var library = LibraryArguments()
  var folder: String?

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let library = try library.open(environment)
    let assets = try library.assets(named: names)
    let place: CollectionList? = if let folder { try library.folder(named: folder) } else { nil }
    let placeholder = try changing(library) { changes throws(LibraryError) in
      let album = try changes.createAlbum(title: title)
      if !assets.isEmpty { try album.addAssets(assets) }
      if let place {
        try changes.change(place, children: nil).addChildCollections([album.placeholder])
      }
      return album.placeholder
    }
    try CollectionReport.reportNew(placeholder.localIdentifier, title, environment)
  }
}

/// Lists the albums of a library.
struct AlbumListCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "album list", "Lists the albums of a library.",
    writesJSON: true,
    arguments: [
      .group(\.library, LibraryArguments.arguments),
      .flag("smart", \.isSmart, "Lists the albums that fill themselves instead."),
    ])

  var library = LibraryArguments()
  var isSmart = false

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let library = try library.open(environment)
    let albums = try inLibrary { () throws(LibraryError) in
      try library.fetchAssetCollections(with: isSmart ? .smartAlbum : .album, subtype: .any)
    }
    for album in albums { try CollectionReport.write(.assets(album), environment) }
  }
}

/// Lists the members of an album.
struct AlbumShowCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "album show", "Lists the assets of an album, in its order and with their places.",
    writesJSON: true,
    arguments: [
      .positional("ALBUM", \.album, "An identifier, what it begins with, or a title."),
      .group(\.library, LibraryArguments.arguments),
    ])

  var album = ""
  var library = LibraryArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let library = try library.open(environment)
    let album = try library.album(named: album)
    var options = FetchOptions<Asset>()
    options.includeHiddenAssets = true
    options.includeAllBurstAssets = true
    let found = try inLibrary { [options] () throws(LibraryError) in
      try library.fetchAssets(in: album, options: options)
    }
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

/// What verbs on the members of an album have in common.
struct MemberArguments: Sendable {
  var album = ""
  var names: [String] = []
  var library = LibraryArguments()

  static let arguments: [Argument<Self>] = [
    .positional("ALBUM", \.album, "An identifier, what it begins with, or a title."),
    .positional("ASSET", \.names, "Identifiers, or what they begin with."),
    .group(\.library, LibraryArguments.arguments),
  ]

  /// Changes an album, with its assets fetched so that places mean what the person saw.
  func change(
    _ environment: CommandEnvironment, _ word: String,
    _ body: (AssetCollectionChangeRequest, [Asset], FetchResult<Asset>) throws(LibraryError) -> Void
  ) throws(CommandFailure) {
    let library = try library.open(environment)
    let album = try library.album(named: album)
    let assets = try library.assets(named: names)
    var options = FetchOptions<Asset>()
    options.includeHiddenAssets = true
    options.includeAllBurstAssets = true
    let members = try inLibrary { [options] () throws(LibraryError) in
      try library.fetchAssets(in: album, options: options)
    }
    try changing(library) { changes throws(LibraryError) in
      try body(changes.change(album, assets: members), assets, members)
    }
    if environment.wantsJSON {
      return try environment.write([
        "album": .string(album.localIdentifier), word: .texts(assets.map(\.localIdentifier)),
      ])
    }
    environment.note("\(assets.count) \(word)")
  }
}

/// Puts assets at the end of an album.
struct AlbumAddCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "album add", "Puts assets at the end of an album; those in it already stay where they are.",
    writesJSON: true, arguments: [.group(\.members, MemberArguments.arguments)])

  var members = MemberArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try members.change(environment, "added") { request, assets, _ throws(LibraryError) in
      try request.addAssets(assets)
    }
  }
}

/// Takes assets out of an album.
struct AlbumRemoveCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "album remove", "Takes assets out of an album; they stay in the library.",
    writesJSON: true, arguments: [.group(\.members, MemberArguments.arguments)])

  var members = MemberArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try members.change(environment, "removed") { request, assets, _ throws(LibraryError) in
      try request.removeAssets(assets)
    }
  }
}

/// Puts assets into an album at some place.
struct AlbumInsertCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "album insert", "Puts assets into an album, one after the other from some place on.",
    examples: [CommandExample("album insert Lisbon 3F25 --at 0", "puts a photo first")],
    writesJSON: true,
    arguments: [
      .group(\.members, MemberArguments.arguments),
      .option(
        "at", \.index, in: 0...Int.max, value: "INDEX", "The place of the first, from 0."),
    ])

  var members = MemberArguments()
  var index = 0

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    guard index <= Int.max - members.names.count else { throw .usage("--at: too large") }
    try members.change(environment, "inserted") { request, assets, _ throws(LibraryError) in
      try request.insertAssets(assets, at: Array(index..<index + assets.count))
    }
  }
}

/// Moves assets within an album.
struct AlbumMoveCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "album move", "Moves assets within an album.",
    discussion: """
      They are taken out and put back together, in the order that they have in the album, at a \
      place that counts without them.
      """,
    writesJSON: true,
    arguments: [
      .group(\.members, MemberArguments.arguments),
      .option("to", \.index, in: 0...Int.max, value: "INDEX", "The place, from 0."),
    ])

  var members = MemberArguments()
  var index = 0

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try members.change(environment, "moved") { request, assets, members throws(LibraryError) in
      var indexes: [Int] = []
      for asset in assets {
        // One that is no member has no place, and the library says so.
        indexes.append(members.index(of: asset) ?? members.count)
      }
      try request.moveAssets(at: Array(Set(indexes)).sorted(), to: index)
    }
  }
}

/// Gives an album another title.
struct AlbumRenameCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "album rename", "Gives an album another title.",
    writesJSON: true,
    arguments: [
      .positional("ALBUM", \.album, "An identifier, what it begins with, or a title."),
      .positional("TITLE", \.title, "The new title."),
      .group(\.library, LibraryArguments.arguments),
    ])

  var album = ""
  var title = ""
  var library = LibraryArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let library = try library.open(environment)
    let album = try library.album(named: album)
    try changing(library) { changes throws(LibraryError) in
      try changes.change(album, assets: nil).setTitle(title)
    }
    try CollectionReport.reportNew(album.localIdentifier, title, environment)
  }
}

/// Deletes albums; their assets stay.
struct AlbumDeleteCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "album delete", "Deletes albums; their assets stay in the library.",
    writesJSON: true,
    arguments: [
      .positional("ALBUM", \.names, "Identifiers, what they begin with, or titles."),
      .group(\.library, LibraryArguments.arguments),
      .flag("yes", short: "y", \.isConfirmed, "Confirms; nothing is deleted without it."),
    ])

  var names: [String] = []
  var library = LibraryArguments()
  var isConfirmed = false

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let library = try library.open(environment)
    var albums: [AssetCollection] = []
    for name in names { albums.append(try library.album(named: name)) }
    try Confirmation.check(isConfirmed, "deletes \(albums.count) albums")
    try changing(library) { changes throws(LibraryError) in try changes.delete(albums) }
    try Confirmation.report("deleted", albums.map(\.localIdentifier), environment)
  }
}
