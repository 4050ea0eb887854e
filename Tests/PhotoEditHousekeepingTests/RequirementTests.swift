// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("Requirements of the library")
struct RequirementTests {
  /// The rows of the semantics of PhotoKit that a library must meet: letter and how many.
  private static let rows = [
    ("L", 10), ("A", 6), ("F", 18), ("K", 8), ("B", 11), ("T", 19), ("I", 10),
  ]

  @Test func `every row has a test that is named after it`() {
    let names = Repository.texts(under: "Tests/PhotoEditLibraryTests", type: "swift")
      .flatMap { $0.lines.filter { $0.contains("@Test") || $0.contains("func `") } }
    let missing = Self.rows.flatMap { letter, count in
      (1...count).map { "\(letter)\($0)" }
    }.filter { row in
      // Rows may share a test: "T1, T2: …".
      !names.contains { line in
        line.firstMatch(of: #/`([A-Z]\d+(?:(?:, | and |…)[A-Z]\d+)*): /#).map {
          Self.rows(in: String($0.1)).contains(row)
        } ?? false
      }
    }
    #expect(missing == [])
  }

  /// The rows that the beginning of a name stands for; "A1…A3" is three.
  private static func rows(in text: String) -> Set<String> {
    var rows: Set<String> = []
    for part in text.split(whereSeparator: { ", and".contains($0) }) {
      let ends = part.split(separator: "…")
      guard let first = ends.first, let letter = first.first,
        let from = Int(first.dropFirst()), let to = Int(ends.last?.dropFirst() ?? "")
      else { continue }
      for number in from...max(from, to) { rows.insert("\(letter)\(number)") }
    }
    return rows
  }
}
