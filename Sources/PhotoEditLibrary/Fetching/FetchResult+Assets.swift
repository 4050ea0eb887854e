// SPDX-License-Identifier: Apache-2.0
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
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle] < row { low = middle + 1 } else { high = middle }
    }
    return low < rows.count && rows[low] == row
  }
}
