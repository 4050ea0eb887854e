// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Positions in albums")
struct PositionTests {
  private let folder: TestLibrary

  init() throws { folder = try TestLibrary() }

  /// Returns whether all member positions are distinct, including those in the trash.
  private func isInOrder() throws -> Bool {
    try folder.number(
      """
      SELECT count(*) - count(DISTINCT position) FROM (
        SELECT position FROM member UNION ALL SELECT position FROM trashedMember)
      """) == 0
  }

  @Test(.requirement("insert-assets"))
  func `an exhausted gap moves a few neighbors and keeps the order`() throws {
    let all = try folder.addAssets(60)
    let album = try folder.addAlbum(Array(all[..<50]))
    // In two steps because positions are unique.
    try folder.tamper("UPDATE member SET position = -position")
    try folder.tamper("UPDATE member SET position = 1000 - position / 1048576")
    #expect(try folder.assets(in: album) == Array(all[..<50]))
    var expected = Array(all[..<50])
    for (i, asset) in all[50...].enumerated() {
      let version = try folder.version()
      let index = [25, 25, 26, 0, 55, 1, 30, 30, 30, 30][i]
      try folder.change(album) { try $0.insertAssets([asset], at: [min(index, expected.count)]) }
      expected.insert(asset, at: min(index, expected.count))
      #expect(try folder.assets(in: album) == expected)
      let moved = try folder.number(
        "SELECT count(*) FROM memberHistory WHERE change > ?", [.integer(version)])
      #expect(moved <= 51)
    }
    #expect(try isInOrder())
  }

  @Test(.requirement("insert-assets"))
  func `hundreds of insertions at one index keep the order`() throws {
    let all = try folder.addAssets(302)
    let album = try folder.addAlbum(all.at(0, 1))
    try folder.change(album) { request in
      for asset in all[2...] { try request.insertAssets([asset], at: [1]) }
    }
    #expect(try folder.assets(in: album) == [all[0]] + all[2...].reversed() + [all[1]])
    #expect(try isInOrder())
  }

  @Test(.requirement("insert-assets"))
  func `renumbering keeps the positions of trashed assets`() throws {
    let all = try folder.addAssets(6)
    let album = try folder.addAlbum(all.at(0, 1, 2, 3))
    try folder.tamper("UPDATE member SET position = position / 1048576")
    try folder.library.performChangesAndWait { try $0.delete(all.at(1, 2)) }
    try folder.change(album) { try $0.insertAssets(all.at(4, 5), at: [1, 2]) }
    try folder.library.performChangesAndWait { try $0.restore(all.at(1, 2)) }
    #expect(try folder.assets(in: album) == all.at(0, 4, 5, 1, 2, 3))
  }

  @Test(arguments: [Int64.max, Int64.max - 5, Int64.min, Int64.min + 1])
  func `positions at the limits of Int64 can be appended to and moved`(position: Int64) throws {
    let all = try folder.addAssets(4)
    let album = try folder.addAlbum(all.at(0))
    let other = try folder.addAlbum()
    try folder.tamper("UPDATE member SET position = \(position)")
    try folder.tamper("UPDATE collection SET position = \(position) WHERE id = \(album.row ?? 0)")
    try folder.change(album) { request in
      try request.addAssets(all.at(1))
      try request.insertAssets(all.at(2), at: [0])
      try request.insertAssets(all.at(3), at: [1])
    }
    #expect(try folder.assets(in: album) == all.at(2, 3, 0, 1))
    let new = try folder.addAlbum()
    let before = try folder.children(of: nil)
    #expect(before.last == new.localIdentifier)
    try folder.change(nil) { try $0.moveChildCollections(at: [0], to: 2) }
    #expect(try folder.children(of: nil) == [before[1], before[2], before[0]])
    #expect(Set(before).contains(other.localIdentifier))
  }

  @Test(.requirement("add-assets"), arguments: longTests ? [1_000_000] : [200_000])
  func `adding to a large album keeps the positions of existing members`(count: Int) throws {
    let album = try folder.addAlbum()
    try fill(album, count)
    let assets = try addRows(1_000)
    try folder.change(album) { try $0.addAssets(assets) }
    try folder.change(album) { try $0.moveAssets(at: [count + 999], to: count / 2) }
    #expect(try folder.number("SELECT count(*) FROM member") == count + 1_000)
    let untouched =
      "SELECT count(*) FROM member JOIN asset ON asset.id = member.asset "
      + "WHERE originalFilename = 'x' AND position = asset.id * 1048576"
    #expect(try folder.number(untouched) == count)
    let members = try folder.library.fetchAssets(in: album)
    #expect(try members.object(at: count / 2) == assets[999])
    #expect(try members.object(at: count + 999) == assets[998])
  }

  private func addRows(_ count: Int) throws -> [Asset] {
    let date = folder.library.configuration.clock()
    let records = (0..<count).map { PhotoProperties(originalFilename: "\($0)", addedAt: date) }
    return try folder.library.insertRows(records).map { try #require(try folder.asset($0)) }
  }

  /// Fills an album with many members directly in the database.
  private func fill(_ album: AssetCollection, _ count: Int) throws {
    let row = album.row ?? 0
    try folder.tamper(
      """
      BEGIN;
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO asset (uuid, mediaType, mediaSubtypes, traits, playbackStyle, sourceType,
        pixelWidth, pixelHeight, duration, modificationDate, contentModificationDate, addedDate,
        isFavorite, isHidden, representsBurst, burstSelectionTypes, hasAdjustments,
        originalFilename, contentRevision, lastChange)
      SELECT randomblob(16), 1, 0, 0, 1, 1, 1, 1, 0, 0, 0, i, 0, 0, 0, 0, 0, 'x', 1, 1 FROM n;
      INSERT INTO member (album, position, asset)
      SELECT \(row), id * 1048576, id FROM asset WHERE originalFilename = 'x';
      COMMIT
      """)
  }
}
