// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers
import PhotoEditPlatform
import PhotoEditTestSupport
import Testing

@Suite("Limits for hostile JSON", .seeded)
struct JSONLimitsTests {
  private static let sample = """
    {"format":"org.photoedit.filter-graph","version":"1.0","nodes":[
      {"id":"g1","filter":"crop","v":1,"enabled":true,"params":{"h":0.8,"w":-1.5e-3,"x":null}},
      {"id":"é\\n\\u00e9\\ud83d\\ude00 😀","in":["t1"],"opacity":1E2,"off":false}],"ext":{}}
    """

  @Test func `every truncated document is rejected`() throws {
    let bytes = Array(Self.sample.utf8)
    _ = try JSONValue(parsing: bytes)
    for count in 0..<bytes.count {
      let error = #expect(throws: JSONError.self, "\(count) bytes") {
        try JSONValue(parsing: Array(bytes[..<count]))
      }
      #expect(error?.description.isEmpty == false)
    }
  }

  @Test func `a document with any byte changed is rejected or round-trips`() throws {
    var random = SeededNumbers()
    let bytes = Array(Self.sample.utf8)
    for _ in 0..<5_000 {
      var changed = bytes
      for _ in 0...Int.random(in: 0...2, using: &random) {
        changed[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      guard let value = try? JSONValue(parsing: changed) else { continue }
      let written = try value.canonicalBytes()
      #expect(try JSONValue(parsing: written) == value)
    }
  }

  @Test(arguments: ["[", "{\"a\":", "[[],", "[{\"a\":"])
  func `unlimited nesting is rejected immediately`(opening: String) {
    let bytes = Array(String(repeating: opening, count: 100_000).utf8)
    let error = #expect(throws: JSONError.self) {
      try JSONValue(parsing: bytes, limits: JSONLimits(maximumDepth: .max))
    }
    guard case .tooDeep(maximum: JSONLimits.deepest, at: _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `each limit is inclusive`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    let limits = JSONLimits(
      maximumBytes: 64, maximumDepth: 3, maximumStringBytes: 4, maximumArrayCount: 2,
      maximumObjectCount: 1)
    for accepted in [nested(3), "\"éé\"", "\"\\u00e9\\u00e9\"", "[1,2]", "{\"abcd\":1}"] {
      let value = try parse(accepted, limits: limits)
      #expect(
        try parse(String(decoding: value.canonicalBytes(limits: limits), as: UTF8.self)) == value)
    }
    let first = try #require(#expect(throws: JSONError.self) { try parse("a") })
    guard case .unexpected(_, _, at: let start) = first else { return }
    let refused: [(String, JSONError)] = [
      ("\"abcde\"", .stringTooLong(maximumBytes: 4, at: start)),
      ("\"\\u00e9\\u00e9a\"", .stringTooLong(maximumBytes: 4, at: start)),
      ("[1,2,3]", .tooManyElements(maximum: 2, at: start)),
      ("{\"a\":1,\"b\":2}", .tooManyMembers(maximum: 1, at: start)),
      (String(repeating: " ", count: 64) + "1", .tooLarge(bytes: 65, maximum: 64)),
    ]
    for (text, error) in refused {
      #expect(throws: error) { try parse(text, limits: limits) }
    }
    let deep = #expect(throws: JSONError.self) { try parse(nested(4), limits: limits) }
    #expect(
      deep?.description
        == "line 1, column 4: arrays and objects are nested too deeply (maximum: 3 levels)")
    #expect(throws: JSONError.self) { try parse("{\"abcde\":1}", limits: limits) }
  }

  @Test func `the default limits are those of a filter graph`() throws {
    let limit = 2 << 20
    let blank = [UInt8](repeating: 0x20, count: limit - 1)
    #expect(try JSONValue(parsing: blank + [0x31]) == 1)
    #expect(throws: JSONError.tooLarge(bytes: limit + 1, maximum: limit)) {
      try JSONValue(parsing: blank + [0x31, 0x20])
    }
    let quote: [UInt8] = [0x22]
    let longest = [UInt8](repeating: 0x61, count: 64 << 10)
    #expect(try JSONValue(parsing: quote + longest + quote).stringValue?.utf8.count == 64 << 10)
    #expect(throws: JSONError.self) { try JSONValue(parsing: quote + longest + [0x61] + quote) }
    let pair = Array("0,".utf8)
    let most = [0x5B] + Array(repeatElement(pair, count: 99_999).joined()) + [0x30]
    #expect(try JSONValue(parsing: most + [0x5D]).arrayValue?.count == 100_000)
    #expect(throws: JSONError.self) { try JSONValue(parsing: most + [0x2C, 0x30, 0x5D]) }
  }

  @Test(arguments: [
    "0,", "0.1,", "123456789.123456789e-5,", "\"\",", "[],", "{\"a\":1},", "\"\\n\\u00e9\",",
    "\"aé😀\",", "  \n 1,",
  ])
  func `two mebibytes are read`(element: String) throws {
    // Rows stay below the limit for one array.
    let row = "[" + String(repeating: element, count: 1_000) + "0],"
    let rows = ((2 << 20) - 16) / row.utf8.count
    let text = Array(("[" + String(repeating: row, count: rows) + "0]").utf8)
    let value = try JSONValue(parsing: text)
    #expect(value.arrayValue?.count == rows + 1)
  }

  /// Quadratic time would keep the test busy for hours.
  @Test func `long tokens are read and errors near the end are found`() throws {
    let big = JSONLimits(maximumStringBytes: 2 << 20, maximumObjectCount: 1_000_000)
    let mebibyte = 1 << 20
    let digits = "0." + String(repeating: "3", count: mebibyte)
    #expect(try parse(digits) == .number(1.0 / 3))
    let nines = String(repeating: "9", count: mebibyte)
    #expect(throws: JSONError.self) { try parse(nines) }
    let escapes = "\"" + String(repeating: "\\u00e9", count: mebibyte / 6) + "\""
    let text = try parse(escapes, limits: big).stringValue
    #expect(text?.utf8.count == mebibyte / 6 * 2)
    let members = (0..<60_000).map { "\"key\($0)\":\($0)" }.joined(separator: ",")
    let object = try parse("{\(members)}", limits: big)
    #expect(object.objectValue?.count == 60_000)
    #expect(try object.canonicalBytes(limits: big).count == members.utf8.count + 2)
    let newlines = "[" + String(repeating: "\n", count: mebibyte) + "x"
    #expect(throws: JSONError.self) { try parse(newlines) }
  }
}
