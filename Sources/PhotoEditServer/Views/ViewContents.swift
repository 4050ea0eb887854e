// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform

/// The contents of a list of photos as of one commit, with what a layout needs of each photo.
struct ViewContents: Sendable {
  /// The values of a photo that determine the layout.
  struct Entry: Sendable, Equatable {
    /// The aspect ratio: round(128 + 48·ln(width / height)), 1 to 255; 0 if it is unknown.
    let shape: UInt8
    /// The minutes since 1970 in local time; `noDate` for a photo without a date.
    let minute: Int32
    /// The latitude and the longitude in steps of 1/65535 of their ranges, 0 without a location.
    private let location: (UInt16, UInt16)

    static let noDate = Int32.min

    init(_ entry: TimelineEntry, byImport: Bool = false) {
      let date = byImport ? entry.addedDate : entry.creationDate
      self.init(
        shape: Self.shape(entry.pixelWidth, entry.pixelHeight),
        minute: date.map { LocalTime.minute(of: $0) } ?? Self.noDate,
        coordinates: entry.coordinates)
    }

    init(shape: UInt8, minute: Int32, coordinates: MomentBoundary.Coordinates?) {
      (self.shape, self.minute) = (shape, minute)
      // Small, because each version of a list keeps its own entries.
      location =
        coordinates.map {
          (Self.step($0.latitude, of: 180), Self.step($0.longitude, of: 360))
        } ?? (0, 0)
    }

    private static func step(_ degrees: Double, of range: Double) -> UInt16 {
      UInt16(min(max((degrees / range + 0.5) * 65534 + 1, 1), 65535))
    }

    var coordinates: MomentBoundary.Coordinates? {
      guard location.0 > 0 else { return nil }
      return (
        180 * ((Double(location.0) - 1) / 65534 - 0.5),
        360 * ((Double(location.1) - 1) / 65534 - 0.5)
      )
    }

    /// The days since 1970 in local time; nil without a date.
    var day: Int32? {
      minute == Self.noDate ? nil : Int32((Double(minute) / 1440).rounded(.down))
    }

    static func == (first: Entry, second: Entry) -> Bool {
      first.shape == second.shape && first.minute == second.minute
        && first.location == second.location
    }

    static func shape(_ width: Int, _ height: Int) -> UInt8 {
      guard width > 0, height > 0 else { return 0 }
      let value = (128 + 48 * log(Double(width) / Double(height))).rounded()
      return UInt8(min(max(value, 1), 255))
    }
  }

  /// The rule by which photos are grouped.
  enum Sections: String, Sendable, CaseIterable {
    case month, day, moment, none
  }

  let photos: FetchResult<Asset>
  let entries: [Entry]
  /// Indicates whether the dates of the entries are those of import, not of capture.
  private let isByImport: Bool

  init(_ photos: FetchResult<Asset>, byImport: Bool = false) {
    self.init(photos, photos.timelineEntries { Entry($0, byImport: byImport) }, byImport: byImport)
  }

  private init(_ photos: FetchResult<Asset>, _ entries: [Entry], byImport: Bool) {
    (self.photos, self.entries, isByImport) = (photos, entries, byImport)
  }

  func applying(_ details: FetchResultChangeDetails<Asset>) -> ViewContents {
    ViewContents(
      details.fetchResultAfterChanges,
      details.applying(to: entries) { Entry(TimelineEntry($0), byImport: isByImport) },
      byImport: isByImport)
  }

  var shapes: [UInt8] { entries.map(\.shape) }

  /// The sections of the list, each with key, title, start and count.
  func sections(by rule: Sections) -> JSONValue {
    var sections: [JSONValue] = []
    var start = 0
    for index in 1..<max(1, entries.count) where begins(at: index, by: rule) {
      sections.append(section(start..<index, rule))
      start = index
    }
    if !entries.isEmpty { sections.append(section(start..<entries.count, rule)) }
    return .array(sections)
  }

  /// Returns whether a section begins at an index above 0.
  private func begins(at index: Int, by rule: Sections) -> Bool {
    let (before, entry) = (entries[index - 1], entries[index])
    guard rule != .none, before.minute != entry.minute || rule == .moment else { return false }
    guard before.day != nil, entry.day != nil else { return before.day != entry.day }
    if rule == .moment {
      return MomentBoundary.separates(
        60 * (Double(entry.minute) - Double(before.minute)), before.coordinates,
        entry.coordinates)
    }
    return before.day != entry.day
      && (rule == .day || LocalTime.month(of: before.day) != LocalTime.month(of: entry.day))
  }

  private func section(_ range: Range<Int>, _ rule: Sections) -> JSONValue {
    let (first, last) = (entries[range.lowerBound], entries[range.upperBound - 1])
    let name: (key: String, title: String) =
      switch rule {
      case .none: ("", "")
      case .month: LocalTime.month(of: first.day)
      case .day: LocalTime.day(first.day)
      case .moment:
        LocalTime.moment(from: min(first.minute, last.minute), to: max(first.minute, last.minute))
      }
    return .object([
      "key": .string(name.key), "title": .string(name.title), "start": .whole(range.lowerBound),
      "count": .whole(range.count),
    ])
  }
}

/// Dates and times in the local time of this machine.
enum LocalTime {
  /// Returns the minutes since 1970.
  static func minute(of seconds: Double) -> Int32 {
    guard abs(seconds) < 1e11 else { return 0 }
    var (time, local) = (time_t(seconds), tm())
    localtime_r(&time, &local)
    return Int32(((seconds + Double(local.tm_gmtoff)) / 60).rounded(.down))
  }

  /// Returns the key "2024-06" and the title "June 2024" of the month of a day since 1970.
  static func month(of day: Int32?) -> (key: String, title: String) {
    guard let day else { return ("none", "No date") }
    let date = parts(of: Double(day) * 1440)
    return ("\(date.year)-\(two(date.month))", "\(Clock.monthNames[date.month - 1]) \(date.year)")
  }

  /// Returns the key "2024-06-14" and the title "14 June 2024" of a day since 1970.
  static func day(_ day: Int32?) -> (key: String, title: String) {
    guard let day else { return ("none", "No date") }
    let date = parts(of: Double(day) * 1440)
    return ("\(date.year)-\(two(date.month))-\(two(date.day))", title(of: date))
  }

  /// Returns the key "2024-06-14T11:42" and the title "14 June 2024, 09:10–11:42" of two minutes.
  static func moment(from first: Int32, to last: Int32) -> (key: String, title: String) {
    guard first != ViewContents.Entry.noDate else { return ("none", "No date") }
    let (start, end) = (parts(of: Double(first)), parts(of: Double(last)))
    let key = "\(end.year)-\(two(end.month))-\(two(end.day))T\(end.time)"
    if first == last { return (key, "\(title(of: start)), \(start.time)") }
    return title(of: start) == title(of: end)
      ? (key, "\(title(of: start)), \(start.time)–\(end.time)")
      : (key, "\(title(of: start)), \(start.time) – \(title(of: end)), \(end.time)")
  }

  private static func title(of date: Parts) -> String {
    "\(date.day) \(Clock.monthNames[date.month - 1]) \(date.year)"
  }

  private typealias Parts = (year: Int, month: Int, day: Int, time: String)

  private static func parts(of minute: Double) -> Parts {
    var (time, utc) = (time_t(minute) * 60, tm())
    gmtime_r(&time, &utc)
    return (
      Int(utc.tm_year) + 1900, min(max(Int(utc.tm_mon), 0), 11) + 1, Int(utc.tm_mday),
      "\(two(Int(utc.tm_hour))):\(two(Int(utc.tm_min)))"
    )
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
