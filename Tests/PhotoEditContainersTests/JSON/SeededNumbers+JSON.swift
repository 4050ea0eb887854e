// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers
import PhotoEditTestSupport

extension SeededNumbers {
  /// Any finite float, with all bit patterns equally likely.
  mutating func anyDouble() -> Double {
    while true {
      let value = Double(bitPattern: next())
      if value.isFinite { return value }
    }
  }

  /// Typical numbers: few digits, moderate size, integers, powers of two and ten.
  mutating func plainDouble() -> Double {
    let sign = Bool.random(using: &self) ? 1.0 : -1
    switch Int.random(in: 0..<5, using: &self) {
    case 0: return sign * Double(Int.random(in: 0...(1 << 60), using: &self))
    case 1: return sign * Double(Int.random(in: 0...9_999, using: &self)) / 1000
    case 2: return sign * Double.random(in: 0...1, using: &self)
    case 3:
      return Double(sign: .plus, exponent: .random(in: -1074...1023, using: &self), significand: 1)
    default: return Double("1e\(Int.random(in: -323...308, using: &self))") ?? 0
    }
  }

  mutating func text() -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...6, using: &self) {
      let range: ClosedRange<UInt32> =
        [0...0x7F, 0...0x1F, 0x80...0x2FF, 0x2000...0xD7FF, 0xE000...0xFFFF, 0x10000...0x10FFFF]
        .randomElement(using: &self) ?? 0...0
      text.unicodeScalars.append(Unicode.Scalar(.random(in: range, using: &self)) ?? "?")
    }
    return text
  }

  mutating func value(depth: Int) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &self) {
    case 0: return .null
    case 1: return .bool(.random(using: &self))
    case 2: return .number(anyDouble())
    case 3: return .number(plainDouble())
    case 4: return .string(text())
    case 5, 6:
      return .array(
        (0..<Int.random(in: 0...5, using: &self)).map { _ in value(depth: depth - 1) })
    default:
      var members: [String: JSONValue] = [:]
      for _ in 0..<Int.random(in: 0...5, using: &self) {
        members[text()] = value(depth: depth - 1)
      }
      return .object(members)
    }
  }
}

/// Parses a Swift string.
func parse(_ text: String, limits: JSONLimits = JSONLimits()) throws(JSONError) -> JSONValue {
  try JSONValue(parsing: Array(text.utf8), limits: limits)
}

/// The canonical bytes as text.
func canonical(_ value: JSONValue) throws -> String {
  String(decoding: try value.canonicalBytes(), as: UTF8.self)
}
