// SPDX-License-Identifier: Apache-2.0
internal import PhotoEditContainers
import PhotoEditPlatform
import Testing

@testable import PhotoEditCommandLine

@Suite("Printable text")
struct PrintableTests {
  @Test(arguments: [
    ("plain", "plain"),
    ("", ""),
    ("\u{1b}[2J\u{7}", #"\x1b[2J\x07"#),
    ("a\nb\r\nc\td", #"a\nb\r\nc\td"#),
    ("\u{0}\u{7f}\u{9b}31m\u{85}", #"\x00\x7f\x9b31m\x85"#),
    ("photo\u{202e}gpj.exe", #"photo\u{202e}gpj.exe"#),
    ("\u{2066}x\u{2069}\u{200f}\u{61c}", #"\u{2066}x\u{2069}\u{200f}\u{61c}"#),
    ("\u{2028}\u{2029}", #"\u{2028}\u{2029}"#),
    ("Grüße 写真 👩‍👩‍👧 e\u{301}", "Grüße 写真 👩‍👩‍👧 e\u{301}"),
  ])
  func `characters that could move the cursor are escaped`(text: String, expected: String) {
    #expect(Array(printable(text).unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test func `every scalar is kept or escaped as ASCII`() {
    for value in 0...0x10ffff as ClosedRange<UInt32> {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let shown = printable(String(scalar)).unicodeScalars
      if scalar.steersDisplay {
        #expect(shown.allSatisfy { (0x20..<0x7f).contains($0.value) })
      } else if Array(shown) != [scalar] {
        Issue.record("U+\(String(value, radix: 16)) was changed")
      }
    }
  }

  @Test func `a hostile file name cannot forge lines or colors in an error`() {
    let name = "x\u{1b}[2K\rpaint: all good\n\u{202e}"
    for words in [["brush", "a", "--size", name], [name], ["brush", "a", "--" + name]] {
      let error = SampleRun(words).error
      #expect(!error.unicodeScalars.contains { $0 != "\n" && $0.steersDisplay })
      #expect(error.contains(#"x\x1b[2K\rpaint: all good\n\u{202e}"#))
      #expect(!error.split(separator: "\n").contains { $0.hasPrefix("paint: all good") })
    }
    #expect(SampleRun(["brush", name]).output == "painted " + printable(name) + "\n")
  }

  @Test func `the Big List of Naughty Strings stays on one line, as values and as names`() {
    // The Big List of Naughty Strings if its folder is named, and always the worst examples.
    let folder = getenv("PHOTOEDIT_CORPORA").map { String(cString: $0) }
    let list = folder.flatMap { fileText($0 + "/naughty-strings/blns.txt") }
    let lines = (list ?? "").split(separator: "\n").map(String.init)
    let own = ["\u{0}", "\u{feff}", "%s%n", "$(touch x)", "Ω≈ç√", "\u{202a}t\u{202b}", "\r\n"]
    for text in lines + own {
      #expect(!printable(text).unicodeScalars.contains { $0.steersDisplay })
      _ = SampleRun([text])
      _ = SampleRun(["brush", text, "--size", text, "--" + text, "-" + text])
      #expect((try? BrushCommand.parse(["--tag=" + text, "x"]))?.tags == [text])
    }
  }

  @Test func `JSON text escapes unsafe characters and keeps the rest`() {
    let text = "a\"b\\c\n\u{1b}\u{202e}\u{7f}é"
    #expect(JSONText.string(text).line == #""a\"b\\c\n\u001b\u202e\u007fé""#)
  }
}

/// Reads a small text file; nil if absent.
private func fileText(_ path: String) -> String? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 4096)
  while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
    bytes += chunk[..<count]
  }
  return String(decoding: bytes, as: UTF8.self)
}
