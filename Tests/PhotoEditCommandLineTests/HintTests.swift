// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import Testing

@Suite("Hints")
struct HintTests {
  @Test(arguments: [
    ("use --force to overwrite it, or -o for another path", ["--force", "-o"]),
    ("free disk space and try again", []),
    ("a half-way house; '-' is standard input, and 1-2 is a range", []),
    ("use --favorite, --title, …", ["--favorite", "--title"]),
    ("-o DIR/", ["-o"]),
  ])
  func `the options in a text are found`(_ text: String, _ options: [String]) {
    #expect(Hint.options(in: text) == options)
  }

  @Test(arguments: [
    ("use --force to overwrite it, or -o for another path", "-o for another path"),
    ("change the permissions, or write with --elsewhere", "change the permissions"),
    ("use --force", nil),
    ("run 'other --force', or `another --force`", "run 'other --force', or `another --force`"),
    ("the library's --force", nil),
    ("try again", "try again"),
  ])
  func `a command shows only the alternatives it supports`(_ hint: String, _ shown: String?) {
    #expect(Hint.fitting(hint, options: ["-o", "--output"]) == shown)
  }

  @Test func `an option that another flag refuses is not advised`() {
    let hint = "use --lenient to render what could be decoded"
    let options: Set<String> = ["--lenient", "--strict"]
    #expect(Hint.fitting(hint, options: options) == hint)
    #expect(Hint.fitting(hint, options: options, given: ["--strict"]) == nil)
    #expect(Hint.fitting(hint, options: options, given: ["--lenient"]) == nil)
  }

  @Test func `quotations are distinguished from apostrophes`() {
    #expect(Hint.quotations(in: "the library's 'asset list' and `b -c`") == ["asset list", "b -c"])
  }
}
