// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditStorage

/// A command that reports the results of a run.
struct CollectCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "collect", "Report, check or save the results of a run.",
    discussion: """
      Reads the result files of all attempts, and counts the best result of each image: written \
      or present, failed, poison (it crashed two workers) or missing. The report is also written \
      to report.json in the run folder.

      --into saves the results as edits next to the originals, as 'apply' would have done. An \
      original is DIR/src, or DIR/id if src is a URL. Originals that have the same edit are \
      skipped; those that have been edited in the meantime are reported.

      The exit code is 0 if all images have results, 1 if some failed, and 75 if some are missing.
      """,
    examples: [
      CommandExample("collect runs/july", "report the results of a run"),
      CommandExample("collect runs/july --check", "compare all results with their records"),
      CommandExample(
        "collect runs/july --failed failed.jsonl", "write a manifest of the failed images"),
    ],
    writesJSON: true, stopsCleanly: true,
    arguments: [
      .positional("RUN", \.run, "Folder of the run."),
      .flag("check", \.checks, "Compare every result with its record and its digest."),
      .option("failed", \.failed, value: "FILE", "Write the lines of failed images."),
      .option(
        "into", \.folder, value: "DIR", "Save the results as edits of the originals in DIR."),
      .flag("replace", \.replacesEdits, "With --into, replace edits made in the meantime."),
      .flag("sweep", \.sweeps, "Remove temporary files that are older than a day."),
    ])

  var run = ""
  var checks = false
  var failed: String?
  var folder: String?
  var replacesEdits = false
  var sweeps = false

  /// The age at which a temporary file belongs to a process that has ended.
  private static let day = 86_400

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    if let failed { try Publishing.check(failed, replacesFiles: false) }
    let folder = RunFolder(path: run)
    let description = try RunDescription(folder)
    let index = try RunIndex(folder, description, environment)
    let results = try RunResults(index, description, environment)
    let report = try RunReport(results, description)
    try write(report, to: folder)
    if environment.wantsJSON {
      try environment.write(report.json)
    } else {
      report.write(to: environment)
    }
    for library in report.mixedLibraries {
      environment.warn("the nodes have different versions of \(library)")
    }
    if let failed { try writeFailures(results, to: failed) }
    if sweeps {
      let folders = [folder.path, try description.localOutput("--sweep")]
      let count = folders.reduce(0) { $0 + FileSystem.sweep($1, olderThan: Self.day) }
      environment.note("\(count) temporary files removed")
    }
    var damagedCount = 0
    if checks {
      let store = try ResultStore(try description.localOutput("--check"), description)
      damagedCount = try store.check(results, environment)
    }
    var failures: [CommandFailure] = []
    if let target = self.folder {
      let edits = try ResultEdits(
        results, description, option: "--into", replacesEdits: replacesEdits)
      failures = try edits.save(in: target, environment)
    }
    guard damagedCount == 0 else {
      throw CommandFailure(
        .badData, "\(run): \(damagedCount) results do not match their records",
        hint: "remove their records, and run the shards again", code: "damagedResult")
    }
    guard report.missingCount == 0 else {
      throw CommandFailure(
        .busy, "\(run): \(report.missingCount) images have no result",
        hint: "use 'photoedit plan --resume --run \(Shell.quoted(run))', then run the shards",
        code: "incomplete")
    }
    if report.failureCount > 0 || !failures.isEmpty { throw .reported(.someFailed) }
  }

  private func write(_ report: RunReport, to folder: RunFolder) throws(CommandFailure) {
    var json = report.json
    json["date"] = .string(Clock.text(Clock.now().date))
    let text = try JSONValue.object(json).canonicalText() + "\n"
    try Publishing.write(Array(text.utf8), to: folder.reportFile, replacesFiles: true)
  }

  private func writeFailures(
    _ results: RunResults, to path: String
  ) throws(CommandFailure) {
    var bytes: [UInt8] = []
    for position in results.positions({ $0 == .failed || $0 == .poison }) {
      bytes += try results.index.bytes(position)
      bytes.append(UInt8(ascii: "\n"))
    }
    try Publishing.write(bytes, to: path, replacesFiles: false)
  }
}
