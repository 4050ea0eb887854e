// SPDX-License-Identifier: Apache-2.0

/// A command that imports files and folders into a library.
struct AssetImportCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "asset import", "Import photos, videos, folders and archives into a library.",
    discussion: """
      Files are copied byte for byte and recognized by their content. Related files become one \
      asset: an image and its RAW file of the same name and time; an image and a video with the \
      same content identifier (a Live Photo), of which further copies are duplicates; IMG_1.HEIC \
      with IMG_1.AAE and IMG_E1.HEIC, and photo.jpg with photo.jpg.aae and photo.edited.jpg (an \
      edit that can be resumed). photo.xmp or photo.jpg.xmp provides title, caption, keywords, \
      rating, label, date and location; a rating of five stars marks a favorite.

      Most cameras record the time of a place without its offset from UTC, and most phones record \
      videos in UTC. --time-zone says what such times mean, so that photos and videos are in the \
      order of events; 'library set' sets it for all imports into a library. --date-from name \
      dates files without a date by names such as IMG_20190102_030405.jpg, \
      IMG-20190102-WA0001.jpg or Screenshot 2019-01-02 030405.png.

      In a Google Takeout export, JSON files provide the metadata that photos lack, and the titles \
      of albums. Import all parts of an export at once, since a photo and its JSON \
      file may be in different parts. ZIP, tar (.tgz) and 7-Zip archives are imported like \
      folders; they are unpacked to the library's disk for the time of the command, and --move is \
      refused for them. A photo that is in several folders becomes one asset; \
      IMG_1-edited.jpg becomes the current version of IMG_1.jpg in the same folder if both are \
      imported together, and so do IMG_1_edited.jpg and IMG_1-Edit.tif; an edited version that is \
      imported alone is a photo of its own. The library folder of Apple Photos is read with its albums, \
      titles and edits; it is not changed, and --move is refused for it. Originals that it refers \
      to elsewhere are imported if their folder is also specified. The CSV files of an iCloud \
      export provide dates, favorites and albums; .picasa.ini files provide favorites, captions, \
      keywords, people and albums.

      Files already in the library are skipped, so an interrupted import can be repeated. An edit, \
      video, RAW or XMP file is added to its photo in the library if the photo has none: to the one \
      next to it, to a Live Photo with the same content identifier, or else to the only one of \
      that name, time and camera, so that files may come one after the other, also with --move. \
      A file that does not state its time, or that fits several photos, becomes a photo of its \
      own; XMP that states neither needs a name that only one photo has. If the \
      photo has a different one, the file is not added and the exit code is 1; --update-metadata \
      replaces XMP files instead, and keeps what was set in the library. A rejected file \
      does not stop the others. --run saves the results of a run as edits of the assets that \
      have the originals; repeating it changes nothing. In folders, symbolic links are not \
      followed. --album-from folder names albums by the path below the named folder: importing 2019 \
      and 2020 one by one puts 2019/Rome and 2020/Rome into one album Rome, and importing the folder \
      above both makes two. A link to a photo of the same import puts it into the album of the \
      link's folder. --exclude applies to the names of files and folders, and with a slash to paths below \
      the named folder, as in .gitignore. Hidden files, system files, recycle bins, the previews of \
      cameras (LRV, THM), the copies that programs keep of a file (.bak, _original) and derived \
      files of an Apple Photos library are skipped; the report lists each of them.
      """,
    examples: [
      CommandExample(
        "asset import ~/Pictures --library Photos", "import a folder and its subfolders"),
      CommandExample(
        "asset import /media/card --library Photos --dry-run", "show what would be imported"),
      CommandExample(
        "asset import takeout-*.zip --library Photos", "import the parts of a Takeout export"),
      CommandExample(
        "asset import ~/Pictures --album-from folder --exclude '*_small.jpg' --library Photos",
        "create an album for each folder, and leave out some files"),
      CommandExample(
        "asset import --run runs/july --library Photos", "save the results of a run as edits"),
    ],
    writesJSON: true, stopsCleanly: true,
    arguments: [
      .positional("PATH", \.paths, isRequired: false, "Files, folders and archives to import."),
      .group(\.library, LibraryArguments.arguments),
      .flag("dry-run", short: "n", \.isDryRun, "Show what would be done without writing anything."),
      .flag("move", \.moves, "Delete source files after import."),
      .option(
        "duplicates", \.duplicates, value: "WHAT",
        "How to handle files already in the library."),
      .option(
        "prefer", \.preference, value: "WHICH",
        "Metadata that takes precedence: in the file itself, or in its XMP or JSON file."),
      .option(
        "time-zone", \.timeZone, value: "ZONE",
        "Time zone of dates without one, such as Europe/Berlin, +02:00, local, or none "
          + "(default: that of the library)."),
      .option(
        "date-from", \.dateSource, value: "WHAT",
        "What dates files without a date: only metadata, or also their name."),
      .flag(
        "update-metadata", \.updatesMetadata,
        "Replace changed XMP files of photos in the library, and the properties not set since."),
      .flag(
        "with-trash", \.includesTrashed, "Import photos that were in the trash of Google Photos."),
      .flag(
        "restore-trashed", \.restoresTrashed,
        "Restore photos from the trash of the library if they are imported again."),
      .option(
        "album-from", \.albumSource, value: "WHAT",
        "Add the photos of each folder to an album with its name."),
      .option(
        "exclude", \.exclusions, value: "PATTERN",
        "Leave out files and folders; can be repeated."),
      .option(
        "report", \.report, value: "FILE", "Write a per-file report as JSON Lines."),
      .flag(
        "raw", \.prefersRaw,
        "Show the raw file of a pair; by default the JPEG next to it is the photo."),
      .flag("no-recursive", \.isFlat, "Do not descend into subfolders."),
      .option("run", \.run, value: "DIR", "Import the results of a run as edits."),
      .flag("replace", \.replacesEdits, "With --run, replace edits made in the meantime."),
      .flag("add-originals", \.addsOriginals, "With --run, import originals that are missing."),
    ])

  /// The treatment of files that the library already contains.
  enum Duplicates: String, CaseIterable, ArgumentValue {
    case skip
    case `import`
  }

  /// The source of the names of albums.
  enum AlbumSource: String, CaseIterable, ArgumentValue {
    case folder
  }

  var paths: [String] = []
  var library = LibraryArguments()
  var isDryRun = false
  var moves = false
  var duplicates = Duplicates.skip
  var preference = Importer.MetadataPreference.automatic
  var timeZone: TimeZoneArgument?
  var dateSource = Importer.DateSource.metadata
  var updatesMetadata = false
  var includesTrashed = false
  var albumSource: AlbumSource?
  var exclusions: [ExclusionPattern] = []
  var restoresTrashed = false
  var report: String?
  var prefersRaw = false
  var isFlat = false
  var run: String?
  var replacesEdits = false
  var addsOriginals = false

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    guard paths.isEmpty == (run != nil) else {
      throw .usage(
        run == nil ? "no files specified" : "--run cannot be combined with files",
        hint: "specify files and folders, or --run DIR")
    }
    if let report { try Publishing.check(report, replacesFiles: false) }
    let library = try library.open(environment)
    if let run { return try importRun(RunFolder(path: run), library, environment) }
    try importFiles(paths, library, environment)
  }

  private func importRun(
    _ folder: RunFolder, _ library: PhotoLibrary, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    let description = try RunDescription(folder)
    let index = try RunIndex(folder, description, environment)
    let results = try RunResults(index, description, environment)
    let edits = try ResultEdits(
      results, description, option: "--run", replacesEdits: replacesEdits)
    let runImport = RunImport(
      library: library, edits: edits, isDryRun: isDryRun, environment: environment)
    if addsOriginals {
      let originals = try runImport.missingOriginals(in: description.root)
      if !originals.isEmpty { try importFiles(originals, library, environment) }
    }
    let failures = try runImport.run()
    environment.note("\(edits.positions.count - failures.count) done, \(failures.count) failed")
    guard let first = failures.first else { return }
    throw .reported(edits.positions.count == 1 ? first.exitCode : .someFailed)
  }

  private func importFiles(
    _ paths: [String], _ library: PhotoLibrary, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    var options = Importer.Options()
    options.isRecursive = !isFlat
    options.prefersRaw = prefersRaw
    options.shouldMoveFiles = moves
    options.skipsDuplicates = duplicates == .skip
    options.isDryRun = isDryRun
    options.metadataPreference = preference
    if let timeZone { options.clocks = timeZone.zone.map { .zone($0) } ?? .unknown }
    options.dateSource = dateSource
    options.updatesMetadata = updatesMetadata
    options.includesTrashed = includesTrashed
    options.exclusions = exclusions
    options.makesFolderAlbums = albumSource == .folder
    options.unpacking = { environment.note("unpacking \($0)") }
    options.restoresTrashed = restoresTrashed
    options.isCancelled = { environment.isCancelled }
    options.progress = { environment.progress.update($0, of: $1) }
    let result = Importer(library, options: options).run(paths)
    environment.progress.clear()
    if let report { try write(result, to: report) }
    try show(result, environment)
    try finish(result, environment)
  }

  private func show(
    _ result: ImportReport, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    if isDryRun, !environment.wantsJSON {
      for line in ImportPlanTable(result.files).lines { environment.print(line) }
    }
    for file in result.files {
      if environment.wantsJSON {
        try environment.write(file.json)
        continue
      }
      switch file.outcome {
      case .imported:
        // One line for each asset: that of its original.
        if !isDryRun, let type = file.type, [.photo, .video, .audio].contains(type) {
          environment.print((file.asset.map { $0 + "  " } ?? "") + file.path)
        }
        note(file, environment)
      case .refused, .keptOut: environment.report(file.failure)
      case .attached:
        if !isDryRun {
          environment.note("\(file.path): added to \(file.asset ?? "its photo")")
        }
        note(file, environment)
      case .updated:
        if !isDryRun {
          environment.note("\(file.path): metadata of \(file.asset ?? "its photo") updated")
        }
        note(file, environment)
      case .duplicate where file.isLoss:
        environment.warn(
          "\(file.path): duplicate of \(file.asset ?? "another file"), which is in the trash; "
            + "--restore-trashed restores it")
      case .duplicate:
        let reason = file.reason.map { ": " + $0 } ?? ""
        environment.detail("\(file.path): duplicate of \(file.asset ?? "another file")\(reason)")
      case .restored:
        if !isDryRun {
          environment.note("\(file.path): restored \(file.asset ?? "its photo") from the trash")
        }
        note(file, environment)
      case .read: environment.detail("\(file.path): read: \(file.reason ?? "")")
      case .skipped where file.isLoss:
        environment.warn("\(file.path): skipped: \(file.reason ?? "")")
      case .skipped: environment.detail("\(file.path): skipped: \(file.reason ?? "")")
      }
    }
    if environment.wantsJSON { return try environment.write(summary(result)) }
    let counts = ImportedFile.Outcome.allCases
      .filter { ![.read, .restored, .updated].contains($0) || result.count($0) > 0 }
      .map { "\(result.count($0)) \($0.displayName)" }
    let excluded = exclusions.isEmpty ? [] : ["\(result.excludedCount) excluded"]
    environment.note(
      (isDryRun ? "would create " : "created ") + counted(result.assetCount, "asset") + "; files: "
        + (counts + excluded).joined(separator: ", "))
    if let takeout = result.takeout { environment.note(takeout.line) }
    let left = result.files.count { $0.outcome == .duplicate && !$0.isLoss }
    if moves, left > 0 {
      environment.note(
        "\(counted(left, "file")) that the library already had stayed in place; --move deletes only "
          + "what it imports")
    }
  }

  /// Shows what is to be said about a file that was imported; what holds for each file of its kind
  /// is a detail.
  private func note(_ file: ImportedFile, _ environment: CommandEnvironment) {
    guard let reason = file.reason else { return }
    let line = "\(file.path): \(reason)"
    if file.isRoutine {
      environment.detail(line)
    } else {
      environment.warn(line, isReason: file.isSourceKept)
    }
  }

  private func summary(_ result: ImportReport) -> [String: JSONValue] {
    var counts: [String: JSONValue] = [:]
    for outcome in ImportedFile.Outcome.allCases {
      counts[outcome.rawValue] = .whole(result.count(outcome))
    }
    var summary: [String: JSONValue] = [
      "assets": .whole(result.assetCount), "files": .object(counts), "dryRun": .bool(isDryRun),
      "interruption": .text(result.interruption.map { "\($0)" }),
      "takeout": result.takeout?.json ?? .null,
    ]
    if !exclusions.isEmpty { summary["excluded"] = .whole(result.excludedCount) }
    return summary
  }

  private func write(_ result: ImportReport, to path: String) throws(CommandFailure) {
    var bytes: [UInt8] = []
    for file in result.files {
      var json = file.json
      json["schemaVersion"] = 1
      bytes += try translating(
        { (error: JSONWritingError) in
          CommandFailure(.internalFault, "cannot encode the report as JSON: \(error)")
        }, JSONValue.object(json).canonicalBytes() + [0x0A])
    }
    try Publishing.write(
      bytes, to: path, replacesFiles: false, like: result.files.map(\.path))
  }

  /// Throws the failure of an import, also if sources that were to be moved are still there; a single
  /// file that is rejected has its own exit code.
  private func finish(
    _ result: ImportReport, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    try environment.checkCancellation()
    if let interruption = result.interruption { throw CommandFailure(interruption) }
    let refused = result.files.filter { $0.outcome == .refused || $0.outcome == .keptOut }
    guard let first = refused.first else {
      if result.files.contains(where: \.isSourceKept) { throw .reported(.someFailed) }
      return
    }
    throw .reported(result.files.count == 1 ? first.failure.exitCode : .someFailed)
  }
}

extension Importer.MetadataPreference: ArgumentValue {}
extension Importer.DateSource: ArgumentValue {}

extension ExclusionPattern: ArgumentValue {
  package init(argument: String) throws(ArgumentError) {
    guard let pattern = ExclusionPattern(argument) else {
      throw ArgumentError(
        "invalid pattern '\(argument)'", hint: "use a name or path with *, ?, [a-z] or **")
    }
    self = pattern
  }

  package var argumentText: String? { text }
}

extension TakeoutSummary {
  /// The numbers on one line, without those that are zero.
  fileprivate var line: String {
    let counts = [
      (used, "used"), (unused, "not used"), (albums, albums == 1 ? "album" : "albums"),
      (unmatched, unmatched == 1 ? "without its photo" : "without their photos"),
      (ambiguous, "ambiguous"), (damaged, "damaged"),
    ]
    let missed = stored == 1 ? "1 photo is" : "\(stored) photos are"
    let advice =
      stored == 0
      ? "" : "; \(missed) in the library already: import all parts of an export at once"
    let hidden = locked == 1 ? "; 1 photo of the Locked Folder is hidden" : ""
    return "\(files) JSON \(files == 1 ? "file" : "files"): "
      + counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
      + (locked > 1 ? "; \(locked) photos of the Locked Folder are hidden" : hidden) + advice
  }

  fileprivate var json: JSONValue {
    [
      "files": .whole(files), "used": .whole(used), "unused": .whole(unused),
      "albums": .whole(albums), "unmatched": .whole(unmatched), "ambiguous": .whole(ambiguous),
      "damaged": .whole(damaged), "locked": .whole(locked), "stored": .whole(stored),
    ]
  }
}

extension ImportedFile.Outcome {
  fileprivate var displayName: String {
    switch self {
    case .imported: "imported"
    case .attached: "added"
    case .updated: "updated"
    case .duplicate: "duplicate"
    case .restored: "restored"
    case .keptOut: "conflicting"
    case .read: "read"
    case .skipped: "skipped"
    case .refused: "rejected"
    }
  }
}

extension ImportedFile {
  fileprivate var json: [String: JSONValue] {
    [
      "input": .string(path), "outcome": .string(outcome.rawValue),
      "type": .text(type.map { "\($0)" }), "asset": .text(asset), "reason": .text(reason),
      "code": .text(error.map { "\($0.code)" }),
    ]
  }

  fileprivate var failure: CommandFailure {
    var failure =
      error.map { CommandFailure($0) } ?? CommandFailure(.badData, reason ?? "cannot be imported")
    let verdict = outcome == .keptOut ? "not added to \(asset ?? "its photo"): " : ""
    failure.message = "\(path): \(verdict)\(reason ?? failure.message)"
    return failure
  }
}
