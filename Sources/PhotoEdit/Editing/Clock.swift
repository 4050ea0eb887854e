// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
import PhotoEditCodecs
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
    text(date, in: { gmtime_r($0, $1) }) { fields in
      "\(day(fields))T\(minute(fields)):\(zeroPadded(Int(fields.tm_sec)))Z"
    }
  }

  /// Returns a date on a clock ahead of UTC by some seconds; in UTC if nil.
  package static func text(_ date: Date, utcOffset: Int?) -> String {
    let text = text(date.addingTimeInterval(Double(utcOffset ?? 0)))
    guard let utcOffset, utcOffset % 60 == 0, text.last == "Z" else { return self.text(date) }
    return text.dropLast() + CaptureDate.text(offset: utcOffset)
  }

  /// Returns a date in local time, to the minute.
  package static func localText(_ date: Date) -> String {
    text(date, in: { localtime_r($0, $1) }) { "\(day($0)) \(minute($0))" }
  }

  /// The English names of the months.
  package static let monthNames = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  private static func text(
    _ date: Date,
    in zone: (UnsafePointer<time_t>, UnsafeMutablePointer<tm>) -> UnsafeMutablePointer<tm>?,
    _ format: (tm) -> String
  ) -> String {
    let interval = date.timeIntervalSince1970
    guard abs(interval) < 253_402_300_800 else { return "\(interval) seconds after 1970" }
    var seconds = time_t(interval)
    var fields = tm()
    _ = zone(&seconds, &fields)
    return format(fields)
  }

  private static func day(_ fields: tm) -> String {
    let (month, day) = (Int(fields.tm_mon) + 1, Int(fields.tm_mday))
    return "\(zeroPadded(Int(fields.tm_year) + 1900, 4))-\(zeroPadded(month))-\(zeroPadded(day))"
  }

  private static func minute(_ fields: tm) -> String {
    zeroPadded(Int(fields.tm_hour)) + ":" + zeroPadded(Int(fields.tm_min))
  }

}
