// SPDX-License-Identifier: Apache-2.0

/// A day of the Gregorian calendar, which also counts the days before its introduction.
package struct CivilDate: Hashable, Sendable, CustomStringConvertible {
  package let year: Int
  /// The month, from 1 to 12.
  package let month: Int
  /// The day of the month, from 1.
  package let day: Int

  /// The days since 1970-01-01 within 27,000 years before and after, to which numbers are limited.
  private static let numbers = -10_000_000...10_000_000

  /// The seconds since 1970 in the years from 1 to 9999, which the formats of dates can express.
  package static let expressibleSeconds = -62_135_596_800.0..<253_402_300_800

  /// Creates a date; nil if the calendar does not have it, and for years of more than four digits.
  package init?(year: Int, month: Int, day: Int) {
    guard (-9999...9999).contains(year), (1...12).contains(month),
      (1...Self.days(in: month, of: year)).contains(day)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// Creates the date that is a number of days after 1970-01-01, limited to 27,000 years before and
  /// after.
  package init(number: Int) {
    // Years are counted from 1 March, so that the leap day ends a year; an era is 400 of them.
    let days = min(max(number, Self.numbers.lowerBound), Self.numbers.upperBound) + 719_468
    let era = (days < 0 ? days - 146_096 : days) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let months = (5 * dayOfYear + 2) / 153
    month = (months + 2) % 12 + 1
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    day = dayOfYear - (153 * months + 2) / 5 + 1
  }

  /// Creates the date in UTC of a time in seconds since 1970, limited to 27,000 years before and
  /// after.
  package init(seconds: Double) {
    self.init(number: Int((seconds / 86_400).rounded(.down)))
  }

  /// The number of days since 1970-01-01.
  package var number: Int { Self.number(year: year, month: month, day: day) }

  /// Returns the number of days since 1970-01-01 of a date that need not exist, such as 31 April.
  package static func number(year: Int, month: Int, day: Int) -> Int {
    let years = month <= 2 ? year - 1 : year
    let era = (years < 0 ? years - 399 : years) / 400
    let yearOfEra = years - era * 400
    let dayOfYear = ((month + 9) % 12 * 153 + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Returns the number of days of a month.
  package static func days(in month: Int, of year: Int) -> Int {
    let isLeap =
      year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  /// The date in the form "2024-05-01".
  package var description: String {
    "\(zeroPadded(year, 4))-\(zeroPadded(month))-\(zeroPadded(day))"
  }
}

/// Returns a number padded with zeros to a count of digits.
package func zeroPadded(_ number: Int, _ count: Int = 2) -> String {
  let digits = String(number.magnitude)
  return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, count - digits.count))
    + digits
}
