// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Timeline", .seeded)
struct TimelineTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }

  init() throws { folder = try TestLibrary() }

  @Test func `a photo counts for the day at its place`() throws {
    // 2019-05-31 23:30 in Tokyo, 14:30 in UTC; and 2019-06-01 00:30 in UTC, 14:30 in Hawaii.
    let tokyo = try folder.addAsset {
      ($0.creationDate, $0.utcOffset) = (Date(timeIntervalSince1970: 1_559_313_000), 32_400)
    }
    let hawaii = try folder.addAsset {
      ($0.creationDate, $0.utcOffset) = (Date(timeIntervalSince1970: 1_559_349_000), -36_000)
    }
    let unknown = try folder.addAsset {
      $0.creationDate = Date(timeIntervalSince1970: 1_559_349_000)
    }
    _ = try folder.addAsset()
    #expect(
      [tokyo, hawaii, unknown].map { $0.day?.description } == [
        "2019-05-31", "2019-05-31", "2019-06-01",
      ])
    let months = try library.fetchTimeline(by: .month)
    #expect(months.periods.map(\.name) == ["2019-05", "2019-06", "undated"])
    #expect(months.periods.map(\.count) == [2, 1, 1] && months.count == 4)
    let may = try #require(CalendarDay.range("2019-05"))
    #expect(
      Array(try library.fetchAssets(FetchOptions(predicate: .days(may)))) == [tokyo, hawaii])
  }

  @Test func `counts add up and match the assets of each period`() throws {
    var numbers = SeededNumbers(41)
    func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &numbers) }
    _ = try folder.addAssets(300) { i, record in
      record.creationDate =
        number(9) == 0 ? nil : Date(timeIntervalSince1970: Double(number(300_000_000) - 90_000_000))
      record.utcOffset = [nil, 43_200, -39_600][number(3)]
      record.mediaType = [.image, .video, .audio][number(3)]
      record.isHidden = number(5) == 0
      record.title = number(2) == 0 ? "boat" : nil
    }
    let trashed = Array(try library.fetchAssets().prefix(20))
    try library.performChangesAndWait { try $0.delete(trashed) }
    for unit in Timeline.Unit.allCases {
      for predicate in [nil, FetchPredicate<Asset>.words("boat")] {
        for includesHidden in [false, true] {
          var options = FetchOptions<Asset>(predicate: predicate)
          options.includeHiddenAssets = includesHidden
          let timeline = try library.fetchTimeline(by: unit, options: options)
          let assets = Array(try library.fetchAssets(options))
          #expect(timeline.count == assets.count)
          #expect(
            timeline.periods.last?.days == nil
              && timeline.periods.dropLast().allSatisfy { $0.days != nil })
          for period in timeline.periods {
            let members = assets.filter { asset in
              guard let days = period.days else { return asset.creationDate == nil }
              return asset.day.map { days.contains($0) } == true
            }
            #expect(members.count == period.count)
            #expect(members.count { $0.mediaType == .image } == period.imageCount)
            #expect(members.count { $0.mediaType == .video } == period.videoCount)
          }
          let starts = timeline.periods.compactMap { $0.days?.lowerBound }
          #expect(starts == starts.sorted() && Set(starts).count == starts.count)
        }
      }
    }
  }

  @Test(arguments: [
    ("2019", "2019-01-01", "2019-12-31"), ("2020-02", "2020-02-01", "2020-02-29"),
    ("1969-12-31", "1969-12-31", "1969-12-31"), ("0001", "0001-01-01", "0001-12-31"),
    ("9999-12", "9999-12-01", "9999-12-31"),
  ])
  func `days, months and years are ranges of days`(text: String, first: String, last: String) throws
  {
    let range = try #require(CalendarDay.range(text))
    #expect(range.lowerBound.description == first && range.upperBound.description == last)
    #expect(CalendarDay(number: range.lowerBound.number) == range.lowerBound)
  }

  @Test(arguments: [
    "", "20", "2019-", "2019-13", "2019-00", "2019-02-29", "2019-2-1", "0000", "x", "-2019",
  ])
  func `a malformed day is no range`(text: String) {
    #expect(CalendarDay.range(text) == nil)
  }
}
