// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers
import PhotoEditPlatform
import PhotoEditTestSupport
import Testing

@Suite("JSON numbers", .seeded)
struct JSONNumberTests {
  /// RFC 8785, appendix B.
  @Test(
    arguments: [
      (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"),
      (0x0000_0000_0000_0001, "5e-324"), (0x8000_0000_0000_0001, "-5e-324"),
      (0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e+308"),
      (0xFFEF_FFFF_FFFF_FFFF, "-1.7976931348623157e+308"),
      (0x4340_0000_0000_0000, "9007199254740992"), (0xC340_0000_0000_0000, "-9007199254740992"),
      (0x4430_0000_0000_0000, "295147905179352830000"),
      (0x44B5_2D02_C7E1_4AF5, "9.999999999999997e+22"),
      (0x44B5_2D02_C7E1_4AF6, "1e+23"), (0x44B5_2D02_C7E1_4AF7, "1.0000000000000001e+23"),
      (0x444B_1AE4_D6E2_EF4E, "999999999999999700000"),
      (0x444B_1AE4_D6E2_EF4F, "999999999999999900000"), (0x444B_1AE4_D6E2_EF50, "1e+21"),
      (0x3EB0_C6F7_A0B5_ED8C, "9.999999999999997e-7"), (0x3EB0_C6F7_A0B5_ED8D, "0.000001"),
      (0x41B3_DE43_5555_5553, "333333333.3333332"), (0x41B3_DE43_5555_5554, "333333333.33333325"),
      (0x41B3_DE43_5555_5555, "333333333.3333333"), (0x41B3_DE43_5555_5556, "333333333.3333334"),
      (0x41B3_DE43_5555_5557, "333333333.33333343"),
      (0xBECB_F647_612F_3696, "-0.0000033333333333333333"),
      (0x4314_3FF3_C1CB_0959, "1424953923781206.2"),
    ] as [(UInt64, String)])
  func `the vectors of RFC 8785 are matched`(bits: UInt64, expected: String) throws {
    #expect(jsonNumber(Double(bitPattern: bits)) == expected)
    #expect(try parse(expected) == .number(Double(bitPattern: bits)))
  }

  @Test(
    arguments: [
      (1, "1"), (-1, "-1"), (10, "10"), (1.5, "1.5"), (0.1, "0.1"), (-0.25, "-0.25"),
      (100.25, "100.25"),
      (1e20, "100000000000000000000"), (0x1.ac53a7e04bcdap66, "123456789012345680000"),
      (1e21, "1e+21"), (1.5e21, "1.5e+21"), (1e-6, "0.000001"), (1.25e-6, "0.00000125"),
      (1e-7, "1e-7"), (1.25e-7, "1.25e-7"),
      (2.2250738585072014e-308, "2.2250738585072014e-308"), (0.1 + 0.2, "0.30000000000000004"),
      (1e16, "10000000000000000"), (4503599627370495.5, "4503599627370495.5"),
    ] as [(Double, String)])
  func `numbers have the ECMAScript format`(value: Double, expected: String) {
    #expect(jsonNumber(value) == expected)
  }

  @Test func `non-finite numbers become null, as in JSON.stringify`() {
    #expect([Double.nan, .infinity, -.infinity].map(jsonNumber) == ["null", "null", "null"])
  }

  @Test func `twenty thousand numbers round-trip`() throws {
    var random = SeededNumbers()
    for index in 0..<20_000 {
      let value = index.isMultiple(of: 2) ? random.anyDouble() : random.plainDouble()
      #expect(try parse(jsonNumber(value)) == .number(value), "\(value)")
    }
  }

  @Test(.enabled(if: Node.path != nil, "node is not installed"))
  func `Node.js writes twenty thousand numbers the same way`() throws {
    var random = SeededNumbers()
    let values = (0..<20_000).map {
      $0.isMultiple(of: 2) ? random.anyDouble() : random.plainDouble()
    }
    let answers = try Node.write(values)
    try #require(answers.count == values.count)
    for (value, answer) in zip(values, answers) {
      #expect(jsonNumber(value) == answer, "bits \(String(value.bitPattern, radix: 16))")
    }
  }

  @Test(
    arguments: [
      (0, 9, 0), (0.1 + 0.2, 9, 0.3), (1.0 / 3, 9, 0.333333333), (2.0 / 3, 9, 0.666666667),
      (-2.0 / 3, 3, -0.667), (123456789.5, 9, 123456790), (1234567894, 9, 1234567890),
      (0.15, 1, 0.2), (2.5, 1, 3), (-2.5, 1, -3), (0.99999999951, 9, 1), (9.9999999999, 9, 10),
      (999, 2, 1000),
      (Double.leastNonzeroMagnitude, 9, Double.leastNonzeroMagnitude),
      (1.23456789012e-300, 9, 1.23456789e-300), (4032, 9, 4032),
      (Double.greatestFiniteMagnitude, 9, 1.79769313e308),
      (Double.greatestFiniteMagnitude, 1, Double.greatestFiniteMagnitude),
      (Double.infinity, 9, .infinity), (1.26, 0, 1),
    ] as [(Double, Int, Double)])
  func `a number is rounded to the displayed digits`(value: Double, digits: Int, expected: Double) {
    #expect(value.rounded(significantDigits: digits) == expected)
  }

  @Test func `rounding is idempotent and changes less than half a digit`() {
    var random = SeededNumbers()
    for _ in 0..<5_000 {
      let value = random.plainDouble()
      let once = value.rounded(significantDigits: 9)
      #expect(once.rounded(significantDigits: 9) == once)
      #expect(abs(once - value) <= abs(value) * 5.000001e-9, "\(value)")
      let digits = jsonNumber(once).prefix { $0 != "e" }.filter(\.isNumber)
      let significant = digits.drop { $0 == "0" }.reversed().drop { $0 == "0" }
      #expect(significant.count <= 9, "\(once)")
    }
    #expect(JSONValue.real(0.1 + 0.2) == 0.3)
    #expect(Double.nan.rounded(significantDigits: 9).isNaN)
  }
}
