// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite

extension FetchResult where Object == Asset {
  /// Returns the number of members with a media type.
  ///
  /// - Throws: `LibraryError` if the library cannot be read.
  public func countOfAssets(with mediaType: MediaType) throws(LibraryError) -> Int {
    guard let library, version > 0 else {
      return self.count { $0.mediaType == mediaType }
    }
    return try library.read { database throws(LibraryError) in
      let isMember = RowSet(rows)
      // For assets that changed since then, the earlier type counts.
      var before: [Int64: Bool] = [:]
      for (row, type) in try database.all(
        Self.earlierTypes, [.integer(version)],
        { row in
          (row.int(0), Int(row.int(1)))
        }) where isMember.contains(row)
      {
        before[row] = type == mediaType.rawValue
      }
      var count = before.values.count { $0 }
      try database.calling(
        database.connection.each(
          "SELECT id FROM asset WHERE visibility IN (\(Self.allVisibilities)) AND mediaType = ?",
          [.init(mediaType.rawValue)]
        ) { row in
          let row = row.int(0)
          if isMember.contains(row), before[row] == nil { count += 1 }
        })
      return count
    }
  }

  /// Selects the media type of each asset before its first change after a commit.
  private static var earlierTypes: String {
    "SELECT id, mediaType, min(change) FROM assetHistory WHERE change > ? GROUP BY id"
  }

  /// All visibilities, so that SQLite can use the index that starts with the visibility.
  private static var allVisibilities: String {
    AssetScope.everyVisibility.map(String.init).joined(separator: ", ")
  }
}

/// The sorted rows of a result, for membership tests without a separate table.
private struct RowSet {
  private let rows: [Int64]

  init(_ rows: ChunkedRowList) { self.rows = rows.sorted() }

  func contains(_ row: Int64) -> Bool {
    let index = rows.partitionPoint { $0 >= row }
    return index < rows.count && rows[index] == row
  }
}

/// The values of an asset that determine its position and its shape in a timeline.
package struct TimelineEntry: Sendable {
  package let pixelWidth: Int
  package let pixelHeight: Int
  /// The seconds since 1970; nil without a date.
  package let creationDate: Double?
  /// The seconds since 1970 of the import.
  package let addedDate: Double?
  package let coordinates: MomentBoundary.Coordinates?

  package init(_ asset: Asset) {
    pixelWidth = asset.pixelWidth
    pixelHeight = asset.pixelHeight
    creationDate = asset.creationDate?.timeIntervalSince1970
    addedDate = asset.addedDate.timeIntervalSince1970
    coordinates = asset.location.map { ($0.latitude, $0.longitude) }
  }

  /// Reads a row of `selection`.
  fileprivate init(_ row: Row) {
    pixelWidth = Int(row.int(1))
    pixelHeight = Int(row.int(2))
    creationDate = row.optionalReal(3)
    coordinates = row.isNull(4) || row.isNull(5) ? nil : (row.real(4), row.real(5))
    addedDate = row.optionalReal(6)
  }

  fileprivate static let selection =
    "SELECT id, pixelWidth, pixelHeight, creationDate, latitude, longitude, addedDate FROM asset"
}

extension FetchResult where Object == Asset {
  /// Returns the entries of all members in order, each converted by a closure.
  ///
  /// The entries of a large result are read by one statement, without creating assets.
  package func timelineEntries<Value>(_ make: (TimelineEntry) -> Value) -> [Value] {
    if count >= 2000, let values = valuesOfAllRows(make) { return values }
    return map { make(TimelineEntry($0)) }
  }

  /// Reads the whole table; nil if it contains many other assets, or if a member is missing.
  func valuesOfAllRows<Value>(_ make: (TimelineEntry) -> Value) -> [Value]? {
    guard let library, version > 0, let last = rows.max(), last <= 8 * Int64(count) + 1000,
      rows.min() ?? 0 > 0
    else { return nil }
    // The table is in the order of its rows; the result is in its own.
    var positions = [Int32](repeating: -1, count: Int(last) + 1)
    rows.forEachChunk { start, rows in
      for (offset, row) in rows.enumerated() { positions[Int(row)] = Int32(start + offset) }
    }
    var values = [Value?](repeating: nil, count: count)
    let read: Void? = try? library.read(asOf: version) { session throws(LibraryError) in
      try session.database.each(TimelineEntry.selection) { row in
        let number = row.int(0)
        guard number >= 0, number <= last, positions[Int(number)] >= 0 else { return }
        values[Int(positions[Int(number)])] = make(TimelineEntry(row))
      }
    }
    guard read != nil else { return nil }
    let found = values.compactMap { $0 }
    return found.count == count ? found : nil
  }
}
