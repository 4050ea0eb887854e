// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite
import Testing

@testable import PhotoEditLibrary

@Suite("Large albums")
struct LargeAlbumTests {
  @Test(.requirement("fetch-methods"))
  func `a large album is fetched in order and counted exactly`() throws {
    let folder = try TestLibrary()
    let library = folder.library
    let records = (0..<10_050).map { i in
      var record = PhotoProperties(
        originalFilename: "a", addedAt: Date(timeIntervalSince1970: Double(i)))
      record.isHidden = i % 1000 == 7
      record.sourceType = i == 20 ? .cloudShared : .userLibrary
      record.creationDate = Date(timeIntervalSince1970: Double((i * 7919) % 10_050))
      return record
    }
    try library.insertRows(records)
    let album = try folder.addAlbum("large")
    let row = try #require(album.row)
    try folder.edit { commit throws(LibraryError) in
      // Reversed, so that the order differs from that of the rows.
      try commit.database.run(
        "INSERT INTO member (album, position, asset) SELECT ?, -id, id FROM asset",
        [.integer(row)])
    }
    #expect(try library.read { db throws(LibraryError) in try AlbumSummary.isLarge(row, db) })
    let expected = try library.read { database throws(LibraryError) in
      try database.all(
        "SELECT id FROM asset WHERE NOT isHidden ORDER BY id DESC"
      ) { $0.int(0) }
    }
    let found = try library.fetchAssets(in: album)
    #expect(Array(found.rows) == expected && found.count == 10_039)
    #expect(
      try library.fetchAssets(in: album, options: FetchOptions(fetchLimit: 3)).rows
        == ChunkedRowList(Array(expected.prefix(3))))
    var options = FetchOptions<Asset>()
    options.includeHiddenAssets = true
    #expect(try library.fetchAssets(in: album, options: options).count == 10_050)
    let summary = try #require(try library.fetchAssetCollections(with: .album).first)
    let visible = records.filter { !$0.isHidden }.compactMap(\.creationDate)
    #expect(summary.estimatedAssetCount == 10_039)
    #expect(summary.startDate == visible.min() && summary.endDate == visible.max())
    let recents = try library.fetchAssetCollections(
      with: .smartAlbum, subtype: .smartAlbumUserLibrary)
    #expect(recents.first?.estimatedAssetCount == 10_038)
    #expect(recents.first?.startDate == visible.min() && recents.first?.endDate == visible.max())
  }
}
