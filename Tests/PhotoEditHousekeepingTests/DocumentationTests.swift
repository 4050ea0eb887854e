// SPDX-License-Identifier: Apache-2.0
import PhotoEditTestSupport
import Testing

@Suite("Documentation")
struct DocumentationTests {
  /// Protocol requirements, which are documented once, in the protocol.
  private static let requirements = [
    "static let schema", "init()", "func lowered(in", "func validate()", "mutating func complete(",
    "let header", "var notices", "func readRows(", "var assetName", "func state()",
    "func makeStagingFolder(", "func perform(", "func describeMovie(", "static var previous:",
  ]

  /// Returns whether the schema of a filter documents a declaration.
  ///
  /// - Parameter declaration: The text after `public`.
  private static func isInSchema(_ declaration: Substring, _ file: TextFile) -> Bool {
    guard file.lines.contains(where: { $0.contains("FilterSchema<Self>(") }) else { return false }
    if let name = declaration.firstMatch(of: /^var (\w+)/)?.1 {
      return file.lines.contains { $0.contains("\\.\(name),") }
    }
    return declaration.firstMatch(of: /^struct \w+: (?:Filter|MovieOperation) \{/) != nil
  }

  /// The public declarations of a file without a documentation comment.
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
      if !isDocumented && !isInSchema(rest, file) {
        findings.append("\(file.path):\(index + 1): \(declaration)")
      }
    }
    return findings
  }

  @Test func `every public declaration has a documentation comment`() {
    #expect(
      Repository.texts(under: "Sources", type: "swift").flatMap(Self.undocumented) == [])
  }

  @Test func `a public declaration without a comment is reported`() {
    let file = TextFile(
      path: "a.swift", text: "/// Documented.\n@discardableResult\npublic func a() {}\npublic let b"
    )
    #expect(Self.undocumented(file) == ["a.swift:4: public let b"])
  }

  /// The parameters in documentation comments that the declaration below does not have.
  private static func staleParameters(_ file: TextFile) -> [String] {
    var findings: [String] = []
    var names: [(line: Int, name: Substring)] = []
    var isList = false
    for (index, line) in file.lines.enumerated() {
      let text = line.drop { $0 == " " }
      if text.hasPrefix("///") {
        if let name = text.firstMatch(of: #/^\/\/\/ - Parameter (\w+):/#)?.1 {
          names.append((index, name))
        } else if isList, let name = text.firstMatch(of: #/^\/\/\/   - (\w+):/#)?.1 {
          names.append((index, name))
        }
        if text.hasPrefix("/// - ") { isList = text.hasPrefix("/// - Parameters:") }
        continue
      }
      isList = false
      guard !names.isEmpty else { continue }
      let declaration = file.lines[index...].prefix(14).joined(separator: " ")
      let found = Set(declaration.matches(of: #/(\w+)\s*:/#).map(\.1))
      findings += names.filter { !found.contains($0.name) }.map {
        "\(file.path):\($0.line + 1): \($0.name)"
      }
      names = []
    }
    return findings
  }

  @Test func `documented parameters exist`() {
    #expect(Repository.texts(under: "Sources", type: "swift").flatMap(Self.staleParameters) == [])
  }

  @Test func `a documented parameter that does not exist is reported`() {
    let text = """
      /// Does.
      ///
      /// - Parameters:
      ///   - a: One.
      ///   - b: Two.
      /// - Throws: Never.
      func f(a: Int) {}
      /// - Parameter c: Three.
      func g(b c: Int) {}
      """
    #expect(Self.staleParameters(TextFile(path: "a.swift", text: text)) == ["a.swift:5: b"])
  }

  @Test func `a filter and its parameters may be documented by their schema`() {
    let text = """
      public struct A: Filter {
        public static let schema = FilterSchema<Self>(
          "a", "Does.", parameters: [Parameter("b", \\.b, "Is.")])
        public var b = 1
        public var c = 2
      """
    #expect(
      Self.undocumented(TextFile(path: "a.swift", text: text)) == ["a.swift:5: public var c = 2"])
    #expect(
      Self.undocumented(TextFile(path: "a.swift", text: "public struct A: Filter {")).count == 1)
  }

  /// The lines of a text without their indentation, and without empty ones.
  private static func code(_ lines: some Sequence<some StringProtocol>) -> [String] {
    lines.map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
  }

  /// Returns whether the lines of a block occur unchanged in a source.
  private static func isCompiled(_ lines: [String], in source: [String]) -> Bool {
    guard let first = lines.first, lines.count <= source.count else { return false }
    return source.indices.contains { index in
      source[index] == first && source[index...].starts(with: lines)
    }
  }

  @Test func `every Swift block of the documentation occurs in a compiled and executed source`() {
    let sources = ["Tools/consumer/", "Tests/"].flatMap { folder in
      Repository.texts.filter { $0.path.hasPrefix(folder) && $0.type == "swift" }
    }.filter { $0.path.hasSuffix("SnippetTests.swift") || $0.path.hasSuffix("/main.swift") }
    let codes = sources.map { Self.code($0.lines) }
    let blocks = Fence.all.filter { $0.kind == "swift" }
    #expect(blocks.count >= 4)
    for block in blocks {
      let lines = Self.code(block.lines)
      #expect(
        codes.contains { Self.isCompiled(lines, in: $0) },
        "\(block): put its lines unchanged into a test in a file '…SnippetTests.swift'")
    }
  }

  @Test func `a block that differs from its source is reported`() {
    let source = Self.code(["let a = 1", "", "  f(a)", "g()"])
    #expect(Self.isCompiled(Self.code(["  let a = 1", "f(a)"]), in: source))
    #expect(!Self.isCompiled(Self.code(["let a = 1", "f(b)"]), in: source))
    #expect(!Self.isCompiled(Self.code(["let a = 1", "g()"]), in: source))
    #expect(!Self.isCompiled([], in: source))
  }

  @Test func `every fenced block declares its language`() {
    // `Tests/Interface/run` compiles and runs the blocks of C and Python.
    let kinds = ["", "swift", "sh", "console", "c", "python"]
    for block in Fence.all {
      #expect(kinds.contains(block.kind), "\(block): '\(block.kind)'")
      let isCommand = block.lines.contains { $0.hasPrefix("$ ") || $0.hasPrefix("photoedit ") }
      #expect(
        !block.kind.isEmpty || !isCommand, "\(block): commands belong in blocks of sh or console")
    }
  }
}
