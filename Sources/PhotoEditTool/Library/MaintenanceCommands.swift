// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditLibrary

/// A command that checks the integrity of a library.
struct LibraryCheckCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "library check", "Looks whether everything in a library is as it should be.",
    discussion: """
      Nothing is changed. The exit code is 0 when nothing is lost or wrong, 1 otherwise; files that \
      no version needs and manifests that are behind are told and are no errors.
      """,
    examples: [CommandExample("library check --deep -L Photos", "reads every file")],
    writesJSON: true, stopsCleanly: true,
    arguments: [
      .group(\.library, LibraryArguments.arguments),
      .flag("deep", \.isDeep, "Reads every file and compares it with its digest."),
    ])

  var library = LibraryArguments()
  var isDeep = false

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let folder = try library.folderForUpkeep(environment)
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
    "library repair", "Makes the database again from the files, and puts right what can be.",
    discussion: """
      Originals are never written, moved or removed. A database that can be read stays and takes in \
      what the files know of later changes; one that is damaged is set aside, and so is what no version \
      needs: it is moved to the folder set-aside in the library. Nobody else may use the library \
      meanwhile.
      """,
    writesJSON: true, arguments: [.group(\.library, LibraryArguments.arguments)])

  var library = LibraryArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let folder = try library.folderForUpkeep(environment)
    let report = try inLibrary(LibraryRepair().run(at: folder))
    try report.write(to: environment)
    if !report.isSound { throw .reported(.someFailed) }
  }
}

/// A command that creates a second library with the same contents.
struct LibraryBackupCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "library backup", "Makes a second library of the same content, while the first is in use.",
    discussion: """
      On the same file system, files get a second name instead of being copied, which costs no \
      space; --copy copies them. The backup is checked before the command ends.
      """,
    writesJSON: true,
    arguments: [
      .positional("DIR", \.target, "A new or empty folder."),
      .group(\.library, LibraryArguments.arguments),
      .flag("copy", \.isCopy, "Copies every file."),
      .flag("deep", \.isDeep, "Reads every file of the backup and compares it with its digest."),
    ])

  var target = ""
  var library = LibraryArguments()
  var isCopy = false
  var isDeep = false

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let folder = try library.folderForUpkeep(environment)
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
      "\(assetCount) assets, \(fileCount) files: "
        + (isSound ? "nothing is lost or wrong" : "\(findings.count(where: \.isError)) errors"))
  }
}
