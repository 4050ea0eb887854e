// SPDX-License-Identifier: Apache-2.0
import PhotoEditTestSupport
import Testing

@testable import PhotoEditContainers

/// `Int(x)`, `-n` and `abs(n)` in this file are those of the package, as everywhere in it.
@Suite("Saturating numbers", .seeded)
struct SaturatingNumberTests {
  private static let extremes: [Double] = [
    0, -0.0, 0.9, -0.9, 254.5, 255, 256, -1, -1.5, 0x1p31, -0x1p31, 0x1p32, 0x1p53, 0x1p53 + 1,
    0x1p62, 0x1p63, -0x1p63, 0x1p64, -0x1p64, 1e22, 1e300, -1e300, 1.7e308, -1.7e308, .infinity,
    -.infinity, .leastNonzeroMagnitude,
  ]

  /// The result by comparisons alone.
  private static func expected<Number: FixedWidthInteger>(_ value: Double, _: Number.Type)
    -> Number
  {
    if value.isNaN { return 0 }
    let whole = value.rounded(.towardZero)
    return Number(exactly: whole) ?? (whole < 0 ? .min : .max)
  }

  private static func check<Number: FixedWidthInteger>(
    _ convert: (Double) -> Number, _ value: Double
  ) {
    let expected = Self.expected(value, Number.self)
    #expect(convert(value) == expected, "\(value)")
    #expect(Number(clamping: value) == expected, "\(value)")
  }

  @Test func `a conversion of a floating-point number saturates in every type`() {
    var numbers = SeededNumbers(67)
    let random = (0..<400).map { _ in Double(bitPattern: numbers.next()) }
    for value in Self.extremes + random + [.nan] {
      Self.check({ Int($0) }, value)
      Self.check({ Int8($0) }, value)
      Self.check({ Int16($0) }, value)
      Self.check({ Int32($0) }, value)
      Self.check({ Int64($0) }, value)
      Self.check({ UInt($0) }, value)
      Self.check({ UInt8($0) }, value)
      Self.check({ UInt16($0) }, value)
      Self.check({ UInt32($0) }, value)
      Self.check({ UInt64($0) }, value)
      let float = Float(value)
      #expect(Int(float) == Int(Double(float)) && Int32(float) == Int32(Double(float)))
    }
  }

  @Test func `negation and absolute values of the least number are the largest`() {
    func check<Number: FixedWidthInteger & SignedInteger>(
      _ type: Number.Type, _ negate: (Number) -> Number
    ) {
      #expect(abs(Number.min) == .max && negate(.min) == .max)
      let least = Number.min + 1
      #expect(negate(.max) == least)
      for number: Number in [.max, 1, 0, -1, .min + 1] {
        #expect(abs(number).magnitude == number.magnitude)
        #expect(negate(negate(number)) == number)
      }
    }
    check(Int.self) { -$0 }
    check(Int8.self) { -$0 }
    check(Int16.self) { -$0 }
    check(Int32.self) { -$0 }
    check(Int64.self) { -$0 }
    #expect(abs(-1.5) == 1.5)
  }

  @Test func `saturating sums and products equal those of wider numbers, within the range`() {
    for first in Int8.min...Int8.max {
      for second in Int8.min...Int8.max {
        let (sum, product) = (Int(first) + Int(second), Int(first) * Int(second))
        #expect(first.addingSaturated(second) == Int8(clamping: sum))
        #expect(first.multipliedSaturated(by: second) == Int8(clamping: product))
      }
    }
    #expect(UInt8.max.addingSaturated(1) == .max && UInt8.max.multipliedSaturated(by: 2) == .max)
    #expect(Int.max.addingSaturated(.max) == .max && Int.min.addingSaturated(.min) == .min)
  }

  @Test func `dates of any number of days are in the calendar`() {
    var numbers = SeededNumbers(68)
    let random = (0..<200).map { _ in Int(truncatingIfNeeded: numbers.next()) }
    for number in [.min, .max, .min + 1, -10_000_001, 10_000_001, 0] + random {
      let date = CivilDate(number: number)
      #expect((-30_000...30_000).contains(date.year) && (1...12).contains(date.month))
    }
    for seconds in Self.extremes + [.nan] {
      let date = CivilDate(seconds: seconds)
      #expect((-30_000...30_000).contains(date.year) && (1...31).contains(date.day))
    }
    #expect(CivilDate(year: .max, month: 1, day: 1) == nil)
    #expect(CivilDate(year: .min, month: 1, day: 1) == nil)
    #expect(CivilDate(year: 2024, month: .max, day: .min) == nil)
    #expect(CivilDate(year: 9999, month: 12, day: 31)?.number == 2_932_896)
  }
}
