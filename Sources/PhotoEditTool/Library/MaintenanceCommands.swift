// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditLibrary

/// A command that checks the integrity of a library.
struct LibraryCheckCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "library check", "Check a library for damage and inconsistencies.",
    discussion: """
      Nothing is changed. The exit code is 0 if there are no errors and 1 otherwise. Unused files \
      and outdated manifests are reported as notes, not as errors.
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
    try report.write(to: environment)
    if !report.isSound { throw .reported(.someFailed) }
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
    try report.write(to: environment)
    if !report.isSound { throw .reported(.someFailed) }
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
    try report.write(to: environment)
    if !report.isSound { throw .reported(.someFailed) }
  }
}

extension LibraryReport {
  fileprivate func write(to environment: CommandEnvironment) throws(CommandFailure) {
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
