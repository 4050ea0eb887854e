// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditLibrary
import PhotoEditPlatform
import PhotoEditStorage

/// The contents of a list of photos as of one commit, with what a layout needs of each photo.
struct ViewContents: Sendable {
  /// The values of a photo that determine the layout.
  struct Entry: Sendable, Hashable {
    /// The aspect ratio: round(128 + 48·ln(width / height)), 1 to 255; 0 if it is unknown.
    let shape: UInt8
    /// The days since 1970 in local time; nil for a photo without a date.
    let day: Int32?

    init(_ asset: Asset) {
      shape = Self.shape(asset.pixelWidth, asset.pixelHeight)
      day = asset.creationDate.map { LocalDay.day(of: $0) }
    }

    static func shape(_ width: Int, _ height: Int) -> UInt8 {
      guard width > 0, height > 0 else { return 0 }
      let value = (128 + 48 * log(Double(width) / Double(height))).rounded()
      return UInt8(min(max(value, 1), 255))
    }
  }

  /// The rule by which photos are grouped.
  enum Sections: String, Sendable {
    case month, moment, none
  }

  let photos: FetchResult<Asset>
  let entries: [Entry]

  init(_ photos: FetchResult<Asset>) {
    self.photos = photos
    entries = photos.map { Entry($0) }
  }

  private init(_ photos: FetchResult<Asset>, _ entries: [Entry]) {
    (self.photos, self.entries) = (photos, entries)
  }

  /// Returns the contents after changes.
  func applying(_ details: FetchResultChangeDetails<Asset>) -> ViewContents {
    ViewContents(
      details.fetchResultAfterChanges, details.applying(to: entries) { Entry($0) })
  }

  var shapes: [UInt8] { entries.map(\.shape) }

  /// The places where the groups of photos begin.
  func sections(by rule: Sections) -> JSONValue {
    var sections: [JSONValue] = []
    var (key, title, start) = ("", "", 0)
    func end(at index: Int) {
      guard index > start else { return }
      sections.append(
        .object([
          "key": .string(key), "title": .string(title), "start": .whole(start),
          "count": .whole(index - start),
        ]))
    }
    var last: Int32??
    for (index, entry) in entries.enumerated() where rule != .none || index == 0 {
      if let last, last == entry.day { continue }
      last = .some(entry.day)
      let next = LocalDay.name(of: entry.day, isMonth: rule == .month)
      guard index == 0 || next.key != key else { continue }
      end(at: index)
      (key, title, start) = rule == .none ? ("", "", index) : (next.key, next.title, index)
    }
    end(at: entries.count)
    return .array(sections)
  }
}

/// Days in the local time of this machine.
enum LocalDay {
  /// Returns the days since 1970.
  static func day(of date: Date) -> Int32 {
    let seconds = date.timeIntervalSince1970
    guard abs(seconds) < 1e11 else { return 0 }
    var (time, local) = (time_t(seconds), tm())
    localtime_r(&time, &local)
    return Int32(((seconds + Double(local.tm_gmtoff)) / 86400).rounded(.down))
  }

  /// Returns the key "2024-06" and the title "June 2024" of a day's month, or those of the day.
  static func name(of day: Int32?, isMonth: Bool) -> (key: String, title: String) {
    guard let day else { return ("none", "No date") }
    var (time, utc) = (time_t(day) * 86400, tm())
    gmtime_r(&time, &utc)
    let (year, month) = (Int(utc.tm_year) + 1900, Int(utc.tm_mon))
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let key = "\(year)-\(two(month + 1))"
    let title = "\(months[min(max(month, 0), 11)]) \(year)"
    return isMonth
      ? (key, title) : (key + "-" + two(Int(utc.tm_mday)), "\(utc.tm_mday) \(title)")
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
}
