// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
import PhotoEditContainers

/// A date in ISO 8601: `2026-11-22`, `2026-11-22T18:30`, `2026-11-22T18:30:05.25+01:00`.
///
/// Without a time zone, it is in UTC. Leap seconds are not supported.
package struct ISO8601Date {
  package let date: Date
  /// The stated seconds by which the clock was ahead of UTC; nil for "Z" and without a time zone.
  package private(set) var utcOffset: Int?

  /// Reads a date with a time and a time zone; nil for anything else.
  package init?(moment text: String) {
    self.init(text)
    guard utcOffset != nil || text.last == "Z" || text.last == "z" else { return nil }
  }

  init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    func number(_ digits: Int) -> Int? {
      guard rest.count >= digits else { return nil }
      var value = 0
      for byte in rest.prefix(digits) {
        guard (48...57).contains(byte) else { return nil }
        value = value * 10 + Int(byte - 48)
      }
      rest = rest.dropFirst(digits)
      return value
    }
    func accept(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest = rest.dropFirst()
      return true
    }
    guard text.utf8.count <= 40, let year = number(4), accept("-"), let month = number(2),
      accept("-"),
      let day = number(2), let civil = CivilDate(year: year, month: month, day: day)
    else { return nil }
    var seconds = Double(civil.number) * 86_400
    if accept("T") || accept("t") || accept(" ") {
      guard let hour = number(2), accept(":"), let minute = number(2), hour < 24, minute < 60 else {
        return nil
      }
      seconds += Double(hour * 3600 + minute * 60)
      if accept(":") {
        guard let second = number(2), second < 60 else { return nil }
        seconds += Double(second)
        if accept(".") {
          let digits = rest.prefix { (48...57).contains($0) }
          guard !digits.isEmpty, let part = Double("0." + String(decoding: digits, as: UTF8.self))
          else { return nil }
          rest = rest.dropFirst(digits.count)
          seconds += part
        }
      }
      let sign = accept("+") ? -1.0 : accept("-") ? 1.0 : 0
      if sign != 0 {
        guard let hours = number(2) else { return nil }
        _ = accept(":")
        guard let minutes = number(2), hours < 24, minutes < 60 else { return nil }
        let offset = Int(-sign) * (hours * 3600 + minutes * 60)
        utcOffset = offset
        seconds -= Double(offset)
      } else {
        _ = accept("Z") || accept("z")
      }
    }
    guard rest.isEmpty else { return nil }
    date = Date(timeIntervalSince1970: seconds)
  }
}
