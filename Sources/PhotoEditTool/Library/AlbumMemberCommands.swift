// SPDX-License-Identifier: Apache-2.0

/// The arguments and the behavior shared by commands on the members of an album.
struct MemberArguments: Sendable {
  var album = ""
  var assets = AssetArguments()

  static let arguments: [Argument<Self>] = [
    .positional("ALBUM", \.album, "Album title, identifier or unique prefix."),
    .group(\.assets, AssetArguments.arguments()),
  ]

  /// Changes an album; its assets are fetched first, so that indexes match the displayed list.
  func change(
    _ environment: CommandEnvironment, _ result: String,
    _ body: (AssetCollectionChangeRequest, [Asset], FetchResult<Asset>) throws(LibraryError) -> Void
  ) throws(CommandFailure) {
    let library = try assets.library.open(environment)
    let album = try library.album(named: album)
    let assets = try library.assets(named: assets.names)
    let members = try inLibrary(library.fetchAssets(in: album, options: .complete))
    try changing(library) { changes throws(LibraryError) in
      try body(changes.change(album, assets: members), assets, members)
    }
    if environment.wantsJSON {
      return try environment.write([
        "album": .string(album.localIdentifier), result: .texts(assets.map(\.localIdentifier)),
      ])
    }
    environment.note("\(assets.count) \(result)")
  }
}

/// A command that appends assets to an album.
struct AlbumAddCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "album add", "Append assets to an album.",
    discussion: "Assets that are already in the album keep their indexes.",
    examples: [CommandExample("album add Lisbon 3F25 7A01", "append two photos")],
    writesJSON: true, arguments: [.group(\.members, MemberArguments.arguments)])

  var members = MemberArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try members.change(environment, "added") { request, assets, _ throws(LibraryError) in
      try request.addAssets(assets)
    }
  }
}

/// A command that removes assets from an album.
struct AlbumRemoveCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "album remove", "Remove assets from an album; they stay in the library.",
    examples: [CommandExample("album remove Lisbon 3F25", "remove a photo from the album")],
    writesJSON: true, arguments: [.group(\.members, MemberArguments.arguments)])

  var members = MemberArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try members.change(environment, "removed") { request, assets, _ throws(LibraryError) in
      try request.removeAssets(assets)
    }
  }
}

/// A command that inserts assets into an album at an index.
struct AlbumInsertCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "album insert", "Insert assets into an album at an index.",
    examples: [CommandExample("album insert Lisbon 3F25 --index 0", "insert a photo at the front")],
    writesJSON: true,
    arguments: [
      .group(\.members, MemberArguments.arguments),
      .option(
        "index", \.index, in: 0...Int.max, value: "INDEX", "Zero-based index."
      ).renamed(from: "at"),
    ])

  var members = MemberArguments()
  var index = 0

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    guard index <= Int.max - members.assets.names.count else {
      throw .usage("--index: out of range (allowed: 0–\(Int.max - members.assets.names.count))")
    }
    try members.change(environment, "inserted") { request, assets, _ throws(LibraryError) in
      try request.insertAssets(assets, at: Array(index..<index + assets.count))
    }
  }
}

/// A command that moves assets within an album.
struct AlbumMoveCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "album move", "Move assets within an album.",
    discussion: """
      The assets are removed and reinserted together, in their current order. The index counts \
      the remaining assets only.
      """,
    examples: [CommandExample("album move Lisbon 3F25 --index 0", "move a photo to the front")],
    writesJSON: true,
    arguments: [
      .group(\.members, MemberArguments.arguments),
      .option("index", \.index, in: 0...Int.max, value: "INDEX", "Zero-based index.").renamed(
        from: "to"),
    ])

  var members = MemberArguments()
  var index = 0

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try members.change(environment, "moved") { request, assets, members throws(LibraryError) in
      var indexes: [Int] = []
      for asset in assets {
        // An asset that is not a member has no index; the library reports the error.
        indexes.append(members.index(of: asset) ?? members.count)
      }
      try request.moveAssets(at: Array(Set(indexes)).sorted(), to: index)
    }
  }
}
