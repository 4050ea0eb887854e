// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers

/// A date and time with its offset from UTC.
public struct MovieDate: Sendable, Hashable, CustomStringConvertible {
  /// Seconds since 1970-01-01 00:00 UTC.
  public var seconds: Int
  /// Seconds by which local clocks were ahead of UTC.
  public var utcOffset: Int

  /// Creates a date.
  public init(seconds: Int, utcOffset: Int = 0) {
    self.seconds = seconds
    self.utcOffset = utcOffset
  }

  /// Seconds since 1904 UTC, as stored in 32-bit header fields; nil before 1904 and after 2040.
  var secondsSince1904: Int? {
    let (sum, overflows) = seconds.addingReportingOverflow(2_082_844_800)
    return !overflows && (1...Int(UInt32.max)).contains(sum) ? sum : nil
  }

  /// The date in the ISO 8601 notation used by cameras: "2024-05-06T12:34:56+0200".
  public var description: String {
    let local = min(max(seconds, -(1 << 40)), 1 << 40) + min(max(utcOffset, -86_400), 86_400)
    let day = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
    let second = local - day * 86_400

    let offset = utcOffset.magnitude / 60
    return "\(CivilDate(number: day))T\(zeroPadded(second / 3600)):"
      + "\(zeroPadded(second / 60 % 60)):\(zeroPadded(second % 60))"
      + (utcOffset < 0 ? "-" : "+") + zeroPadded(Int(offset / 60 % 100))
      + zeroPadded(Int(offset % 60))
  }

  /// Parses ISO 8601: a date, "T" or a space, a time, and "Z", "+02:00", "+0200" or nothing for
  /// UTC.
  public init?(_ text: String) {
    let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { "T ".contains($0) }
    guard parts.count == 2 else { return nil }
    let date = parts[0].split(separator: "-", omittingEmptySubsequences: false).map(Self.number)
    let zoneStart = parts[1].firstIndex { "Zz+-".contains($0) } ?? parts[1].endIndex
    let time = parts[1][..<zoneStart].split(separator: ":", omittingEmptySubsequences: false)
      .map(Self.number)
    guard date.count == 3, time.count == 3, let year = date[0], let month = date[1],
      let day = date[2], let hour = time[0], let minute = time[1], let second = time[2],
      (1...9999).contains(year), let day = CivilDate(year: year, month: month, day: day)?.number,
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second),
      let offset = Self.offset(parts[1][zoneStart...])
    else { return nil }
    seconds = day * 86_400 + hour * 3600 + minute * 60 + second - offset
    utcOffset = offset
  }

  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } && text.utf8.count <= 4 ? Int(text) : nil
  }

  private static func offset(_ text: Substring) -> Int? {
    guard let sign = text.first else { return 0 }
    if text.lowercased() == "z" { return 0 }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard digits.utf8.count == 4, let value = number(Substring(digits)), value / 100 <= 18,
      value % 100 < 60
    else { return nil }
    return (value / 100 * 3600 + value % 100 * 60) * (sign == "-" ? -1 : 1)
  }
}
