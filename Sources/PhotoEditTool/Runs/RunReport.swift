// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditStorage

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
      byteCount += state.byteCount
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
