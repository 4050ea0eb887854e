// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers
import Testing

@Suite("Reading JSON")
struct JSONParsingTests {
  @Test func `every kind of value is read`() throws {
    let value = try parse(
      """
      { "null": null, "yes": true, "no": false, "text": "é\\u00e9",
        "list": [ 1, -2.5, 3e2, [] ], "empty": {} }
      """)
    #expect(
      value
        == .object([
          "null": .null, "yes": true, "no": false, "text": "éé",
          "list": [1, -2.5, 300, []], "empty": [:],
        ]))
  }

  @Test(arguments: [
    ("\"\\u0041\\b\\f\\n\\r\\t\\\"\\\\\\/\"", "A\u{8}\u{C}\n\r\t\"\\/"),
    ("\"\\ud83D\\uDE00\"", "😀"),
    ("\"\\uDBFF\\uDFFF\"", "\u{10FFFF}"),
    ("\"\\u0000\"", "\0"),
    ("\"\u{7F}\u{FFFF}\u{FEFF}\"", "\u{7F}\u{FFFF}\u{FEFF}"),
    ("\"\"", ""),
  ])
  func `escapes in a string become their characters`(source: String, expected: String) throws {
    #expect(try parse(source) == .string(expected))
  }

  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("-0.0e5", 0), ("123", 123), ("-1.5e-3", -0.0015), ("1E+2", 100),
      ("999999999999999", 999_999_999_999_999), ("9007199254740991", 0x1p53 - 1),
      ("9007199254740992", 0x1p53), ("9007199254740994", 0x1p53 + 2),
      ("-9007199254740992", -0x1p53), ("100000000000000000000000", 1e23),
      ("18446744073709552000", 0x1p64), ("0.1", 0.1), ("5e-324", Double.leastNonzeroMagnitude),
      ("2.4703282292062328e-324", Double.leastNonzeroMagnitude),
      ("1.7976931348623157e308", Double.greatestFiniteMagnitude),
      ("1.00000000000000011102230246251565404236316680908203125", 1),
      ("1.00000000000000011102230246251565404236316680908203126", 1.0.nextUp),
    ] as [(String, Double)])
  func `a number is the nearest float to its digits`(source: String, expected: Double) throws {
    let value = try #require(try parse(source).numberValue)
    #expect(value.bitPattern == expected.bitPattern)
  }

  @Test(
    arguments: [
      ("", "JSON text is empty; expected a value"),
      (" \n\t\r", "JSON text is empty; expected a value"),
      ("{\"a\":1,\n \"b\":2,\n \"a\":3}", "line 3, column 2: duplicate name \"a\""),
      ("{\"a\":1,\"\\u0061\":1}", "line 1, column 8: duplicate name \"a\""),
      ("{\"é\":1,\"e\u{301}\":1}", "line 1, column 8: duplicate name \"e\u{301}\""),
      ("{\"\\u001b[2J\":1,\"\\u001b[2J\":1}", "duplicate name \"\\u001b[2J\""),
      ("[1,]", "line 1, column 3: trailing comma before the closing bracket"),
      ("{\"a\":1 , }", "line 1, column 8: trailing comma before the closing bracket"),
      ("[,1]", "line 1, column 2: found \",\", expected a value"),
      ("[1 2]", "line 1, column 4: found \"2\", expected a comma or \"]\""),
      ("[1}", "found \"}\", expected a comma or \"]\""),
      ("{\"a\" 1}", "found \"1\", expected a colon"),
      ("{a:1}", "found \"a\", expected a name in double quotes"),
      ("['a']", "found \"'\", expected a value"),
      ("[“a”]", "found \"“\", expected a value"),
      ("// note\n1", "found \"/\", expected a value"),
      ("[True]", "found \"True\", expected a value"),
      ("nullx", "found \"nullx\", expected a value"),
      ("[1] [2]", "line 1, column 5: found \"[\" after the value"),
      ("1\u{0}", "UTF-16"),
      ("[1]\u{0}", "found \"\\u0000\" after the value"),
      ("007", "line 1, column 1: leading zeros are not allowed"),
      ("-01", "leading zeros are not allowed"),
      ("[+1]", "found \"+\", expected a value"),
      (".5", "found \".\", expected a value"),
      ("[1.]", "found \"]\", expected a digit"),
      ("[1e+]", "found \"]\", expected a digit"),
      ("-", "unexpected end of JSON text, expected a digit"),
      ("0x10", "found \"x10\" after the value"),
      ("NaN", "\"NaN\" is not a JSON number"),
      ("[-Infinity]", "line 1, column 2: \"-Infinity\" is not a JSON number"),
      ("nan", "\"nan\" is not a JSON number"),
      ("1e309", "number \"1e309\" is out of the range of a 64-bit float"),
      ("-1e999999999999", "is out of the range of a 64-bit float"),
      ("1e-400", "number \"1e-400\" is out of the range of a 64-bit float"),
      ("9007199254740993", "cannot represent \"9007199254740993\" exactly"),
      ("-9007199254740993", "cannot represent \"-9007199254740993\" exactly"),
      ("18446744073709551616", "cannot represent \"18446744073709551616\" exactly"),
      ("\"\\ud800\"", "line 1, column 2: \\ud800 is an unpaired surrogate"),
      ("\"\\udc00\"", "\\udc00 is an unpaired surrogate"),
      ("\"\\ud800\\n\"", "\\ud800 is an unpaired surrogate"),
      ("\"\\ud800\\u0041\"", "\\ud800 is an unpaired surrogate"),
      ("\"\\ud800\\ud800\"", "\\ud800 is an unpaired surrogate"),
      ("\"a\nb\"", "line 1, column 3: control character U+000a must be escaped"),
      ("\"a\u{0}b\"", "control character U+0000"),
      ("\"\\x\"", "found \"x\", expected one of \" \\ / b f n r t u after a backslash"),
      ("\"\\u12G4\"", "found \"G4\", expected four hexadecimal digits after \\u"),
      ("\"abc", "line 1, column 5: unexpected end of JSON text, expected the closing quote"),
      ("[1", "line 1, column 3: unexpected end of JSON text, expected a comma or \"]\""),
      ("\u{FEFF}[]", "starts with a byte order mark"),
    ] as [(String, String)])
  func `errors report the position and the reason`(source: String, expected: String) {
    let error = #expect(throws: JSONError.self) { try parse(source) }
    #expect(error?.description.contains(expected) == true, "\(error?.description ?? "accepted")")
  }

  @Test(
    arguments: [
      ([0xFF, 0xFE, 0x5B, 0, 0x5D, 0], "UTF-16"), ([0xFE, 0xFF, 0, 0x5B, 0, 0x5D], "UTF-16"),
      ([0x5B, 0, 0x5D, 0], "UTF-16"), ([0, 0x5B, 0, 0x5D], "UTF-16"), ([0x31, 0], "UTF-16"),
      ([0xFF, 0xFE, 0, 0, 0x31, 0, 0, 0], "UTF-32"), ([0, 0, 0xFE, 0xFF, 0, 0, 0, 0x31], "UTF-32"),
      ([0x31, 0, 0, 0], "UTF-32"), ([0, 0, 0, 0x31], "UTF-32"),
    ] as [([UInt8], String)])
  func `other encodings are recognized by name`(bytes: [UInt8], name: String) {
    #expect(throws: JSONError.wrongEncoding(name: name)) { try JSONValue(parsing: bytes) }
  }

  @Test(
    arguments: [
      [0x80], [0xC3], [0xC0, 0xAF], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFF],
    ] as [[UInt8]])
  func `bytes that are not UTF-8 are rejected with their position`(bad: [UInt8]) {
    let text = Array("[\n\"é\\n".utf8) + bad + Array("\"]".utf8)
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    #expect(error?.description == "line 2, column 5: invalid UTF-8")
    #expect(throws: JSONError.self) { try JSONValue(parsing: bad) }
  }

  @Test(arguments: 0..<UInt8(0x20))
  func `a control character in a string must be an escape`(byte: UInt8) throws {
    #expect(throws: JSONError.self) { try JSONValue(parsing: [0x22, 0x61, byte, 0x22]) }
    let escaped = "\"a\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16) + "\""
    #expect(try parse(escaped).stringValue?.utf8.last == byte)
  }

  @Test func `borrowed memory is read like an array`() throws {
    let text = Array("{\"a\":[1,2]}".utf8)
    let value = try text.withUnsafeBytes { try JSONValue(parsing: $0) }
    #expect(value == ["a": [1, 2]])
    let limits = JSONLimits(maximumBytes: 5)
    #expect(throws: JSONError.tooLarge(bytes: text.count, maximum: 5)) {
      try text.withUnsafeBytes { try JSONValue(parsing: $0, limits: limits) }
    }
  }

  @Test func `equality compares code units, not glyphs`() {
    #expect(JSONValue.string("é") != .string("e\u{301}"))
    #expect(JSONValue.object(["é": 1]) != .object(["e\u{301}": 1]))
    #expect(JSONValue.number(0) == .number(-0.0))
    #expect(
      Set<JSONValue>([["a": 1, "b": 2], ["b": 2, "a": 1], .number(0), .number(-0.0)]).count == 2)
  }

  @Test func `a value is requested by its kind`() {
    let value: JSONValue = ["n": 3, "f": 2.5, "s": "x", "b": true, "a": [1], "z": .null]
    #expect(value["n"]?.integerValue == 3)
    #expect(value["f"]?.integerValue == nil)
    #expect(value["f"]?.numberValue == 2.5)
    #expect(value["s"]?.stringValue == "x")
    #expect(value["b"]?.boolValue == true)
    #expect(value["b"]?.numberValue == nil)
    #expect(value["a"]?.arrayValue == [1])
    #expect(value["z"]?.isNull == true)
    #expect(value["missing"] == nil)
    #expect(JSONValue.number(1e300).integerValue == nil)
    #expect(value["s"]?["x"] == nil)
    #expect(value.kind == "an object")
  }
}
