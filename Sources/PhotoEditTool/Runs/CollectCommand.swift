// SPDX-License-Identifier: Apache-2.0

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
      skipped; those that have been edited in the meantime are reported. A src or id that leads out \
      of DIR, by itself or by a symbolic link in DIR, is reported and nothing is saved for it.

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
      let store = try ResultStore(try description.localOutput("--sweep"), description)
      let count =
        try folder.sweep(olderThan: Self.day) + store.sweep(index, olderThan: Self.day)
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

/// The report on a run: the number of images in each state.
struct RunReport {
  private let counts: [ImageResult.Rank: Int]
  private let failures: [String: Int]
  private let reasons: [String: Int]
  private let byteCount: Int
  private let milliseconds: Double
  private let slowest: [(id: String, milliseconds: Double)]
  private let results: RunResults
  private let manifest: [String: JSONValue]

  private static let slowestCount = 10

  init(_ results: RunResults, _ description: RunDescription) throws(CommandFailure) {
    self.results = results
    manifest = description.manifest
    var counts: [ImageResult.Rank: Int] = [:]
    var (failures, reasons): ([String: Int], [String: Int]) = ([:], [:])
    var byteCount = 0
    var slow: [(position: Int, milliseconds: Double)] = []
    var milliseconds = 0.0
    for (position, state) in results.states.enumerated() {
      counts[state.rank, default: 0] += 1
      switch state.rank {
      case .failed: failures[results.codes[Int(state.code)], default: 0] += 1
      case .unfinished: reasons[results.codes[Int(state.code)], default: 0] += 1
      default: break
      }
      milliseconds += state.milliseconds
      guard state.rank.isDone else { continue }
      byteCount = byteCount.addingSaturated(state.byteCount)
      guard slow.count < Self.slowestCount || state.milliseconds > slow[slow.count - 1].milliseconds
      else { continue }
      let insertion = slow.firstIndex { $0.milliseconds < state.milliseconds } ?? slow.count
      slow.insert((position, state.milliseconds), at: insertion)
      if slow.count > Self.slowestCount { slow.removeLast() }
    }
    (self.counts, self.failures, self.reasons) = (counts, failures, reasons)
    (self.byteCount, self.milliseconds) = (byteCount, milliseconds)
    var slowest: [(id: String, milliseconds: Double)] = []
    for item in slow {
      slowest.append((try results.index.line(item.position).id, item.milliseconds))
    }
    self.slowest = slowest
  }

  func count(_ rank: ImageResult.Rank) -> Int { counts[rank] ?? 0 }

  /// The number of images that failed and will not be repeated.
  var failureCount: Int { count(.failed) + count(.poison) }
  /// The number of images without a result.
  var missingCount: Int { count(.missing) + count(.unfinished) }
  /// Libraries of which the nodes have several versions, which may give different bytes.
  var mixedLibraries: [String] {
    results.components.filter { $0.value.count > 1 }.keys.sorted()
  }

  /// The report for scripts; the same results give the same values.
  var json: [String: JSONValue] {
    [
      "format": 1, "lines": manifest["lines"] ?? 0, "repeated": manifest["repeated"] ?? 0,
      "unique": .whole(results.states.count), "written": .whole(count(.written)),
      "present": .whole(count(.present)),
      "failed": .object(failures.mapValues { .whole($0) }),
      "failures": .whole(count(.failed)), "poison": .whole(count(.poison)),
      "missing": .whole(missingCount), "unfinished": .object(reasons.mapValues { .whole($0) }),
      "unknown": .whole(results.unknownCount), "complete": .bool(missingCount == 0),
      "bytes": .whole(byteCount), "cpuSeconds": .number(milliseconds.rounded() / 1000),
      "slowest": .array(
        slowest.map { ["id": .string($0.id), "cpuMs": .number($0.milliseconds)] }),
      "nodes": .texts(results.nodes.sorted()),
      "components": .object(results.components.mapValues { .texts($0.sorted()) }),
    ]
  }

  func write(to environment: CommandEnvironment) {
    var lines = LabelledLines()
    lines.add("images", "\(results.states.count)")
    lines.add("written", "\(count(.written))")
    lines.add("present", "\(count(.present))")
    for (title, codes) in [("failed", failures), ("unfinished", reasons)] {
      for (code, count) in codes.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
        lines.add(title, "\(count) \(code)")
      }
    }
    lines.add("poison", "\(count(.poison))")
    lines.add("missing", "\(missingCount)")
    lines.add("bytes", "\(byteCount)")
    lines.add("processor time", "\(Int(milliseconds / 1000)) s")
    lines.print(in: environment)
  }
}
