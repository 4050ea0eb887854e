// SPDX-License-Identifier: Apache-2.0
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Exclusion patterns")
struct ExclusionPatternTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
  }

  @Test(
    arguments: [
      ("*.tmp", "a.tmp", true), ("*.tmp", "x/y/a.tmp", true), ("*.tmp", "a.TMP", false),
      ("*.tmp", "a.tmp.jpg", false), ("a?.jpg", "aé.jpg", true), ("a?.jpg", "a.jpg", false),
      ("[a-c]*", "x/bird.jpg", true), ("[!a-c]*", "x/bird.jpg", false), ("[]x]", "]", true),
      ("[a", "[a", true), (#"\*.jpg"#, "*.jpg", true), (#"\*.jpg"#, "a.jpg", false),
      ("x/*.jpg", "x/a.jpg", true), ("x/*.jpg", "y/x/a.jpg", false),
      ("x/*.jpg", "x/y/a.jpg", false), ("/a.jpg", "a.jpg", true), ("/a.jpg", "x/a.jpg", false),
      ("**/raw/*", "a/b/raw/c.dng", true), ("**/raw/*", "raw/c.dng", true),
      ("x/**", "x/a/b.jpg", true), ("x/**/b.jpg", "x/b.jpg", true), ("*", "a/b", true),
      ("x/\u{301}a", "x/\u{301}a", true), ("\u{301}a", "x/\u{301}a", true),
      ("small/", "small", false), ("a*b*c*d", "abcabcabc", false), ("a*b*c*d", "axbxcxcd", true),
    ])
  func `patterns match names and paths`(_ pattern: String, _ path: String, _ isMatch: Bool) throws {
    let found = try #require(ExclusionPattern(pattern))
    #expect(found.matches(path, isFolder: false) == isMatch)
  }

  @Test func `a pattern with a slash at its end matches folders only`() throws {
    let pattern = try #require(ExclusionPattern("small/"))
    #expect(pattern.matches("x/small", isFolder: true))
    #expect(!pattern.matches("x/small", isFolder: false))
  }

  @Test(arguments: ["", "/", "//", "!a.jpg"])
  func `texts without a name and negations are refused`(_ text: String) {
    #expect(ExclusionPattern(text) == nil)
  }

  @Test(.timeLimit(.minutes(5)))
  func `no pattern takes exponential time`() throws {
    let pattern = try #require(ExclusionPattern(String(repeating: "*a", count: 500) + "b"))
    #expect(!pattern.matches(String(repeating: "a", count: 4000), isFolder: false))
  }

  @Test func `excluded files and folders are reported and counted`() throws {
    for (index, name) in ["a.jpg", "b_small.jpg", "raw/c.jpg", "raw/d.jpg", "x/raw/e.jpg"]
      .enumerated()
    {
      try write(try ImageFile().jpeg(index), name)
    }
    let report = run([source.path, source.path("b_small.jpg")]) {
      $0.exclusions = ["*_small.jpg", "/raw"].compactMap { ExclusionPattern($0) }
    }
    #expect(
      outcomes(report) == [
        "a.jpg": .imported, "b_small.jpg": .skipped, "raw": .skipped, "x/raw/e.jpg": .imported,
      ])
    #expect(lines(report)["raw"]?.reason == "excluded by “/raw”")
    #expect(report.excludedCount == 2 && report.assetCount == 2)
  }
}
