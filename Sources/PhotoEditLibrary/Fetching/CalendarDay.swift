// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
import PhotoEditContainers

/// A day of the Gregorian calendar, counted from 1970-01-01.
public struct CalendarDay: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The number of days since 1970-01-01.
  public let number: Int

  /// Creates the day with a number, bounded to the years 1 to 9999.
  public init(number: Int) { self.number = min(max(number, -719_162), 2_932_896) }

  /// Creates a day of a year; nil if the calendar does not have it.
  public init?(year: Int, month: Int = 1, day: Int = 1) {
    guard (1...9999).contains(year), let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    number = date.number
  }

  /// The year, the month from 1 to 12, and the day from 1 to 31.
  public var components: (year: Int, month: Int, day: Int) {
    let date = CivilDate(number: number)
    return (date.year, date.month, date.day)
  }

  /// Returns the first and the last day of "2019", "2019-05" or "2019-05-01"; nil for other text.
  public static func range(_ text: String) -> ClosedRange<CalendarDay>? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.utf8.allSatisfy { (48...57).contains($0) } ? Int(part) : nil
    }
    guard numbers.count == parts.count, zip(parts, [4, 2, 2]).allSatisfy({ $0.count == $1 }) else {
      return nil
    }
    let (first, last): (CalendarDay?, CalendarDay?)
    switch numbers.count {
    case 1:
      first = CalendarDay(year: numbers[0])
      last = CalendarDay(year: numbers[0], month: 12, day: 31)
    case 2 where (1...12).contains(numbers[1]):
      first = CalendarDay(year: numbers[0], month: numbers[1])
      last = CalendarDay(
        year: numbers[0], month: numbers[1],
        day: CivilDate.days(in: numbers[1], of: numbers[0]))
    case 3:
      first = CalendarDay(year: numbers[0], month: numbers[1], day: numbers[2])
      last = first
    default: return nil
    }
    guard let first, let last else { return nil }
    return first...last
  }

  /// Returns whether one day precedes another.
  public static func < (first: Self, second: Self) -> Bool { first.number < second.number }

  /// The day as "2019-05-01".
  public var description: String { CivilDate(number: number).description }
}

extension Asset {
  /// The day of capture on the calendar at the place of capture; nil without a date.
  ///
  /// A time without a known offset from UTC counts as the time on the camera's clock.
  public var day: CalendarDay? {
    dayNumber.map { CalendarDay(number: Int(clamping: $0)) }
  }

  /// The day as the database computes it.
  var dayNumber: Int64? {
    let offset = Double(self.utcOffset ?? 0)
    return self.creationDate.map {
      Int64(exactlyClamping: (($0.timeIntervalSince1970 + offset) / 86_400).rounded(.down))
    }
  }
}

extension Int64 {
  /// Converts a whole number as SQLite's CAST does.
  fileprivate init(exactlyClamping value: Double) {
    self = value >= 0x1p63 ? .max : value < -0x1p63 ? .min : Int64(value)
  }
}

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
