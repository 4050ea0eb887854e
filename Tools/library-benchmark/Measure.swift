// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Times and memory of this process, and their limits.
struct Measure {
  /// One line of the result.
  struct Line {
    let name: String
    let value: Double
    let unit: String
    /// The limit: a maximum, or a minimum for rates.
    let limit: Double?
    let isRate: Bool

    var isKept: Bool { limit.map { isRate ? value >= $0 : value <= $0 } ?? true }
  }

  private(set) var lines: [Line] = []

  /// The minimum of several runs in milliseconds.
  mutating func milliseconds(
    _ name: String, limit: Double?, rounds: Int = 5, _ body: () throws -> Void
  ) rethrows {
    var least = Double.infinity
    for _ in 0..<rounds { least = min(least, try Self.seconds(body) * 1000) }
    add(name, least, "ms", limit: limit)
  }

  mutating func add(
    _ name: String, _ value: Double, _ unit: String, limit: Double?, isRate: Bool = false
  ) {
    let line = Line(name: name, value: value, unit: unit, limit: limit, isRate: isRate)
    lines.append(line)
    print(Self.text(line))
  }

  static func seconds(_ body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let duration = try clock.measure(body)
    return Double(duration.components.seconds)
      + Double(duration.components.attoseconds) / 1e18
  }

  /// The resident memory of this process in bytes.
  static func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var text = [CChar](repeating: 0, count: 200)
    guard fgets(&text, Int32(text.count), file) != nil else { return 0 }
    let words = text.prefix { $0 != 0 }.split(separator: 32)
    guard words.count > 2 else { return 0 }
    // Shared pages belong to the database file and can be reclaimed by the kernel at any time.
    func pages(_ word: ArraySlice<CChar>) -> Int {
      Int(String(decoding: word.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)) ?? 0
    }
    return (pages(words[words.startIndex + 1]) - pages(words[words.startIndex + 2]))
      * sysconf(Int32(_SC_PAGESIZE))
  }

  private static func text(_ line: Line) -> String {
    let rounded = (line.value * 100).rounded() / 100
    let name = line.name + String(repeating: " ", count: max(1, 58 - line.name.count))
    guard let limit = line.limit else { return "\(name)\(rounded) \(line.unit)" }
    return "\(name)\(rounded) \(line.unit)  (\(line.isRate ? "≥" : "≤") \(limit))"
      + (line.isKept ? "" : "  BROKEN")
  }
}
