// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditLibrary
import PhotoEditStorage

/// A command that imports files and folders into a library.
struct AssetImportCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "asset import", "Brings photos and movies, and folders of them, into a library.",
    discussion: """
      Files are copied bit by bit and judged by content. Files that belong together become one \
      asset: a still and its RAW of the same name; a still and a movie with the same content \
      identifier (a Live Photo); IMG_1.HEIC with IMG_1.AAE and IMG_E1.HEIC, and photo.jpg with \
      photo.jpg.aae and photo.edited.jpg (an edit, which can be resumed). photo.xmp or photo.jpg.xmp \
      states title, caption, date and location; five stars make a favorite. photo.jpg.json of \
      Google Takeout gives those that the photo lacks.

      Files that the library has already are left out, so that an interrupted import is just run \
      again. An edit, a movie, a RAW or XMP that the photo there lacks is added to it; one that \
      differs from what is there is kept out, and the exit code is 1. A file that cannot be \
      accepted never keeps its neighbors out. In folders, links are not followed, and hidden files, \
      those of systems, and what is beside the originals of an Apple Photos library are passed \
      over; each of them gets a line in the report.
      """,
    examples: [
      CommandExample("asset import ~/Pictures --library Photos", "a folder and those below it"),
      CommandExample(
        "asset import /media/card --library Photos --dry-run", "says what would happen"),
    ],
    writesJSON: true, stopsCleanly: true,
    arguments: [
      .positional("PATH", \.paths, "Files and folders."),
      .group(\.library, LibraryArguments.arguments),
      .flag("dry-run", short: "n", \.isDryRun, "Looks at everything and changes nothing."),
      .flag("move", \.moves, "Removes each file once it is in the library by this import."),
      .option(
        "duplicates", \.duplicates, value: "WHAT", "What becomes of files the library has."),
      .option(
        "report", \.report, value: "FILE", "Writes what became of each file, as JSON Lines."),
      .flag("no-recursive", \.isFlat, "Does not enter folders below those that are named."),
    ])

  /// The treatment of files that the library already contains.
  enum Duplicates: String, CaseIterable, ArgumentValue {
    case skip
    case `import`
  }

  var paths: [String] = []
  var library = LibraryArguments()
  var isDryRun = false
  var moves = false
  var duplicates = Duplicates.skip
  var report: String?
  var isFlat = false

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    if let report { try Publishing.check(report, replacesFiles: false) }
    let library = try library.open(environment)
    var options = Importer.Options()
    options.isRecursive = !isFlat
    options.shouldMoveFiles = moves
    options.skipsDuplicates = duplicates == .skip
    options.isDryRun = isDryRun
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
    for file in result.files {
      if environment.wantsJSON {
        try environment.write(file.json)
        continue
      }
      switch file.outcome {
      case .imported:
        // One line for each asset: that of its original.
        if let type = file.type, [.photo, .video, .audio].contains(type) {
          environment.print((file.asset.map { $0 + "  " } ?? "") + file.path)
        }
        if let reason = file.reason { environment.warn("\(file.path): \(reason)") }
      case .refused: environment.report(file.failure)
      case .attached:
        environment.note("\(file.path): added to \(file.asset ?? "its photo")")
        if let reason = file.reason { environment.warn("\(file.path): \(reason)") }
      case .keptOut: environment.report(file.failure)
      case .duplicate: environment.detail("\(file.path): is \(file.asset ?? "a duplicate")")
      case .skipped: environment.detail("\(file.path): passed over: \(file.reason ?? "")")
      }
    }
    if environment.wantsJSON { return try environment.write(summary(result)) }
    let counts = ImportedFile.Outcome.allCases.map { "\(result.count($0)) \($0.word)" }
    environment.note(
      (isDryRun ? "would make " : "made ") + "\(result.assetCount) assets; files: "
        + counts.joined(separator: ", "))
  }

  private func summary(_ result: ImportReport) -> [String: JSONValue] {
    var counts: [String: JSONValue] = [:]
    for outcome in ImportedFile.Outcome.allCases {
      counts[outcome.rawValue] = .whole(result.count(outcome))
    }
    return [
      "assets": .whole(result.assetCount), "files": .object(counts), "dryRun": .bool(isDryRun),
      "interruption": .text(result.interruption.map { "\($0)" }),
    ]
  }

  private func write(_ result: ImportReport, to path: String) throws(CommandFailure) {
    var bytes: [UInt8] = []
    for file in result.files {
      var json = file.json
      json["schemaVersion"] = 1
      do {
        bytes += try JSONValue.object(json).canonicalBytes() + [0x0A]
      } catch {
        throw CommandFailure(.internalFault, "the report cannot be written as JSON: \(error)")
      }
    }
    try Publishing.write(bytes, to: path, replacesFiles: false)
  }

  /// Throws the failure of an import; a single file that is refused has its own exit code.
  private func finish(
    _ result: ImportReport, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    try environment.checkCancellation()
    if let interruption = result.interruption { throw CommandFailure(interruption) }
    let refused = result.files.filter { $0.outcome == .refused || $0.outcome == .keptOut }
    guard let first = refused.first else { return }
    throw .reported(result.files.count == 1 ? first.failure.exitCode : .someFailed)
  }
}

extension ImportedFile.Outcome {
  fileprivate var word: String {
    switch self {
    case .imported: "imported"
    case .attached: "added"
    case .duplicate: "there already"
    case .keptOut: "kept out"
    case .skipped: "passed over"
    case .refused: "refused"
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
    let verdict = outcome == .keptOut ? "kept out of \(asset ?? "its photo"): " : ""
    failure.message = "\(path): \(verdict)\(reason ?? failure.message)"
    return failure
  }
}
