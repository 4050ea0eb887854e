// SPDX-License-Identifier: Apache-2.0
import PhotoEditTestSupport
import Testing

@testable import PhotoEditFilters

/// The text of an identity cube with two entries per side and the given lines around it.
private func identity(before: String = "LUT_3D_SIZE 2\n", after: String = "", end: String = "\n")
  -> [UInt8]
{
  var rows: [String] = []
  for index in 0..<8 { rows.append("\(index & 1) \(index >> 1 & 1) \(index >> 2)") }
  return Array((before + rows.joined(separator: end) + end + after).utf8)
}

private func refusal(_ bytes: [UInt8]) -> LUTFileError? {
  do throws(LUTFileError) {
    _ = try CubeFile(bytes)
    return nil
  } catch {
    return error
  }
}

private func refusal(_ text: String) -> LUTFileError? { refusal(Array(text.utf8)) }

@Suite("Cube files", .seeded)
struct CubeFileTests {
  @Test(arguments: [
    "LUT_3D_SIZE 2\n", "# made by hand\n\n  \t\nLUT_3D_SIZE 2\n\n# rows\n",
    "TITLE \"A look\"\nLUT_3D_SIZE\t2\n", "TITLE A look # 3\nLUT_3D_SIZE   2  \n",
    "TITLE\nLUT_3D_SIZE 2\n", "\u{FEFF}LUT_3D_SIZE 2\n", "LUT_3D_SIZE 2 # entries\n",
    "DOMAIN_MIN 0 0 0\nDOMAIN_MAX 1.0 1e0 +1\nLUT_3D_SIZE 2\n",
    "LUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 0.0 1.0\n", "LUT_3D_SIZE 2\nLUT_1D_INPUT_RANGE 0 1\n",
    "LUT_3D_SIZE 2\nLUT_3D_SIZE 2\nDOMAIN_MAX 1 1 1\nDOMAIN_MAX 1 1 1\n",
  ])
  func `common variations of the format are read`(_ before: String) throws {
    let plain = try CubeFile(identity()).cube
    #expect(plain != nil)
    for end in ["\n", "\r\n", "\r", "  \n", "\t# row\n", "\n\n"] {
      let text = identity(before: before, end: end)
      #expect(try CubeFile(text).cube == plain)
    }
    let last = Array(identity(before: before).dropLast())
    #expect(try CubeFile(last).cube == plain)
    #expect(try CubeFile(identity(before: before, after: "\n\n# end\n \n")).cube == plain)
  }

  @Test(arguments: [
    ("\"A look\"", "A look"), ("A look", "A look"), ("\"A # look\"", "A # look"), ("\"\"", ""),
    ("  Übung\t", "Übung"), ("\"open", "open"),
  ])
  func `titles are read with and without quotes`(_ written: String, _ title: String) throws {
    let file = try CubeFile(identity(before: "TITLE \(written)\nLUT_3D_SIZE 2\n"))
    #expect(file.title == title)
  }

  @Test func `red changes fastest`() throws {
    let cube = try #require(try CubeFile(identity()).cube)
    #expect(
      cube[1, 0, 0] == [1, 0, 0] && cube[0, 1, 0] == [0, 1, 0] && cube[0, 0, 1] == [0, 0, 1])
    for interpolation in ColorLUT3D.Interpolation.allCases {
      #expect(cube([0.25, 0.5, 0.75], interpolation) == [0.25, 0.5, 0.75])
      #expect(cube([-3, 0.5, 9], interpolation) == [0, 0.5, 1])
    }
  }

  @Test(arguments: [
    "0", "1", "-0", "+1", ".5", "5.", "0.1", "1e-3", "1E+3", "-2.5e-7",
    "0.123456789012345678901234",
    "3.4028234e38", "1e-46", "00000000000000000000000000000000001.5", "16777217", "1e22", "9e-40",
    "0.000000000000000000000000000000000000000000000000000000000000000000001e70",
    "1.00000005960464477539062500001", "1.0000000596046447754", "8388608.5",
    "1e-999999999999999999",
  ])
  func `numbers are the nearest floats`(_ text: String) throws {
    let expected = try #require(Float(text))
    #expect(DecimalFloat.value(Array(text.utf8)[...])?.bitPattern == expected.bitPattern)
  }

  @Test func `numbers are parsed like in the standard library`() {
    var random = SeededNumbers()
    for _ in 0..<4000 {
      let state = random.next()
      let value = Float(bitPattern: UInt32(state >> 32))
      guard value.isFinite else { continue }
      let double = Double(value).description
      for text in [value.description, double, String(state >> 20) + "e-\(state % 60)"] {
        let read = DecimalFloat.value(Array(text.utf8)[...])
        #expect(read?.bitPattern == Float(text)?.bitPattern, "\(text)")
      }
      #expect(DecimalFloat.value(Array(CubeFile.number(value).utf8)[...]) == value)
    }
  }

  @Test(arguments: [
    "", "+", ".", "-.", "e5", "1e", "1e+", "1.2.3", "0x10", "nan", "inf", "1,5", "1_0", "--1",
    "1e39",
    "1 2", "1e5e", "½",
  ])
  func `invalid numbers are rejected`(_ text: String) {
    #expect(DecimalFloat.value(Array(text.utf8)[...]) == nil)
  }

  @Test(arguments: [
    ("LUT_3D_SIZE 1\n", "line 1: found 'LUT_3D_SIZE 1' (allowed: a whole number, 2–129"),
    ("\n#\nLUT_3D_SIZE 130\n", "line 3: found 'LUT_3D_SIZE 130' (allowed: a whole number, 2–129"),
    ("LUT_3D_SIZE 9999999999999999999\n", "a whole number, 2–129"),
    ("LUT_3D_SIZE -2\n", "a whole number, 2–129"), ("LUT_3D_SIZE 2 2\n", "a whole number"),
    ("LUT_3D_SIZE\n", "a whole number"), ("LUT_1D_SIZE 65537\n", "a whole number, 2–65536"),
    ("LUT_3D_SIZE 2\nLUT_3D_SIZE 3\n", "line 2: found 'LUT_3D_SIZE 3' (allowed: 2, as in line 1"),
    ("LUT_3D_SIZE 33\n0 0 0\n", "line 2: file ends after 1 table rows (expected 35937"),
    ("LUT_3D_SIZE 2\n", "line 1: file ends after 0 table rows (expected 8)"),
    ("0 0 0\n", "line 1: found a row without a size (allowed: LUT_1D_SIZE or LUT_3D_SIZE"),
    ("TITLE \"x\"\n", "found a row without a size"), ("# nothing\n", "found a row without a size"),
    (
      "LUT_2D_SIZE 2\n",
      "line 1: found 'LUT_2D_SIZE 2' (allowed: a comment, three numbers, or TITLE"
    ),
    ("lut_3d_size 2\n", "allowed: a comment"), ("\u{0}\u{1}\u{7F}\n", "line 1: found '���'"),
    ("LUT_IN_VIDEO_RANGE\n", "full-range tables"),
    ("LUT_3D_SIZE 2\nDOMAIN_MIN 0 0\n", "line 2: found 'DOMAIN_MIN 0 0' (allowed: three numbers"),
    ("LUT_3D_SIZE 2\nDOMAIN_MIN 0 0 0\nDOMAIN_MIN 0 0 1\n", "one DOMAIN_MIN, as in line 2"),
    ("LUT_3D_INPUT_RANGE 0 1 2\n", "two numbers"),
  ])
  func `an error names the line, the value found and the allowed values`(
    _ text: String, _ message: String
  ) {
    let found = refusal(text)?.description ?? "nothing"
    #expect(found.contains(message), "\(found)")
  }

  @Test(arguments: [
    ("DOMAIN_MIN 1 0 0\n", "line 2: found a domain from 1.0 to 1.0"),
    ("DOMAIN_MAX 1 -1 1\n", "line 2: found a domain from 0.0 to -1.0"),
    ("DOMAIN_MIN -3e38 0 0\nDOMAIN_MAX 3e38 1 1\n", "line 3: found a domain"),
    ("LUT_3D_INPUT_RANGE 1 0\n", "line 2: found a domain from 1.0 to 0.0"),
    ("LUT_1D_INPUT_RANGE 0 1.095\n", "line 2: found LUT_1D_INPUT_RANGE without a matching table"),
    ("DOMAIN_MAX 2 2 2\nLUT_3D_INPUT_RANGE 0 1\n", "line 3: found LUT_3D_INPUT_RANGE and"),
  ])
  func `invalid domains are rejected`(_ lines: String, _ message: String) {
    let found = refusal(identity(before: "LUT_3D_SIZE 2\n" + lines))?.description ?? "nothing"
    #expect(found.contains(message), "\(found)")
  }

  @Test(arguments: [
    ("0 0 0\n", "line 10: found '0 0 0' (allowed: nothing after the 8 rows"),
    ("\n\nTITLE \"late\"\n", "line 12: found 'TITLE \"late\"' (allowed: nothing after"),
  ])
  func `nothing may follow the last row`(_ after: String, _ message: String) {
    let found = refusal(identity(after: after))?.description ?? "nothing"
    #expect(found.contains(message), "\(found)")
  }

  @Test(arguments: ["0 0", "0 0 0 0", "0 0 x", "0 0 nan", "0 0 1e40", "TITLE x", "0,1 0,1 0,1"])
  func `a row is three numbers`(_ row: String) {
    let text = "LUT_1D_SIZE 3\n0 0 0\n\(row)\n1 1 1\n"
    let found = refusal(text)?.description ?? "nothing"
    #expect(found == "line 3: found '\(row)' (allowed: three numbers, such as 0.25 0.5 1.0)")
  }

  @Test func `unsupported file contents are reported specifically`() {
    #expect(refusal([]) == .empty)
    #expect(refusal([0xEF, 0xBB, 0xBF]) == .empty)
    #expect(refusal([0xFF, 0xFE, 0x4C, 0x00])?.description.contains("UTF-16") == true)
    let long = refusal("#" + String(repeating: "x", count: 5000) + "\n")
    #expect(long?.description.contains("allowed: at most 4096 bytes per line") == true)
    let found = refusal(String(repeating: "é", count: 100))?.description
    #expect(found?.contains("…'") == true)
  }

  @Test func `a size without its rows allocates no memory`() {
    // 129³ entries would take 34 MB.
    let found = refusal("LUT_3D_SIZE 129\n0 0 0\n# end\n0 0 0\n")
    #expect(found == .incomplete(line: 4, rows: 2, needed: 129 * 129 * 129))
  }

  @Test func `a 1D table before a cube is read, each with its own range`() throws {
    let text = """
      LUT_1D_SIZE 2
      LUT_1D_INPUT_RANGE 0 2
      LUT_3D_SIZE 2
      LUT_3D_INPUT_RANGE -1 1
      0 0 0
      1 1 1

      """
    let file = try CubeFile(Array(text.utf8) + identity(before: ""))
    #expect(file.table?.size == 2 && file.table?.domain.upper == [2, 2, 2])
    #expect(file.cube?.size == 2 && file.cube?.domain.lower == [-1, -1, -1])
    #expect(try CubeFile(file.bytes()) == file)
    let ambiguous = refusal(Array(("DOMAIN_MAX 2 2 2\n" + text).utf8) + identity(before: ""))
    #expect(ambiguous?.description.contains("line 1: found a domain for two tables") == true)
  }

  @Test func `a written file is read back equal and rewritten identically`() throws {
    var state: UInt64 = 7
    func next() -> Float {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(state >> 40) / Float(1 << 24) * 3 - 1
    }
    let entries = (0..<125).map { _ in SIMD3(next(), next() * 1e-9, next()) }
    let domain = try LookupDomain(lower: [-0.1, 0, 1e-7], upper: [1, 2, 3])
    let file = CubeFile(
      title: "A \"look\"\n2", try ColorLUT3D(size: 5, entries: entries, domain: domain))
    let bytes = file.bytes()
    let read = try CubeFile(bytes)
    #expect(read.cube == file.cube && read.title == "A 'look' 2")
    #expect(read.bytes() == bytes)
    let table = CubeFile(try ColorLUT1D(entries: entries, domain: domain))
    #expect(try CubeFile(table.bytes()) == table)
  }

  @Test(arguments: ["-\"\u{333}x", "\u{301}", "a\u{85}b", String(repeating: "é\u{301}", count: 99)])
  func `a title with line breaks stays on one line`(_ title: String) throws {
    let file = CubeFile(title: title, try ColorLUT1D(entries: [[0, 0, 0], [1, 1, 1]]))
    let read = try CubeFile(file.bytes())
    #expect(read.table == file.table && read.bytes() == file.bytes())
  }

  @Test func `the written format is stable`() throws {
    let table = try ColorLUT1D(entries: [[0, -0.0, 1], [0.25, 1e-7, 1.5]])
    let text = "TITLE \"x\"\nLUT_1D_SIZE 2\n0.0 0.0 1.0\n0.25 1.0e-7 1.5\n"
    #expect(CubeFile(title: "x", table).bytes() == Array(text.utf8))
  }
}
