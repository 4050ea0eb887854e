// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers
import Testing

@Suite("Pretty-printed JSON")
struct JSONPrettyTests {
  private let document: JSONValue = [
    "version": "1.0", "nodes": [["id": "m1", "in": [], "center": [0.5, 0.4]]], "ext": [:],
    "names": ["a", "b"], "mixed": [1, "a"], "on": true, "none": .null,
  ]

  @Test func `members are one per line and pairs of numbers on one line`() {
    #expect(
      document.prettyPrinted() == """
        {
          "ext": {},
          "mixed": [
            1,
            "a"
          ],
          "names": [
            "a",
            "b"
          ],
          "nodes": [
            {
              "center": [0.5, 0.4],
              "id": "m1",
              "in": []
            }
          ],
          "none": null,
          "on": true,
          "version": "1.0"
        }
        """)
    #expect(
      JSONValue.object(["a": ["b": 1]]).prettyPrinted(indent: 4).contains("\n        \"b\": 1"))
  }

  @Test func `a long list of numbers is wrapped`() {
    let short = JSONValue.array(Array(repeating: 0.125, count: 10)).prettyPrinted()
    #expect(!short.contains("\n"))
    let long = JSONValue.array(Array(repeating: 0.125, count: 11)).prettyPrinted()
    #expect(long.split(separator: "\n").count == 13)
  }

  @Test func `terminal control characters are escaped`() throws {
    let hostile = "\u{1B}[2J\u{9B}1m\u{7F}\u{202E}gpj\u{2066}\u{2028}\u{85}\u{FEFF}\u{E0041}é👨‍👩‍👧"
    let text = JSONValue.object([hostile: .string(hostile)]).prettyPrinted()
    let unsafe = text.unicodeScalars.filter {
      $0 != "\n" && $0 != "\u{200D}"
        && ($0.properties.generalCategory == .control || $0.properties.generalCategory == .format)
    }
    #expect(unsafe.isEmpty)
    #expect(text.contains("é👨‍👩‍👧"))
    #expect(text.contains(#"\u001b[2J\u009b1m\u007f\u202egpj\u2066\u2028\u0085\ufeff\udb40\udc41"#))
    #expect(try parse(text) == .object([hostile: .string(hostile)]))
  }

  @Test func `non-finite numbers become null`() {
    #expect(JSONValue.array([.number(.nan), 1]).prettyPrinted() == "[null, 1]")
  }
}
