// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("Paths and modules named in pages")
struct MapTests {
  /// The pages that describe the repository as it is, unlike the changelog.
  private static let pages = Repository.texts.filter {
    $0.type == "md" && $0.path != "CHANGELOG.md"
  }

  private static func page(_ path: String) throws -> TextFile {
    try #require(pages.first { $0.path == path })
  }

  /// The paths in a page at which nothing is, and source file names that do not identify one file.
  private static func wrongPaths(_ page: TextFile, among files: [String]) -> [String] {
    page.findings { line in
      let paths = line.matches(of: /`((?:Sources|Tests|Tools|TestImages)\/[\w\/+.-]+)`/).map(\.1)
      let names = line.matches(of: /`([\w+]+\.swift)`/).map(\.1).filter { $0 != "Package.swift" }
      // Images are not among the text files.
      let wrong =
        paths.filter { !$0.hasSuffix(".jpg") && !isPresent($0, among: files) }
        + names.filter { name in files.count { $0.hasSuffix("/\(name)") } != 1 }
      return wrong.isEmpty ? nil : wrong.joined(separator: ", ")
    }
  }

  /// Returns whether a path is a file or folder; the folder of a file that the reader creates must
  /// contain files of the same type.
  private static func isPresent(_ path: Substring, among files: [String]) -> Bool {
    guard path.contains("/Your"), let slash = path.lastIndex(of: "/") else {
      return files.contains { $0 == path || $0.hasPrefix(path + "/") }
    }
    let folder = path[...slash]
    return files.contains { file in
      file.hasPrefix(folder) && !file.dropFirst(folder.count).contains("/")
        && file.split(separator: ".").last == path.split(separator: ".").last
    }
  }

  @Test func `every path named in a page exists, and every file name identifies one file`() {
    let files = Repository.texts.map(\.path)
    #expect(Self.pages.count > 20)
    #expect(Self.pages.flatMap { Self.wrongPaths($0, among: files) } == [])
  }

  @Test(arguments: [
    ("`Sources/A/a.swift` and `Sources/A`", true), ("`Sources/A/b.swift`", false),
    ("`a.swift`", true), ("`b.swift`", false), ("`c.swift`", false),
    ("`Sources/A/YourFilter.swift`", true), ("`Sources/A/YourRow.py`", false),
    ("`Sources/YourFilter.swift`", false),
  ])
  func `a path or a name that leads nowhere is reported`(line: String, isGood: Bool) {
    let files = ["Sources/A/a.swift", "Sources/B/c.swift", "Sources/D/c.swift"]
    let page = TextFile(path: "a.md", text: line)
    #expect(Self.wrongPaths(page, among: files).isEmpty == isGood)
  }

  @Test func `the table of modules names every module, the lowest layers first`() throws {
    let named = try Self.page("CONTRIBUTING.md").lines.filter { $0.hasPrefix("| `") }.flatMap {
      ($0.split(separator: "|").first ?? "").matches(of: /`(PhotoEdit\w*)`/)
        .map { String($0.1) }
    }
    #expect(Set(named) == Set(ImportRules.levels.keys.filter { $0.hasPrefix("PhotoEdit") }))
    let levels = named.compactMap { ImportRules.levels[$0] }
    #expect(levels == levels.sorted())
  }

  @Test func `the overview lists the title of every decision record in order`() throws {
    let folder = "Sources/PhotoEdit/PhotoEdit.docc"
    let titles = Self.pages.filter { $0.path.hasPrefix("\(folder)/Decisions/") }
      .sorted { $0.path < $1.path }
      .compactMap { $0.lines.first?.dropFirst(2).replacing(":", with: "", maxReplacements: 1) }
    let listed = try Self.page("\(folder)/PhotoEdit.md").lines
      .filter { $0.contains(/^\* \d{4}\s/) }.map { $0.dropFirst(2) }
    #expect(titles.count > 40 && titles.map(String.init) == listed.map(String.init))
  }

  @Test func `the decision record has every module at its level`() throws {
    let page = "Sources/PhotoEdit/PhotoEdit.docc/Decisions/0001-module-layout.md"
    var levels: [String: Int] = [:]
    for line in try Self.page(page).lines {
      guard let row = line.firstMatch(of: /^\| (\d) \|/), let level = Int(row.1) else { continue }
      for name in line.matches(of: /`(PhotoEdit\w*)`/) { levels[String(name.1)] = level }
    }
    #expect(levels == ImportRules.levels.filter { $0.key.hasPrefix("PhotoEdit") })
  }

  @Test func `the manifest lists every module below the comment of its level`() throws {
    var levels: [String: Int] = [:]
    var level: Int?
    for line in try #require(Repository.manifest).lines {
      if line.hasPrefix("    // ") {
        if let text = line.firstMatch(of: /^    \/\/ Level (\d):/) { level = Int(text.1) }
        if line.hasPrefix("    // For contributors") { level = nil }
      } else if let level,
        let name = line.firstMatch(of: /^ {4}(?:  |module\(|\.target\()(?:name: )?"(\w+)"/)
      {
        levels[String(name.1)] = level
      }
    }
    // The C target that other C targets may use is listed with them.
    #expect(levels == ImportRules.levels.mapValues { max($0, 0) })
  }
}
