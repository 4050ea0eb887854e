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
  /// Indicates whether the offset from UTC is known.
  package var hasOffset: Bool { offset != nil }

  /// Reads "2024:05:01 12:00:00", the 19 characters of EXIF; nil for anything else.
  ///
  /// - Parameters:
  ///   - fraction: Digits after the decimal point of the seconds.
  ///   - offset: "+02:00".
  package init?(exif text: String, fraction: String? = nil, offset: String? = nil) {
    var reader = DateReader(text)
    guard let day = reader.day(separators: ":-/"), reader.skip(" T"),
      let clock = reader.clock(), reader.isAtEnd
    else { return nil }
    seconds = day + clock
    let digits = (fraction ?? "").utf8.prefix { $0 >= 0x30 && $0 <= 0x39 }.prefix(9)
    if !digits.isEmpty { seconds += Double("0." + String(decoding: digits, as: UTF8.self)) ?? 0 }
    if let offset = offset.flatMap({ Self.offset($0) }) { apply(offset: offset) }
  }

  /// Reads an ISO 8601 date such as "2024-05-01T12:00:00.25+02:00", as used by XMP and QuickTime.
  ///
  /// Seconds, fraction and offset are optional, and so is the entire time.
  package init?(iso text: String) {
    var reader = DateReader(text)
    guard let day = reader.day(separators: "-:") else { return nil }
    seconds = day
    if reader.isAtEnd { return }
    guard reader.skip("T "), let clock = reader.clock() else { return nil }
    seconds += clock
    if reader.isAtEnd { return }
    guard let offset = reader.offset(), reader.isAtEnd else { return nil }
    apply(offset: offset)
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

  /// Parses "+02:00", "-0330" or "Z" as seconds.
  static func offset(_ text: String) -> Int? {
    var reader = DateReader(text)
    guard let offset = reader.offset(), reader.isAtEnd else { return nil }
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

  /// Consumes one of the allowed characters; returns whether there was one.
  mutating func skip(_ allowed: String) -> Bool {
    guard let byte = rest.first, allowed.utf8.contains(byte) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Reads a number with exactly the given count of digits.
  mutating func number(_ count: Int) -> Int? {
    guard rest.count >= count else { return nil }
    var value = 0
    for byte in rest.prefix(count) {
      guard byte >= 0x30, byte <= 0x39 else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    rest = rest.dropFirst(count)
    return value
  }

  /// Reads a day and returns the seconds from 1970 to its beginning.
  mutating func day(separators: String) -> Double? {
    guard let year = number(4), year > 0, skip(separators), let month = number(2),
      (1...12).contains(month), skip(separators), let day = number(2), (1...31).contains(day)
    else { return nil }
    return Double(CivilDate.number(year: year, month: month, day: day) * 86_400)
  }

  /// Reads a time and returns the seconds since midnight; seconds and fraction are optional.
  mutating func clock() -> Double? {
    guard let hour = number(2), hour < 24, skip(":"), let minute = number(2), minute < 60 else {
      return nil
    }
    var seconds = Double(hour * 3600 + minute * 60)
    guard skip(":") else { return seconds }
    guard let second = number(2), second <= 60 else { return nil }
    seconds += Double(second)
    guard skip(".,") else { return seconds }
    let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
    rest = rest.dropFirst(digits.count)
    return seconds + (Double("0." + String(decoding: digits.prefix(9), as: UTF8.self)) ?? 0)
  }

  /// Reads the seconds by which a clock is ahead of UTC.
  mutating func offset() -> Int? {
    if skip("Zz") { return 0 }
    let isWest = rest.first == UInt8(ascii: "-")
    guard skip("+-"), let hours = number(2), hours <= 15 else { return nil }
    _ = skip(":")
    let minutes = isAtEnd ? 0 : number(2)
    guard let minutes, minutes < 60 else { return nil }
    let seconds = hours * 3600 + minutes * 60
    return isWest ? -seconds : seconds
  }
}
