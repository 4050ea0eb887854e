// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers
import PhotoEditTestSupport
import Testing

@Suite("Canonical JSON", .seeded)
struct JSONCanonicalTests {
  @Test func `the example of RFC 8785, section 3.2.2, gives its bytes`() throws {
    let value = try parse(
      #"""
      {
        "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
        "literals": [null, true, false]
      }
      """#)
    let expected =
      #"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"#
      + #""string":"€$\u000f\nA'B\"\\\\\"/"}"#
    #expect(try canonical(value) == expected)
    #expect(try Array(expected.utf8) == value.canonicalBytes())
  }

  @Test func `names are sorted by UTF-16 code units as in RFC 8785, section 3.2.3`() throws {
    let value = try parse(
      #"""
      {"\u20ac": "Euro Sign", "\r": "Carriage Return",
       "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
       "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control",
       "\u00f6": "Latin Small Letter O With Diaeresis"}
      """#)
    let expected =
      "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u{80}\":\"Control\","
      + "\"\u{F6}\":\"Latin Small Letter O With Diaeresis\",\"\u{20AC}\":\"Euro Sign\","
      + "\"\u{1F600}\":\"Emoji: Grinning Face\","
      + "\"\u{FB33}\":\"Hebrew Letter Dalet With Dagesh\"}"
    #expect(try value.canonicalBytes() == Array(expected.utf8))
  }

  @Test func `names are sorted by code unit and not by language`() throws {
    let value: JSONValue = [
      "b": 1, "a": 2, "B": 3, "": 4, "aa": 5, "é": 6, "z": 7, "10": 8, "9": 9,
    ]
    #expect(
      try canonical(value)
        == #"{"":4,"10":8,"9":9,"B":3,"a":2,"aa":5,"b":1,"z":7,"é":6}"#)
  }

  @Test func `only quotes, backslashes and control characters are escaped`() throws {
    let all = String(
      String.UnicodeScalarView((0...0x7F).compactMap { Unicode.Scalar($0 as UInt32) }))
    let expected =
      #""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f"#
      + #"\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d"#
      + ##"\u001e\u001f !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`"##
      + "abcdefghijklmnopqrstuvwxyz{|}~\u{7F}\""
    #expect(try canonical(.string(all)) == expected)
    #expect(try canonical("\u{2028}😀é/") == "\"\u{2028}😀é/\"")
  }

  @Test func `strings are never normalized`() throws {
    #expect(try JSONValue.string("e\u{301}").canonicalBytes() == [0x22, 0x65, 0xCC, 0x81, 0x22])
    #expect(try JSONValue.string("\u{E9}").canonicalBytes() == [0x22, 0xC3, 0xA9, 0x22])
  }

  @Test func `minus zero becomes zero and white space is removed`() throws {
    #expect(try canonical(.number(-0.0)) == "0")
    #expect(
      try canonical(parse(" { \"b\" : [ 1 , -0.0 ] , \"a\" : { } } ")) == #"{"a":{},"b":[1,0]}"#)
  }

  @Test func `a random value round-trips with stable bytes`() throws {
    var random = SeededNumbers()
    for _ in 0..<1_500 {
      let value = random.value(depth: 5)
      let bytes = try value.canonicalBytes()
      let again = try JSONValue(parsing: bytes)
      #expect(again == value)
      #expect(again.hashValue == value.hashValue)
      #expect(try again.canonicalBytes() == bytes)
      let pretty = try parse(value.prettyPrinted())
      #expect(try pretty.canonicalBytes() == bytes)
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `a number that is not finite is rejected with its path`(value: Double) {
    let document: JSONValue = ["nodes": [1, ["params": ["ev": .number(value)]]]]
    let error = #expect(throws: JSONWritingError.self) { try document.canonicalBytes() }
    #expect(error == .notFinite(path: "nodes[1].params.ev"))
    #expect(
      error?.description
        == "\"nodes[1].params.ev\" is not a finite number; JSON has no NaN and no infinity")
    #expect(throws: JSONWritingError.notFinite(path: "")) {
      try JSONValue.number(value).canonicalBytes()
    }
  }

  @Test func `a value that could not be read back is not written`() throws {
    let limits = JSONLimits(
      maximumBytes: 16, maximumDepth: 2, maximumStringBytes: 4, maximumArrayCount: 3,
      maximumObjectCount: 1)
    let refused: [(JSONValue, JSONWritingError)] = [
      ([1, [[]]], .tooDeep(maximum: 2, path: "[1][0]")),
      (["a": "abcde"], .stringTooLong(bytes: 5, maximum: 4, path: "a")),
      (["abcde": 1], .stringTooLong(bytes: 5, maximum: 4, path: "abcde")),
      ([1, 2, 3, 4], .tooManyElements(count: 4, maximum: 3, path: "")),
      (["a": 1, "b": 2], .tooManyMembers(count: 2, maximum: 1, path: "")),
      ([123456789, 123456789], .tooLarge(maximum: 16)),
      (["abcd", "abc", "a"], .tooLarge(maximum: 16)),
    ]
    for (value, error) in refused {
      #expect(throws: error) { try value.canonicalBytes(limits: limits) }
      #expect(!error.description.isEmpty)
    }
    let full = JSONValue.array([123456789, "ab"])
    #expect(try full.canonicalBytes(limits: limits).count == 16)
    var deep: JSONValue = 0
    for _ in 0..<33 { deep = .array([deep]) }
    #expect(throws: JSONWritingError.self) { try deep.canonicalBytes() }
  }
}
