// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("Source rules")
struct SourceTests {
  @Test func `every source file begins with the license line`() {
    #expect(Repository.texts.flatMap(SourceRules.licenseFindings) == [])
  }

  @Test func `sources contain no forced crashes and no unfinished work`() {
    let files = Repository.texts(under: "Sources")
    #expect(files.count > 20)
    #expect(files.flatMap(SourceRules.wordFindings) == [])
  }

  @Test func `every concurrency opt-out has a comment with the reason`() {
    #expect(Repository.texts(under: "Sources").flatMap(SourceRules.unsafeFindings) == [])
  }

  @Test(arguments: [
    ("a.swift", "", false), ("a.swift", "import Glibc\n", false),
    ("a.swift", "\n// SPDX-License-Identifier: Apache-2.0", false),
    ("a.swift", "// SPDX-License-Identifier: MIT\n", false),
    ("a.swift", "# SPDX-License-Identifier: Apache-2.0", false),
    ("a.swift", "// SPDX-License-Identifier: Apache-2.0\nimport Glibc", true),
    ("a.c", "// SPDX-License-Identifier: Apache-2.0\n", true),
    ("a.c", "// swift-tools-version: 6.2\n", false),
    ("Package.swift", "// swift-tools-version: 6.2\n// SPDX-License-Identifier: Apache-2.0", true),
    ("a.sh", "#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n", true),
    ("a.sh", "#!/bin/sh\nset -e\n", false),
    ("README.md", "# photoedit", true), ("LICENSE", "Apache", true),
  ])
  func `a missing license line is reported`(path: String, text: String, isGood: Bool) {
    #expect(SourceRules.licenseFindings(in: TextFile(path: path, text: text)).isEmpty == isGood)
  }

  @Test(arguments: [
    "let a = try! f()", "let b = a as! Int", "default: fatalError(\"no\")", "// TODO: later",
    "/* FIXME */", ".unsafeFlags([])",
  ])
  func `a forbidden word is reported with its line number`(line: String) {
    let file = TextFile(path: "Sources/A/a.swift", text: "// SPDX\n\(line)\r\nlet c = try? f()")
    #expect(
      SourceRules.wordFindings(in: file).map { $0.hasPrefix("Sources/A/a.swift:2: ") } == [true])
  }

  @Test(arguments: [
    ("final class A: @unchecked Sendable {}", false),
    ("\n  nonisolated(unsafe) let a: Int", false),
    ("//\nnonisolated(unsafe) let a: Int", false),
    ("// SPDX-License-Identifier: Apache-2.0\nnonisolated(unsafe) let a = 1", false),
    ("/// Written once.\n\nnonisolated(unsafe) let a: Int", false),
    ("/// Written once.\nnonisolated(unsafe) let a: Int", true),
    ("final class A: @unchecked Sendable {}  // Guarded by the lock.", true),
    ("final class A: Sendable {}", true),
  ])
  func `a concurrency opt-out without a reason is reported`(text: String, isGood: Bool) {
    let file = TextFile(path: "Sources/A/a.swift", text: text)
    #expect(SourceRules.unsafeFindings(in: file).isEmpty == isGood)
  }
}
