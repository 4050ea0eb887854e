// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// The days, months or years in which assets were taken, with the number of assets in each.
///
/// A day is that of the calendar at the place of capture: a photo taken in Tokyo at 23:30 counts for
/// that day everywhere. A time without a known offset from UTC counts as the time on the camera's
/// clock.
public struct Timeline: Sendable, Hashable {
  /// The lengths of periods.
  public enum Unit: String, Sendable, Hashable, CaseIterable {
    /// Days.
    case day
    /// Months.
    case month
    /// Years.
    case year
  }

  /// A period with assets.
  public struct Period: Sendable, Hashable {
    /// The first and the last day of the period; nil for assets without a date.
    public let days: ClosedRange<CalendarDay>?
    /// The unit of the timeline.
    public let unit: Unit
    /// The number of assets.
    public internal(set) var count = 0
    /// The number of those that are images.
    public internal(set) var imageCount = 0
    /// The number of those that are videos.
    public internal(set) var videoCount = 0

    /// The period as "2019-05-01", "2019-05" or "2019"; "undated" for assets without a date.
    public var name: String {
      guard let days else { return "undated" }
      let text = days.lowerBound.description
      switch unit {
      case .day: return text
      case .month: return String(text.prefix(7))
      case .year: return String(text.prefix(4))
      }
    }
  }

  /// The periods with assets, the oldest first; assets without a date come last.
  public let periods: [Period]
  /// The number of assets in all periods.
  public var count: Int { periods.reduce(0) { $0 + $1.count } }

  /// Adds up counts of days, which are in ascending order.
  init(_ unit: Unit, _ counts: some Sequence<(day: Int64, mediaType: Int64, count: Int)>) {
    var periods: [Period] = []
    for (number, type, count) in counts {
      let day = number == Int64(LibrarySchema.undated) ? nil : CalendarDay(number: Int(number))
      if periods.isEmpty || !(periods[periods.count - 1].contains(day)) {
        periods.append(Period(days: day.map { Self.days(of: $0, unit) }, unit: unit))
      }
      periods[periods.count - 1].count += count
      switch MediaType(rawValue: Int(type)) {
      case .image: periods[periods.count - 1].imageCount += count
      case .video: periods[periods.count - 1].videoCount += count
      default: break
      }
    }
    self.periods = periods
  }

  private static func days(of day: CalendarDay, _ unit: Unit) -> ClosedRange<CalendarDay> {
    let length =
      switch unit {
      case .day: 10
      case .month: 7
      case .year: 4
      }
    return CalendarDay.range(String(day.description.prefix(length))) ?? day...day
  }
}

extension Timeline.Period {
  fileprivate func contains(_ day: CalendarDay?) -> Bool {
    guard let day, let days else { return day == nil && days == nil }
    return days.contains(day)
  }
}

extension PhotoLibrary {
  /// Fetches the periods in which assets were taken.
  ///
  /// Without a predicate, the counts are read from a table that each commit updates: the time does
  /// not depend on the number of assets.
  ///
  /// - Parameters:
  ///   - unit: The length of the periods.
  ///   - options: The assets to count; sort descriptors and limit are ignored.
  /// - Throws: `LibraryError` if the library cannot be read.
  public func fetchTimeline(
    by unit: Timeline.Unit, options: FetchOptions<Asset> = FetchOptions()
  ) throws(LibraryError) -> Timeline {
    guard reader.canRead else {
      return Timeline(unit, [(day: Int64, mediaType: Int64, count: Int)]())
    }
    return try read { database throws(LibraryError) in
      let session = try FetchSession(reader, database)
      let scope = AssetScope(options, session, otherwise: .own)
      let statement: SQLFragment
      if let condition = scope.countedByDay, options.predicate == nil {
        statement = SQLFragment(
          """
          SELECT day, mediaType, sum(count) FROM asset_day WHERE \(condition)
          GROUP BY day, mediaType HAVING sum(count) > 0
          """)
      } else {
        var query = AssetQuery(scope: scope, rule: nil, options: options)
        query.access = .lists
        query = try query.planned(database)
        statement =
          SQLFragment(
            "SELECT coalesce(day, \(LibrarySchema.undated)), mediaType, count(*) FROM asset WHERE ")
          + .all(query.conditions) + SQLFragment(" GROUP BY 1, 2")
      }
      let counts = try database.all(statement.text, statement.values) {
        (day: $0.int(0), mediaType: $0.int(1), count: Int($0.int(2)))
      }
      return Timeline(unit, counts.sorted { ($0.day, $0.mediaType) < ($1.day, $1.mediaType) })
    }
  }
}
