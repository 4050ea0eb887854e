// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials

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
      let day = number(2), (1...12).contains(month),
      (1...CivilDate.days(in: month, of: year)).contains(day)
    else { return nil }
    var seconds = Double(CivilDate.days(year: year, month: month, day: day)) * 86_400
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

/// Days and years of the proleptic Gregorian calendar in UTC.
enum CivilDate {
  static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  static func days(in month: Int, of year: Int) -> Int {
    [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  /// Returns the number of days since 1970-01-01.
  static func days(year: Int, month: Int, day: Int) -> Int {
    let before = (1..<month).reduce(0) { $0 + days(in: $1, of: year) }
    return days(before: year) + before + day - 1
  }

  /// Returns the number of days from 1970-01-01 to January 1 of a year.
  static func days(before year: Int) -> Int {
    func leaps(_ year: Int) -> Int { floor(year, 4) - floor(year, 100) + floor(year, 400) }
    return (year - 1970) * 365 + leaps(year - 1) - leaps(1969)
  }

  /// Returns the year of a time in seconds since 1970, limited to years −30,000 to 30,000.
  static func year(of seconds: Double) -> Int {
    let day = Int(max(-1e7, min(1e7, seconds / 86_400)).rounded(.down))
    var year = 1970 + floor(day * 400, 146_097)
    while days(before: year + 1) <= day { year += 1 }
    while days(before: year) > day { year -= 1 }
    return year
  }

  private static func floor(_ a: Int, _ b: Int) -> Int {
    let quotient = a / b
    return a % b < 0 ? quotient - 1 : quotient
  }
}
