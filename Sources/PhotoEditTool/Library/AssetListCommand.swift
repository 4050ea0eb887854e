// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditLibrary

/// A command that lists the assets of a library.
struct AssetListCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "asset list", "Lists the assets of a library.",
    discussion: """
      Without options it lists what is not hidden, the oldest in the library first, and one photo of \
      each burst. A predicate names keys such as creationDate, mediaType, pixelWidth, favorite, \
      duration and localIdentifier.

      The marks are F favourite, H hidden, E edited, V video or L Live Photo, and B burst.
      """,
    examples: [
      CommandExample("asset list --sort creationDate:desc --limit 20", "the newest photos"),
      CommandExample(
        "asset list --where 'favorite == YES AND pixelWidth >= 4000' --json", "for scripts"),
      CommandExample("asset list --album Lisbon", "the photos of an album, in its order"),
    ],
    writesJSON: true,
    arguments: [
      .group(\.library, LibraryArguments.arguments),
      .option(
        "where", \.predicate, value: "PREDICATE", "Lists what a predicate holds for."),
      .option("album", \.album, value: "ALBUM", "Lists an album, in its order."),
      .option(
        "sort", \.sorts, value: "KEY[:desc]", "Sorts by a key; repeatable, the first counts most."),
      .option("limit", \.limit, in: 0...Int.max, value: "N", "Lists so many at most; 0 for all."),
      .flag("hidden", \.includesHidden, "Lists hidden assets too."),
      .flag("bursts", \.includesBursts, "Lists all photos of a burst."),
      .flag("trash", \.isTrash, "Lists the trash instead."),
    ])

  var library = LibraryArguments()
  var predicate: String?
  var album: String?
  var sorts: [String] = []
  var limit = 0
  var includesHidden = false
  var includesBursts = false
  var isTrash = false

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let library = try library.open(environment)
    let options = try options()
    let found: FetchResult<Asset>
    if isTrash {
      guard album == nil, predicate == nil, sorts.isEmpty else {
        throw .usage("--trash lists the whole trash", hint: "leave out --album, --where and --sort")
      }
      found = try inLibrary(library.fetchTrashedAssets())
    } else if let album {
      let album = try library.album(named: album)
      found = try inLibrary(library.fetchAssets(in: album, options: options))
    } else {
      found = try inLibrary(library.fetchAssets(options))
    }
    let shown = isTrash && limit > 0 ? min(limit, found.count) : found.count
    for asset in found.prefix(shown) {
      if environment.isCancelled { break }
      if environment.wantsJSON {
        try environment.write(asset.json)
      } else {
        environment.print(asset.line)
      }
    }
    if !environment.wantsJSON { environment.note("\(shown) assets") }
  }

  private func options() throws(CommandFailure) -> FetchOptions<Asset> {
    var options = FetchOptions<Asset>()
    options.includeHiddenAssets = includesHidden
    options.includeAllBurstAssets = includesBursts
    options.fetchLimit = limit
    if let predicate {
      options.predicate = try reading("--where") { () throws(LibraryError) in
        try FetchPredicate(format: predicate)
      }
    }
    for sort in sorts {
      let parts = sort.split(separator: ":", omittingEmptySubsequences: false)
      let isDescending = parts.count == 2 && parts[1] == "desc"
      guard parts.count == 1 || isDescending || parts[1] == "asc" else {
        throw .usage("--sort \(sort): KEY, KEY:asc or KEY:desc is allowed")
      }
      options.sortDescriptors.append(
        try reading("--sort") { () throws(LibraryError) in
          try FetchSort(key: String(parts[0]), ascending: !isDescending)
        })
    }
    return options
  }

  /// Runs a body and reports its library error as a usage error of the option.
  private func reading<Value>(
    _ option: String, _ body: () throws(LibraryError) -> Value
  ) throws(CommandFailure) -> Value {
    do throws(LibraryError) { return try body() } catch {
      throw .usage("\(option): \(error.message)", hint: error.hint)
    }
  }
}
