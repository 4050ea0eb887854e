// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("Language of the project")
struct LanguageTests {
  @Test func `comments and messages use standard terms`() {
    let files = Repository.texts(under: "Sources", type: "swift")
    #expect(files.count > 100)
    #expect(files.flatMap(LanguageRules.proseFindings) == [])
  }

  @Test func `identifiers use standard terms`() {
    let files = Repository.texts.filter { file in
      ["Sources/", "Tests/"].contains(where: file.path.hasPrefix)
        && ["swift", "c", "h"].contains(file.type)
        && !file.path.hasSuffix("/LanguageTests.swift")
    }
    #expect(files.count > 1000)
    #expect(files.flatMap(LanguageRules.identifierFindings) == [])
  }

  @Test func `identifiers of scripts and of the page use standard terms`() {
    let files = Repository.texts.filter { file in
      ["py", "js"].contains(file.type) || file.lines.first?.hasPrefix("#!/bin/sh") == true
    }
    #expect(files.count > 90)
    #expect(files.flatMap(LanguageRules.scriptFindings) == [])
  }

  @Test func `pages use standard terms`() {
    let pages = Repository.texts.filter { $0.type == "md" && $0.path != "CHANGELOG.md" }
    #expect(pages.count > 10)
    #expect(pages.flatMap(LanguageRules.pageFindings) == [])
  }

  @Test func `names of tests are sentences without codes`() {
    #expect(
      Repository.texts(under: "Tests", type: "swift").flatMap(LanguageRules.testFindings) == [])
  }

  @Test func `banned words are found in comments, messages and names`() {
    func lines(_ text: String) -> TextFile { TextFile(path: "Sources/A/B.swift", text: text) }
    func prose(_ text: String) -> Int { LanguageRules.proseFindings(in: lines(text)).count }
    #expect(prose("/// Reads a picture.") == 1)
    #expect(prose("/// What is read.") == 1)
    #expect(prose("/// The image,\n/// what is read.") == 0)
    #expect(prose("let a = \"\"\"\n  the centre\n  \"\"\"\nlet centre = a") == 1)
    #expect(prose("throw .bad(\"the \\(name) is none\")") == 1)
    #expect(prose("let pictures = images[\"pictures\"]") == 0)
    #expect(prose("/// A `picture` of the Multi-Picture Format with a neighbouring image") == 1)
    let code = lines("let isPictureGone = told(\"told\", to: Fated()) // told\n// told")
    #expect(LanguageRules.identifierFindings(in: code).count == 1)
    #expect(LanguageRules.identifierFindings(in: lines("let pictured = MultiPictureIndex()")) == [])
    #expect(LanguageRules.identifierFindings(in: lines("fun" + "c `told`() {}")) != [])
    let quoted = "fun" + "c `a file is cut`() {}\n/* cut */\nlet a = #\"{\"cut\": 1}\"# // cut"
    #expect(LanguageRules.identifierFindings(in: lines(quoted)) == [])
    let script = "const isPictureGone = picture; // told\n# told\nwanted='told' # told"
    #expect(LanguageRules.scriptFindings(in: lines(script)).count == 2)
    let names = lines("fun" + "c `T1, T2: a title is kept`() {}\nfunc `a title is kept`() {}")
    #expect(LanguageRules.testFindings(in: names).count == 1)
    let page = TextFile(path: "A.md", text: "The centre.\n```\nthe centre\n```\nThe center.")
    #expect(LanguageRules.pageFindings(in: page).count == 1)
  }
}
