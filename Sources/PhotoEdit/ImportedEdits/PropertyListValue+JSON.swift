// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

extension PropertyListValue {
  /// The value as JSON for display and scripts: data by its length, dates in seconds, and numbers
  /// that JSON cannot represent exactly as text.
  var json: JSONValue {
    switch self {
    case .string(let text): .string(text)
    case .integer(let value):
      value.magnitude <= 9_007_199_254_740_992 ? .number(Double(value)) : .string("\(value)")
    case .real(let value): value.isFinite ? .number(value) : .string("\(value)")
    case .bool(let value): .bool(value)
    case .date(let value): .object(["secondsSince1970": Self.number(value)])
    case .data(let value): .object(["bytes": .number(Double(value.count))])
    case .array(let items): .array(items.map(\.json))
    case .dictionary(let values): .object(values.mapValues(\.json))
    }
  }

  private static func number(_ date: Date) -> JSONValue {
    let seconds = date.timeIntervalSince1970
    return seconds.isFinite ? .number(seconds) : .string("\(seconds)")
  }
}
