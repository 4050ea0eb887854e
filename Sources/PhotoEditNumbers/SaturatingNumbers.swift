// SPDX-License-Identifier: Apache-2.0

// Every module sees this one, and the compiler prefers these declarations to those of the standard
// library. So `Int(x)` of a floating-point number, `-n` and `abs(n)` saturate in the whole package
// instead of ending the process. Decision record 0067.

extension FixedWidthInteger {
  /// Creates the integer part of a number, limited to the range of the type; zero for NaN.
  @inlinable package init(clamping source: Double) {
    let whole = source.rounded(.towardZero)
    if let value = Int64(exactly: whole) {
      self.init(clamping: value)
    } else if let value = UInt64(exactly: whole) {
      self.init(clamping: value)
    } else {
      self = source > 0 ? .max : source < 0 ? .min : 0
    }
  }

  /// Returns the sum, limited to the range of the type.
  @inlinable package func addingSaturated(_ other: Self) -> Self {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other < 0 ? .min : .max) : sum
  }

  /// Returns the product, limited to the range of the type.
  @inlinable package func multipliedSaturated(by other: Self) -> Self {
    let (product, overflows) = multipliedReportingOverflow(by: other)
    return overflows ? ((self < 0) == (other < 0) ? .max : .min) : product
  }
}

/// Returns the absolute value; the largest value for the least one, whose absolute value the type
/// does not have.
@inlinable package func abs<Number: FixedWidthInteger & SignedInteger>(_ number: Number) -> Number {
  Number(clamping: number.magnitude)
}

// The declarations for each type are those that the compiler would otherwise prefer. Code that is
// generic over integers uses `init(clamping:)`: there, the requirement of the standard library wins.

extension Int {
  @inlinable package init(_ source: Double) { self.init(clamping: source) }
  @inlinable package init(_ source: Float) { self.init(clamping: Double(source)) }
  @inlinable package static prefix func - (number: Int) -> Int {
    number == .min ? .max : 0 &- number
  }
}

extension Int8 {
  @inlinable package init(_ source: Double) { self.init(clamping: source) }
  @inlinable package init(_ source: Float) { self.init(clamping: Double(source)) }
  @inlinable package static prefix func - (number: Int8) -> Int8 {
    number == .min ? .max : 0 &- number
  }
}

extension Int16 {
  @inlinable package init(_ source: Double) { self.init(clamping: source) }
  @inlinable package init(_ source: Float) { self.init(clamping: Double(source)) }
  @inlinable package static prefix func - (number: Int16) -> Int16 {
    number == .min ? .max : 0 &- number
  }
}

extension Int32 {
  @inlinable package init(_ source: Double) { self.init(clamping: source) }
  @inlinable package init(_ source: Float) { self.init(clamping: Double(source)) }
  @inlinable package static prefix func - (number: Int32) -> Int32 {
    number == .min ? .max : 0 &- number
  }
}

extension Int64 {
  @inlinable package init(_ source: Double) { self.init(clamping: source) }
  @inlinable package init(_ source: Float) { self.init(clamping: Double(source)) }
  @inlinable package static prefix func - (number: Int64) -> Int64 {
    number == .min ? .max : 0 &- number
  }
}

extension UInt {
  @inlinable package init(_ source: Double) { self.init(clamping: source) }
  @inlinable package init(_ source: Float) { self.init(clamping: Double(source)) }
}

extension UInt8 {
  @inlinable package init(_ source: Double) { self.init(clamping: source) }
  // The initializer from `Float` satisfies a public requirement, that of `PixelSample`.
}

extension UInt16 {
  @inlinable package init(_ source: Double) { self.init(clamping: source) }
  // The initializer from `Float` satisfies a public requirement, that of `PixelSample`.
}

extension UInt32 {
  @inlinable package init(_ source: Double) { self.init(clamping: source) }
  @inlinable package init(_ source: Float) { self.init(clamping: Double(source)) }
}

extension UInt64 {
  @inlinable package init(_ source: Double) { self.init(clamping: source) }
  @inlinable package init(_ source: Float) { self.init(clamping: Double(source)) }
}
