// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("PhotoKit mapping table")
struct MappingTests {
  private static let page = "Sources/PhotoEditLibrary/PhotoEditLibrary.docc/PhotoKit.md"

  /// Single names in the column of equivalents: `a.b(c:)` contains a and b.
  private static func names(in text: String) -> Set<Substring> {
    var names: Set<Substring> = []
    for row in text.split(separator: "\n") where row.hasPrefix("| ") {
      let columns = row.split(separator: "|")
      guard columns.count > 1 else { continue }
      for code in columns[1].matches(of: /`([^`]+)`/) {
        guard !code.1.contains("…Child"), !code.1.hasPrefix("import") else { continue }
        let words = code.1.prefix { $0 != " " }.replacing(/\([^)]*\)/, with: "")
        names.formUnion(words.matches(of: /\w+/).map(\.0))
      }
    }
    return names
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  @Test func `every name in the table is declared`() throws {
    let page = try #require(
      Repository.texts(under: "Sources", type: "md").first { $0.path == Self.page })
    let names = Self.names(in: page.lines.joined(separator: "\n"))
    #expect(names.count > 100)
    let keywords: Set = [
      "func", "var", "let", "case", "struct", "class", "enum", "protocol", "typealias",
    ]
    var declared: Set<Substring> = [
      // Variable names used in examples, and names declared by Swift.
      "changes", "library", "album", "asset", "folder", "first", "last", "Hashable",
      "Identifiable", "Codable", "Collection", "try", "async", "NSError", "PhotoEdit",
      "PhotoEditVideo", "true",
    ]
    for line in Repository.texts(under: "Sources", type: "swift").flatMap(\.lines) {
      let words = line.utf8.split { $0 < 0x80 && !Self.isOfName($0) }.map(Substring.init)
      for (keyword, name) in zip(words, words.dropFirst())
      where keywords.contains(String(keyword)) { declared.insert(name) }
    }
    #expect(names.subtracting(declared).sorted() == [])
  }
}
