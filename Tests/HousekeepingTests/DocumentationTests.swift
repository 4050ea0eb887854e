// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("Documentation", .timeLimit(.minutes(30)))
struct DocumentationTests {
  /// Requirements of protocols, which say there once what every conforming type does.
  private static let requirements = [
    "static let schema", "init()", "func lowered(in", "func validate()", "mutating func complete(",
    "let header", "var notices", "func readRows(", "var assetName", "func state()",
    "func makeStagingFolder()", "func perform(",
  ]

  /// The public declarations of a file that no comment precedes.
  private static func undocumented(_ file: TextFile) -> [String] {
    var findings: [String] = []
    for (index, line) in file.lines.enumerated() {
      let declaration = line.drop { $0 == " " }
      guard declaration.hasPrefix("public "), !declaration.hasPrefix("public import") else {
        continue
      }
      let rest = declaration.dropFirst("public ".count)
      if rest.hasPrefix("internal(set)") || requirements.contains(where: { rest.hasPrefix($0) }) {
        continue
      }
      var above = index - 1
      while above >= 0, file.lines[above].drop(while: { $0 == " " }).hasPrefix("@") { above -= 1 }
      let isDocumented = above >= 0 && file.lines[above].drop { $0 == " " }.hasPrefix("///")
      if !isDocumented { findings.append("\(file.path):\(index + 1): \(declaration)") }
    }
    return findings
  }

  @Test func `every public declaration says what it is`() {
    #expect(
      Repository.texts(under: "Sources", type: "swift").flatMap(Self.undocumented) == [])
  }

  @Test func `a declaration without a comment is found`() {
    let file = TextFile(
      path: "a.swift", text: "/// Documented.\n@discardableResult\npublic func a() {}\npublic let b"
    )
    #expect(Self.undocumented(file) == ["a.swift:4: public let b"])
  }

  @Test func `the readme shows the lines of the consumer`() throws {
    let readme = try #require(Repository.texts.first { $0.path == "README.md" })
    let start = try #require(readme.lines.firstIndex(of: "```swift"))
    let end = try #require(readme.lines[(start + 1)...].firstIndex(of: "```"))
    let consumer = try #require(
      Repository.texts.first { $0.path == "Tools/consumer/Sources/consumer/main.swift" })
    let code = consumer.lines.drop { $0.hasPrefix("// SPDX") }.filter { !$0.isEmpty }
    #expect(readme.lines[(start + 1)..<end].filter { !$0.isEmpty } == Array(code))
  }
}
