// SPDX-License-Identifier: Apache-2.0

/// A date as files record it, converted to seconds since 1970.
///
/// A clock time without an offset is taken as UTC, so that a file means the same moment on every
/// machine; `hasOffset` distinguishes the two cases.
package struct CaptureDate: Hashable, Sendable {
  /// Seconds since 1970-01-01 00:00:00 UTC; computed from the clock time as written if no offset is
  /// known.
  package private(set) var seconds: Double
  /// Seconds by which the clock was ahead of UTC; nil if unknown.
  package private(set) var offset: Int?
  /// The smallest unit that is written; the date is the beginning of that unit.
  package private(set) var precision = Precision.time
  /// Indicates whether the offset from UTC is known.
  package var hasOffset: Bool { offset != nil }

  /// The smallest unit of a written date.
  package enum Precision: Int, Hashable, Sendable {
    case year, month, day, time
  }

  /// Reads "2024:05:01 12:00:00", the 19 characters of EXIF; nil for anything else.
  ///
  /// A zone after the time is read, as is "PM". Some phones count the first hour of a day as 24, some
  /// programs write an hour of one digit, and 00 or blanks stand for an unknown month, day, time or
  /// second; the time may be missing.
  ///
  /// - Parameters:
  ///   - fraction: Digits after the decimal point of the seconds.
  ///   - offset: "+02:00".
  package init?(exif text: String, fraction: String? = nil, offset: String? = nil) {
    var reader = DateReader(text)
    guard let day = reader.day(separators: ":-/.") else { return nil }
    let isAlone = reader.isAtEnd && day.precision == .day
    guard isAlone || reader.skip(" T") else { return nil }
    if isAlone || reader.isBlank {
      self.init(day, nil)
      return
    }
    guard let clock = reader.clock(endOfDay: 0) else { return nil }
    let zone = reader.zone()
    guard reader.isAtEnd else { return nil }
    self.init(day, clock)
    guard precision == .time else { return }
    let digits = (fraction ?? "").utf8.prefix { $0 >= 0x30 && $0 <= 0x39 }.prefix(9)
    if !digits.isEmpty {
      let part = Double("0." + String(decoding: digits, as: UTF8.self)) ?? 0
      seconds = seconds.rounded(.down) + part
    }
    guard apply(stated: zone ?? offset.flatMap { Self.offset($0) }) else { return nil }
  }

  /// Creates a date from a day and the seconds since midnight, which count only if the day is known.
  private init(_ day: DateReader.Day, _ clock: Double?) {
    precision = day.precision == .day && clock != nil ? .time : day.precision
    seconds = day.seconds + (precision == .time ? clock ?? 0 : 0)
  }

  /// Applies the offset that a file states; returns whether the year is still one from 1 to 9999.
  private mutating func apply(stated offset: Int?) -> Bool {
    if let offset, precision == .time { apply(offset: offset) }
    return CivilDate.expressibleSeconds.contains(seconds)
  }

  /// Reads an ISO 8601 date such as "2024-05-01T12:00:00.25+02:00", as used by XMP and QuickTime.
  ///
  /// Seconds, fraction and offset are optional, and so are the entire time, the day and the month.
  package init?(iso text: String) {
    var reader = DateReader(text)
    guard let day = reader.day(separators: "-:") else { return nil }
    self.init(day, nil)
    if reader.isAtEnd { return }
    guard reader.skip("T "), let clock = reader.clock(endOfDay: 86_400) else { return nil }
    self = Self(day, clock)
    if reader.isAtEnd { return }
    guard let offset = reader.zone(), reader.isAtEnd, apply(stated: offset) else { return nil }
  }

  /// Reads the two strings of IPTC: "20240501" and "120000+0200".
  package init?(iptcDate: String, time: String?) {
    let digits = Array(iptcDate)
    guard digits.count == 8 else { return nil }
    let date = String(digits[0..<4]) + "-" + String(digits[4..<6]) + "-" + String(digits[6..<8])
    guard let time, time.count >= 6 else {
      self.init(iso: date)
      return
    }
    let clock = Array(time)
    let text = [clock[0..<2], clock[2..<4], clock[4..<6]].map { String($0) }
    self.init(iso: date + "T" + text.joined(separator: ":") + String(clock[6...]))
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Reads "Fri, 02 Jul 2021 03:04:05 +0200", the form of mail, and "Fri Jul  2 03:04:05 2021", that
  /// of C; any zone with a name but GMT is unknown.
  ///
  /// - Source: PNG (third edition), 11.3.3.2, "Creation Time"; RFC 5322, 3.3.
  package init?(mail text: String) {
    func number(ofMonth word: Substring) -> Int? {
      Self.months.firstIndex(of: word.prefix(3).lowercased()).map { $0 + 1 }
    }
    var words = text.prefix(64).split { $0 == " " || $0 == "," }
    if let first = words.first, first.first?.isLetter == true, number(ofMonth: first) == nil {
      words.removeFirst()
    }
    guard words.count >= 4 else { return nil }
    if number(ofMonth: words[0]) != nil {
      words[0...3] = [words[1], words[0], words[3], words[2]]
    }
    guard let day = Int(words[0]), let month = number(ofMonth: words[1]),
      words[2].utf8.count == 4
    else { return nil }
    let rest = words[4...].filter {
      ["AM", "PM", "GMT", "UTC"].contains($0.uppercased()) || ["+", "-"].contains($0.first)
    }
    let date = "\(words[2])-\(zeroPadded(month))-\(zeroPadded(day)) \(words[3])"
    self.init(exif: ([date] + rest.map { String($0) }).joined(separator: " "))
  }

  /// Creates a date from the seconds since 1970 that a file or a database states; nil for a year
  /// outside 1 to 9999, and for an offset that no clock has.
  package init?(stated seconds: Double, offset: Int? = 0) {
    guard CivilDate.expressibleSeconds.contains(seconds), abs(offset ?? 0) <= 86_400 else {
      return nil
    }
    self.init(seconds: seconds, offset: offset)
  }

  /// Creates a date from an exactly known moment.
  ///
  /// - Parameter offset: Seconds by which the clock was ahead of UTC; nil if unknown.
  package init(seconds: Double, offset: Int? = 0) {
    (self.seconds, self.offset) = (seconds, offset)
  }

  /// The date in the form "2024-05-01T14:00:00.25+02:00", on the clock of its offset from UTC; the
  /// clock time alone if the offset is unknown, and in UTC if it is not one of whole minutes.
  package var localISO: String {
    guard let offset, offset != 0 else { return offset == nil ? String(iso.dropLast()) : iso }
    guard offset % 60 == 0, abs(offset) < 16 * 3600 else { return iso }
    return CaptureDate(seconds: seconds + Double(offset)).iso.dropLast() + Self.text(offset: offset)
  }

  /// Returns an offset of whole minutes in the form "+02:00".
  package static func text(offset: Int) -> String {
    let minutes = abs(offset) / 60
    return (offset < 0 ? "-" : "+") + "\(zeroPadded(minutes / 60)):\(zeroPadded(minutes % 60))"
  }

  /// The date in the form "2024-05-01T12:00:00.25Z", in UTC; years outside 1 to 9999 are clamped.
  package var iso: String {
    let bounded = seconds.isNaN ? 0 : min(max(seconds, -62_135_596_800), 253_402_300_799)
    let day = (bounded / 86_400).rounded(.down)

    // Seven digits distinguish any two dates of the present era.
    let units = min(Int(((bounded - day * 86_400) * 1e7).rounded()), 864_000_000_000 - 1)
    let clock = units / 10_000_000
    var fraction = zeroPadded(units % 10_000_000, 7)
    while fraction.last == "0" { fraction.removeLast() }
    return "\(CivilDate(number: Int(day)))T\(zeroPadded(clock / 3600)):"
      + "\(zeroPadded(clock / 60 % 60)):\(zeroPadded(clock % 60))"
      + (fraction.isEmpty ? "" : "." + fraction) + "Z"
  }

  /// Applies an offset from UTC, in seconds, if none was recorded.
  package mutating func apply(offset: Int) {
    guard !hasOffset else { return }
    seconds -= Double(offset)
    self.offset = offset
  }

  /// Derives the offset from the clock of a GPS receiver, which runs in UTC.
  ///
  /// Offsets are multiples of 15 minutes; the clocks of camera and receiver may differ by less than
  /// half of that. Times more than 15 hours apart belong to fixes of different days.
  package mutating func deriveOffset(fromUTC time: Double) {
    let difference = seconds - time
    guard abs(difference) <= 15 * 3600 else { return }
    apply(offset: Int((difference / 900).rounded()) * 900)
  }

  // MARK: Statements of several sources

  /// Indicates whether it is the zero of a clock that was not set: the beginning of 1904 or of 1970,
  /// in UTC or as written.
  ///
  /// Other dates at which clocks of cameras begin, such as that of 2000, may also be true.
  package var isClockZero: Bool {
    precision == .time
      && [seconds, localSeconds].contains { Self.clockZeros.contains($0.rounded(.down)) }
  }

  /// Indicates whether it is in the first week of GPS, the time of a receiver before its first fix.
  package var isReceiverZero: Bool { (315_964_800..<316_569_600).contains(seconds) }

  /// The beginning of 2001 in UTC, from which Apple's databases and Matroska count; where they state
  /// it, they have no date.
  package static let reference = 978_307_200.0

  /// The beginnings of 1904 and 1970.
  private static let clockZeros = [-2_082_844_800.0, 0]

  /// The clock time as written, in seconds from the beginning of 1970 on the same clock.
  private var localSeconds: Double { seconds + Double(offset ?? 0) }

  /// Applies the offset of another statement of the same clock time, if this one has none.
  ///
  /// Fractions are ignored, and the seconds if the other time may be one of whole minutes.
  package mutating func adoptOffset(of other: CaptureDate) {
    guard !hasOffset, let offset = other.offset, precision == .time, other.precision == .time
    else { return }
    let (mine, others) = (seconds.rounded(.down), other.localSeconds.rounded(.down))
    let isMinute = others.truncatingRemainder(dividingBy: 60) == 0
    guard mine == others || (isMinute && (0..<60).contains(mine - others)) else { return }
    apply(offset: offset)
  }

  /// Completes the date with another statement of the same moment: takes one that names the time of
  /// this day, or the offset of the same clock time.
  mutating func adopt(_ other: CaptureDate) {
    if includes(other) { self = other } else { adoptOffset(of: other) }
  }

  /// Returns whether another date is in the year, month or day that this one names, and is more
  /// precise.
  package func includes(_ other: CaptureDate) -> Bool {
    guard precision.rawValue < other.precision.rawValue else { return false }
    let (mine, others) = (CivilDate(seconds: localSeconds), CivilDate(seconds: other.localSeconds))
    return mine.year == others.year && (precision == .year || mine.month == others.month)
      && (precision != .day || mine.day == others.day)
  }

  /// Returns the part of text in the form of a date if it names a day or a time that does not exist,
  /// as "2019:02:30 10:00:00" and "2019:02:03 25:00:00" do, or a year before 1 or after 9999; nil for
  /// anything else.
  ///
  /// Zeros and blanks mean that a date is unknown.
  package static func impossible(_ text: String?) -> String? {
    guard let text else { return nil }
    let year = text.utf8.drop { $0 == 0x2B || $0 == 0x2D }.prefix(7).prefix {
      (0x30...0x39).contains($0)
    }
    let bytes = Array(text.utf8[year.endIndex...].prefix(6))
    let digits = [1, 2, 4, 5]
    guard (4...6).contains(year.count), bytes.count == 6,
      digits.allSatisfy({ (0x30...0x39).contains(bytes[$0]) }),
      [0, 3].allSatisfy({ ":-/.".utf8.contains(bytes[$0]) }),
      (year + digits.map { bytes[$0] }).contains(where: { $0 != 0x30 })
    else { return nil }
    if let date = CaptureDate(exif: text) ?? CaptureDate(iso: text) {
      guard date.precision == .month, bytes[4] != 0x30 || bytes[5] != 0x30 else { return nil }
    }
    return MetadataText.clean(String(text.prefix(32)))
  }

  /// Parses "+02:00", "-0330" or "Z" as seconds.
  package static func offset(_ text: String) -> Int? {
    var reader = DateReader(text)
    guard let offset = reader.zone(), reader.isAtEnd else { return nil }
    return offset
  }
}

/// Parses a date from left to right.
private struct DateReader {
  private var rest: ArraySlice<UInt8>

  init(_ text: String) {
    // No date is longer. Trailing blanks and zeros come from fixed-length fields.
    var bytes = Array(text.utf8.prefix(64))
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    rest = bytes[...]
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// Indicates whether blanks, and the colons between them, stand for the rest of the date.
  var isBlank: Bool {
    !isAtEnd && rest.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ":") }
  }

  /// Consumes one of the allowed characters; returns whether there was one.
  mutating func skip(_ allowed: String) -> Bool {
    guard let byte = rest.first, allowed.utf8.contains(byte) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Consumes a word, in any case; returns whether it was there.
  private mutating func skip(word: String) -> Bool {
    guard rest.prefix(word.utf8.count).elementsEqual(word.utf8, by: { $0 | 0x20 == $1 | 0x20 })
    else { return false }
    rest = rest.dropFirst(word.utf8.count)
    return true
  }

  /// Reads a number with exactly the given count of digits; a blank may replace a leading zero.
  private mutating func number(_ count: Int) -> Int? {
    guard rest.count >= count else { return nil }
    var value = 0
    for (index, byte) in rest.prefix(count).enumerated() {
      if byte == 0x20, index == 0, count == 2 { continue }
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    rest = rest.dropFirst(count)
    return value
  }

  /// The beginning of a day, month or year, in seconds since 1970.
  struct Day {
    let seconds: Double
    let precision: CaptureDate.Precision
  }

  /// Reads a year, and a month and a day if they follow; 00 and a day that the month does not have
  /// mean that one is unknown.
  mutating func day(separators: String) -> Day? {
    guard let year = number(4), year > 0 else { return nil }
    var (month, day) = (0, 0)
    if skip(separators) {
      if !isBlank {
        guard let number = number(2), number <= 12 else { return nil }
        month = number
        if skip(separators), !isBlank {
          guard let number = self.number(2), number <= 31 else { return nil }
          day = number
        }
      }
    } else if !isAtEnd {
      return nil
    }
    var number = CivilDate.number(
      year: year, month: max(month, 1), day: month > 0 ? max(day, 1) : 1)
    if day > 28, month > 0, CivilDate(number: number).month != month {
      day = 0
      number = CivilDate.number(year: year, month: month, day: 1)
    }
    return Day(
      seconds: Double(number * 86_400), precision: month == 0 ? .year : day == 0 ? .month : .day)
  }

  /// Reads a time and returns the seconds since midnight; seconds and fraction are optional.
  ///
  /// Hour 24 is the first of the day, as some phones count.
  ///
  /// - Parameter endOfDay: The seconds that 24:00:00 means.
  mutating func clock(endOfDay: Double) -> Double? {
    let first = rest.dropFirst().first == UInt8(ascii: ":") ? number(1) : number(2)
    guard var hour = first, hour <= 24, skip(":"), let minute = number(2), minute < 60 else {
      return nil
    }
    let isLast = hour == 24
    if isLast { hour = 0 }
    var seconds = Double(hour * 3600 + minute * 60)
    // Blanks at the end may stand for the seconds.
    if skip(":"), !isAtEnd {
      guard let second = number(2), second <= 60 else { return nil }
      seconds += Double(second)
      if skip(".,") {
        let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
        rest = rest.dropFirst(digits.count)
        seconds += Double("0." + String(decoding: digits.prefix(9), as: UTF8.self)) ?? 0
      }
    }
    if isLast, seconds == 0 { return endOfDay }
    return seconds + half(of: hour)
  }

  /// Reads "AM" or "PM" and returns the seconds to add to the hours up to 12.
  private mutating func half(of hour: Int) -> Double {
    let before = rest
    _ = skip(" ")
    let isMorning = skip(word: "AM")
    guard isMorning || skip(word: "PM") else {
      rest = before
      return 0
    }
    if isMorning { return hour == 12 ? -43_200 : 0 }
    return hour < 12 ? 43_200 : 0
  }

  /// Reads the seconds by which a clock is ahead of UTC, as in "Z", "+02:00" or "UTC+2".
  mutating func zone() -> Int? {
    _ = skip(" ")
    if skip("Zz") { return 0 }
    if skip(word: "UTC") || skip(word: "GMT"), isAtEnd { return 0 }
    let isWest = rest.first == UInt8(ascii: "-")
    guard skip("+-"), let hours = number(2) ?? number(1), hours <= 15 else { return nil }
    _ = skip(":")
    let minutes = isAtEnd ? 0 : number(2)
    guard let minutes, minutes < 60 else { return nil }
    let seconds = hours * 3600 + minutes * 60
    return isWest ? -seconds : seconds
  }
}
