// SPDX-License-Identifier: Apache-2.0

/// A command that combines an image and a video into a Live Photo.
struct AssetPairCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "asset pair", "Combine an image and a video into a Live Photo.",
    discussion: """
      The image gets the video and joins the albums of the video, whose asset is moved to the \
      trash; 'asset unpair' reverses both. The two files must have the same content identifier; \
      with --force, only the library records that they belong together, and 'asset export' writes \
      an identifier into both copies. An import combines files with the same identifier by itself.
      """,
    examples: [CommandExample("asset pair 3F25 7A01", "make a Live Photo of two assets")],
    writesJSON: true,
    arguments: [
      .positional("IMAGE", \.still, "Asset identifier of the image, or a unique prefix."),
      .positional("VIDEO", \.movie, "Asset identifier of the video, or a unique prefix."),
      .group(\.library, LibraryArguments.arguments),
      .flag("force", short: "f", \.isForced, "Combine files with different content identifiers."),
    ])

  var still = ""
  var movie = ""
  var library = LibraryArguments()
  var isForced = false

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let library = try library.open(environment)
    let (still, movie) = (try library.asset(named: still), try library.asset(named: movie))
    try changing(library) { changes throws(LibraryError) in
      try changes.pair(still, movie, pairing: isForced ? .force : .byContentIdentifier)
    }
    try environment.reportResult("paired", [still.localIdentifier])
  }
}

/// A command that separates the videos of Live Photos from their images.
struct AssetUnpairCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "asset unpair", "Separate the videos of Live Photos from their images.",
    discussion: """
      The asset that the video was before 'asset pair' is restored from the trash, with its \
      albums; without one, the video becomes a new asset.
      """,
    examples: [CommandExample("asset unpair 3F25", "make two assets of a Live Photo")],
    writesJSON: true,
    arguments: [.group(\.assets, AssetArguments.arguments())])

  var assets = AssetArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let (library, assets) = try assets.find(environment)
    try changing(library) { changes throws(LibraryError) in
      for asset in assets { try changes.unpair(asset) }
    }
    try environment.reportResult("unpaired", assets.map(\.localIdentifier))
  }
}
