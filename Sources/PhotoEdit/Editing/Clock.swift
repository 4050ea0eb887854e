// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
import PhotoEditPlatform

/// The current time, the local offset from UTC, and the formatting of dates.
package enum Clock {
  package static func now() -> (date: Date, utcOffset: Int) {
    var seconds = time(nil)
    var local = tm()
    localtime_r(&seconds, &local)
    return (Date(timeIntervalSince1970: Double(seconds)), local.tm_gmtoff)
  }

  /// Returns a date in UTC for display; a date after the year 9999 in seconds.
  package static func text(_ date: Date) -> String {
    let interval = date.timeIntervalSince1970
    guard abs(interval) < 253_402_300_800 else { return "\(interval) seconds after 1970" }
    var seconds = time_t(interval)
    var utc = tm()
    gmtime_r(&seconds, &utc)
    func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(utc.tm_year + 1900)-\(two(utc.tm_mon + 1))-\(two(utc.tm_mday))T"
      + "\(two(utc.tm_hour)):\(two(utc.tm_min)):\(two(utc.tm_sec))Z"
  }
}
