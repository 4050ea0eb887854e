// SPDX-License-Identifier: Apache-2.0

/// A command that lists the assets of a library.
struct AssetListCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "asset list", "List the assets of a library.",
    discussion: """
      TERMs narrow the list: a word in \(texts), filename, keywords, people, place or \
      camera (harbo* matches any ending); KEY:VALUE with \(texts), filename, keyword, person, \
      album, camera, lens, label, place, rating, iso, f, focal, size, width, height, duration, \
      date, added, digest, id, and is:favorite, is:edited, is:live, is:video and the like; a day, \
      month or year such as 2019-05; ranges such as 2..4 or 4..; -TERM excludes. Case and accents \
      are ignored. --explain prints the predicate, which --where accepts.

      By default, hidden assets are omitted, only one photo of each burst is listed, and assets \
      are listed in the order in which they were added.

      --manifest prints the originals of photos for 'photoedit plan'. Videos and Live Photos are \
      omitted; so are edited photos unless --replace is used, because a run starts from the \
      original.

      Marks: F favorite, H hidden, E edited, V video or L Live Photo, B burst.
      """,
    examples: [
      CommandExample(
        "asset list harbor rating:4.. camera:X100 2019-05 -keyword:draft",
        "search with words, properties and a month"),
      CommandExample("asset list --group month", "count the photos of each month"),
      CommandExample("asset list --sort creationDate:desc --limit 20", "list the newest photos"),
      CommandExample(
        "asset list --where 'favorite == YES AND pixelWidth >= 4000' --json",
        "print matching assets as JSON"),
      CommandExample(
        "asset list --where 'favorite == YES' --manifest",
        "print the lines of a manifest for 'photoedit plan'"),
      CommandExample("asset list --album Lisbon", "list the photos of an album, in order"),
    ],
    writesJSON: true,
    arguments: [
      .positional("TERM", \.terms, isRequired: false, "Words and KEY:VALUE terms to search for.")
        .allowingHyphens,
      .group(\.library, LibraryArguments.arguments),
      .option(
        "where", \.predicate, value: "PREDICATE", "List assets that match a predicate."),
      .flag("explain", \.explains, "Print the predicate of the search and stop."),
      .option(
        "month", \.month, value: "MONTH", "List assets taken in a month (2019-05) or year."),
      .option(
        "group", \.group, value: "UNIT", "Count the assets of each day, month or year instead."),
      .option("album", \.album, value: "ALBUM", "List the assets of an album."),
      .option(
        "sort", \.sorts, value: "KEY[:desc]", "Sort key; repeat for secondary keys."),
      .option(
        "limit", \.limit, in: 0...Int.max, value: "N", "Maximum number of assets (0: no limit)."),
      .flag("include-hidden", \.includesHidden, "Include hidden assets.").renamed(from: "hidden"),
      .flag("include-bursts", \.includesBursts, "Include all burst photos.").renamed(
        from: "bursts"),
      .flag("trashed", \.isTrash, "List trashed assets instead.").renamed(from: "trash"),
      .flag("manifest", \.printsManifest, "Print a manifest of the originals as JSON Lines."),
      .flag("replace", \.replacesEdits, "With --manifest, include edited photos."),
    ])

  private static let texts = PhotoProperties.texts.map(\.name).joined(separator: ", ")

  var terms: [String] = []
  var explains = false
  var month: String?
  var group: Timeline.Unit?
  var library = LibraryArguments()
  var predicate: String?
  var album: String?
  var sorts: [String] = []
  var limit = 0
  var includesHidden = false
  var includesBursts = false
  var isTrash = false
  var printsManifest = false
  var replacesEdits = false

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let options = try options()
    if explains { return environment.print(options.predicate?.description ?? "TRUEPREDICATE") }
    let library = try library.open(environment)
    if let group {
      guard album == nil, !isTrash, sorts.isEmpty else {
        throw .usage("--group cannot be combined with --album, --trashed or --sort")
      }
      let timeline = try inLibrary(library.fetchTimeline(by: group, options: options))
      return try TimelineReport.write(timeline, environment)
    }
    let found: FetchResult<Asset>
    if isTrash {
      guard album == nil, options.predicate == nil, sorts.isEmpty else {
        throw .usage(
          "--trashed cannot be combined with search terms, --album, --where or --sort",
          hint: "use the term is:trashed, or --where 'trashed == YES'")
      }
      found = try inLibrary(library.fetchTrashedAssets())
    } else if let album {
      let album = try library.album(named: album)
      found = try inLibrary(library.fetchAssets(in: album, options: options))
    } else {
      found = try inLibrary(library.fetchAssets(options))
    }
    if printsManifest {
      return try RunManifestWriter(library: library, includesEdited: replacesEdits)
        .write(found, environment)
    }
    let shown = isTrash && limit > 0 ? min(limit, found.count) : found.count
    for asset in found.prefix(shown) {
      try environment.checkCancellation()
      if environment.wantsJSON {
        try environment.write(asset.json)
      } else {
        environment.print(asset.line)
      }
    }
    if !environment.wantsJSON { environment.note(counted(shown, "asset")) }
  }

  private func options() throws(CommandFailure) -> FetchOptions<Asset> {
    var options = FetchOptions<Asset>()
    options.includeHiddenAssets = includesHidden
    options.includeAllBurstAssets = includesBursts
    options.fetchLimit = limit
    var conditions: [FetchPredicate<Asset>] = []
    if !terms.isEmpty {
      conditions.append(
        try readingOption("search", FetchPredicate(search: terms)))
    }
    if let month {
      guard let days = CalendarDay.range(month) else {
        throw .usage("--month \(month): invalid month (allowed: 2019-05, 2019)")
      }
      conditions.append(.days(days))
    }
    if let predicate {
      conditions.append(
        try readingOption("--where", FetchPredicate(format: predicate)))
    }
    options.predicate = conditions.dropFirst().reduce(conditions.first) { all, next in
      all.map { $0 && next }
    }
    for sort in sorts {
      let parts = sort.split(separator: ":", omittingEmptySubsequences: false)
      let isDescending = parts.count == 2 && parts[1] == "desc"
      guard parts.count == 1 || isDescending || parts[1] == "asc" else {
        throw .usage("--sort \(sort): invalid sort key (allowed: KEY, KEY:asc, KEY:desc)")
      }
      options.sortDescriptors.append(
        try readingOption("--sort", FetchSort(key: String(parts[0]), ascending: !isDescending)))
    }
    return options
  }
}

/// Evaluates an expression and reports its library error as a usage error of the option.
func readingOption<Value>(
  _ option: String, _ body: @autoclosure () throws(LibraryError) -> Value
) throws(CommandFailure) -> Value {
  try translating({ CommandFailure.usage("\(option): \($0.message)", hint: $0.hint) }, body)
}

extension Timeline.Unit: ArgumentValue {}
