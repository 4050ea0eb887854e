// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Testing

@testable import PhotoEditLibrary

@Suite("Timeline entries")
struct TimelineEntryTests {
  @Test func `a large result has the entries of its assets, also after later commits`() throws {
    let folder = try TestLibrary()
    let library = folder.library
    let records = (0..<2500).map { number in
      var record = PhotoProperties(
        originalFilename: "\(number)", addedAt: Date(timeIntervalSince1970: Double(number)))
      (record.pixelWidth, record.pixelHeight) = (100 + number % 7, 100 + number % 11)
      record.creationDate =
        number % 5 == 0 ? nil : Date(timeIntervalSince1970: Double((number * 7919) % 2500))
      record.location =
        number % 3 == 0 ? nil : LocationCoordinate(latitude: Double(number % 90), longitude: -1)
      return record
    }
    try library.insertRows(records)
    let result = try library.fetchAssets(
      FetchOptions(sortDescriptors: [FetchSort(AssetKey.creationDate, ascending: false)]))
    let expected = result.map { text(TimelineEntry($0)) }
    #expect(expected.count == 2500 && Set(expected).count > 1000)
    #expect(try #require(result.valuesOfAllRows(text)) == expected)
    try library.performChangesAndWait { changes in
      try changes.change(result[7]).setCreationDate(Date(timeIntervalSince1970: 9e8))
      try changes.delete([result[8]])
    }
    #expect(try #require(result.valuesOfAllRows(text)) == expected)
    #expect(result.timelineEntries(text) == expected)
  }

  @Test func `a small part of a library is not read with all of it`() throws {
    let folder = try TestLibrary()
    try folder.library.insertRows(
      (0..<2000).map { number in
        var record = PhotoProperties(originalFilename: "a", addedAt: Date())
        record.creationDate = Date(timeIntervalSince1970: Double(number))
        return record
      })
    var options = FetchOptions<Asset>()
    options.fetchLimit = 3
    options.sortDescriptors = [FetchSort(AssetKey.creationDate, ascending: false)]
    let result = try folder.library.fetchAssets(options)
    #expect(result.valuesOfAllRows(text) == nil)
    #expect(result.timelineEntries(text).count == 3)
  }

  private func text(_ entry: TimelineEntry) -> String {
    "\(entry.pixelWidth) \(entry.pixelHeight) \(String(describing: entry.creationDate)) "
      + String(describing: entry.coordinates)
  }
}
