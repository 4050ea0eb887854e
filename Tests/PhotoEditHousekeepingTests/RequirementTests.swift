// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("Required behaviors of the library")
struct RequirementTests {
  private static let page =
    "Sources/PhotoEditLibrary/PhotoEditLibrary.docc/PhotoKitCompatibility.md"

  /// The anchors at the beginning of a page's table rows, in order.
  private static func rows(_ lines: [Substring]) -> [String] {
    lines.compactMap { line in
      line.firstMatch(of: #/^\| `([a-z0-9-]+)` \|/#).map { String($0.1) }
    }
  }

  /// The anchors of the `.requirement(…)` traits in a source text.
  private static func traits(_ text: String) -> [String] {
    text.matches(of: #/\.requirement\(([^)]*)\)/#).flatMap { trait in
      trait.1.matches(of: #/"([^"]*)"/#).map { String($0.1) }
    }
  }

  private static let tested = Set(
    Repository.texts(under: "Tests/PhotoEditLibraryTests", type: "swift")
      .flatMap { traits($0.lines.joined(separator: "\n")) })

  private static let required = Repository.texts.first { $0.path == page }.map { rows($0.lines) }

  @Test func `every row of the compatibility page has a test`() throws {
    let required = try #require(Self.required)
    #expect(required.count > 50)
    #expect(required.filter { !Self.tested.contains($0) } == [])
  }

  @Test func `the page counts the rows that need other code`() throws {
    let page = try #require(Repository.texts.first { $0.path == Self.page })
    let text = page.lines.joined(separator: "\n")
    let count = try #require(
      text.firstMatch(of: #/([0-9]+) of the ([0-9]+) rows work [^:]*:([^.]*)\./#))
    let others = count.3.matches(of: #/`([a-z0-9-]+)`/#).map { String($0.1) }
    let different = Set(Self.rows(page.lines.filter { $0.hasSuffix("| different |") }))
    #expect(Set(others).subtracting(different) == [])
    let required = try #require(Self.required)
    #expect(Int(count.2) == required.count && Int(count.1) == required.count - others.count)
  }

  @Test func `every requirement of a test has exactly one row`() throws {
    let required = try #require(Self.required)
    #expect(Self.tested.subtracting(required).sorted() == [])
    #expect(Set(required).count == required.count)
  }

  @Test func `rows and traits are recognized`() {
    #expect(Self.rows(["| anchor | rule |", "|---|---|", "| `a-1` | x | y |"]) == ["a-1"])
    let text = "@Test(.requirement(\"a-1\")) func\n@Test(\n  .requirement(\n    \"b\", \"c\"),"
    #expect(Self.traits(text) == ["a-1", "b", "c"])
  }
}
