// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// A command that creates an empty library.
struct LibraryCreateCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "library create", "Create an empty photo library.",
    discussion: "The folder must be empty or must not exist yet.",
    examples: [CommandExample("library create ~/Photos", "create an empty library in ~/Photos")],
    writesJSON: true, arguments: [.group(\.library, LibraryArguments.newFolder)])

  var library = LibraryArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let folder = try library.folder(needed: environment)
    let library = try inLibrary(PhotoLibrary.create(at: URL(filePath: folder)))
    if environment.wantsJSON {
      return try environment.write([
        "library": .string(folder), "identifier": .string(library.identifier),
      ])
    }
    environment.note(
      "created \(folder); add photos with "
        + "'photoedit asset import PATH --library \(Shell.quoted(folder))'")
  }
}

/// A command that shows the properties and the size of a library.
struct LibraryInfoCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "library info", "Show contents, size and access rights of a library.",
    examples: [
      CommandExample(
        "library info Photos", "show the number of assets and albums, and the total size"),
      CommandExample("library info Photos --by month", "show a histogram of the months"),
    ],
    writesJSON: true,
    arguments: [
      .group(\.library, LibraryArguments.operandOrOption),
      .option("by", \.unit, value: "UNIT", "Add a histogram by day, month or year."),
    ])

  var library = LibraryArguments()
  var unit: Timeline.Unit?

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let folder = try library.folderForMaintenance(environment)
    let library = try inLibrary(OpenLibraries.library(in: folder.path, environment))
    let facts = try inLibrary(library.statistics())
    let access = library.authorizationStatus(for: .readWrite)
    let zone = try inLibrary(library.timeZoneName())
    let timeline = try unit.map { unit throws(CommandFailure) in
      try inLibrary(library.fetchTimeline(by: unit))
    }
    if environment.wantsJSON {
      var json: [String: JSONValue] = [
        "library": .string(library.url.path), "identifier": .string(library.identifier),
        "assets": .whole(facts.assets), "images": .whole(facts.images),
        "videos": .whole(facts.videos), "edited": .whole(facts.edited),
        "trashed": .whole(facts.trashed), "albums": .whole(facts.albums),
        "folders": .whole(facts.folders), "bytes": .whole(facts.bytes),
        "commits": .whole(facts.commits), "access": .string("\(access)"),
        "timeZone": .text(zone),
      ]
      if let timeline {
        json["periods"] = .array(timeline.periods.map { .object($0.json) })
      }
      return try environment.write(json)
    }
    var lines = LabelledLines()
    lines.add("library", library.url.path)
    lines.add("identifier", library.identifier)
    lines.add(
      "assets",
      "\(facts.assets): \(facts.images) images, \(facts.videos) videos, "
        + "\(facts.edited) edited")
    lines.add("trash", "\(facts.trashed)")
    lines.add("albums", "\(facts.albums) in \(facts.folders) folders and at the top level")
    lines.add("files", "\(facts.bytes) bytes")
    lines.add("commits", "\(facts.commits)")
    lines.add("access", "\(access)")
    if let zone { lines.add("time zone", zone) }
    lines.print(in: environment)
    if let timeline { TimelineReport.writeHistogram(timeline, environment) }
  }
}

/// A command that checks the integrity of a library.
struct LibraryCheckCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "library check", "Check a library for damage and inconsistencies.",
    discussion: """
      Nothing is changed. Files that were written after they were added to the library are \
      verified, and with --deep all files. The exit code is 0 if there are no errors and 1 \
      otherwise. Unused files and outdated manifests are reported as notes, not as errors.
      """,
    examples: [CommandExample("library check Photos --deep", "verify every file")],
    writesJSON: true, stopsCleanly: true,
    arguments: [
      .group(\.library, LibraryArguments.operandOrOption),
      .flag("deep", \.isDeep, "Verify the SHA-256 digest of every file."),
    ])

  var library = LibraryArguments()
  var isDeep = false

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let folder = try library.folderForMaintenance(environment)
    var check = LibraryCheck()
    check.isDeep = isDeep
    check.progress = { _ in !environment.isCancelled }
    let report = try inLibrary(check.run(at: folder))
    try report.finish(environment)
  }
}

/// A command that rebuilds the database of a library from its files.
struct LibraryRepairCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "library repair", "Rebuild the database from the files and repair what it can.",
    discussion: """
      Originals are never modified, moved or deleted. A readable database is kept and updated \
      with later changes recorded in the files. A damaged database and unused files are moved to \
      the folder set-aside in the library. No other process may use the library during the \
      repair. With --places, the names of places are found again for all locations, except for \
      photos that state a place.
      """,
    examples: [
      CommandExample("library repair Photos", "repair a damaged library"),
      CommandExample("library repair Photos --places", "name the places of an older library"),
    ],
    writesJSON: true,
    arguments: [
      .group(\.library, LibraryArguments.operandOrOption),
      .flag("places", \.recomputesPlaceNames, "Find the place names of all locations again."),
    ])

  var library = LibraryArguments()
  var recomputesPlaceNames = false

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let folder = try library.folderForMaintenance(environment)
    var repair = LibraryRepair()
    repair.recomputesPlaceNames = recomputesPlaceNames
    let report = try inLibrary(repair.run(at: folder))
    try report.finish(environment)
  }
}

/// A command that creates a second library with the same contents.
struct LibraryBackupCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "library backup", "Copy a library to a new folder while it is in use.",
    discussion: """
      On the same file system, files are hard-linked instead of copied and take no extra space; \
      --no-hardlinks copies them. The backup is checked before the command ends.
      """,
    examples: [
      CommandExample(
        "library backup /mnt/backup/Photos -L Photos", "copy a library to another disk")
    ],
    writesJSON: true,
    arguments: [
      .positional("DIR", \.target, "Destination: a new or empty folder."),
      .group(\.library, LibraryArguments.arguments),
      .flag("no-hardlinks", \.isCopy, "Copy files instead of hard-linking them.").renamed(
        from: "copy"),
      .flag("deep", \.isDeep, "Verify the SHA-256 digest of every file of the backup."),
    ])

  var target = ""
  var library = LibraryArguments()
  var isCopy = false
  var isDeep = false

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let folder = try library.folderForMaintenance(environment)
    let library = try inLibrary(OpenLibraries.library(in: folder.path, environment))
    var backup = LibraryBackup()
    backup.sharesFiles = !isCopy
    backup.isVerifiedDeeply = isDeep
    let report = try inLibrary(backup.run(of: library, to: URL(filePath: target)))
    try report.finish(environment)
  }
}

extension LibraryReport {
  /// Writes the report, and throws if the library is not sound.
  fileprivate func finish(_ environment: CommandEnvironment) throws(CommandFailure) {
    try write(to: environment)
    if !isSound { throw .reported(.someFailed) }
  }

  private func write(to environment: CommandEnvironment) throws(CommandFailure) {
    if environment.wantsJSON {
      return try environment.write([
        "isSound": .bool(isSound), "assets": .whole(assetCount), "files": .whole(fileCount),
        "actions": .texts(actions),
        "findings": .array(
          findings.map {
            [
              "kind": .string($0.kind.rawValue), "file": .text($0.file),
              "identifier": .text($0.identifier), "detail": .string($0.detail),
              "isError": .bool($0.isError),
            ]
          }),
      ])
    }
    for action in actions { environment.print(action) }
    for finding in findings {
      environment.print((finding.isError ? "error: " : "note: ") + "\(finding)")
    }
    environment.note(
      "\(counted(assetCount, "asset")), \(counted(fileCount, "file")): "
        + (isSound ? "no errors" : counted(findings.count(where: \.isError), "error")))
  }
}
