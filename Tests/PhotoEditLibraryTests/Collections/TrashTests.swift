// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Deleting assets")
struct TrashTests {
  private let folder: TestLibrary

  init() throws { folder = try TestLibrary() }

  private func change(_ block: (ChangeContext) throws -> Void) throws {
    try folder.library.performChangesAndWait(block)
  }

  // MARK: K6

  @Test func `K6: what is in the trash is in no album and comes back to its places`() throws {
    let all = try folder.addAssets(5)
    let one = try folder.addAlbum(all)
    let two = try folder.addAlbum(all.at(3, 2, 1))
    try change { try $0.delete(all.at(0, 2, 4)) }
    #expect(try folder.assets(in: one) == all.at(1, 3))
    #expect(try folder.assets(in: two) == all.at(3, 1))
    #expect(try folder.asset(all[2].localIdentifier) == nil)
    try change { try $0.restore(all.at(2, 4, 0)) }
    #expect(try folder.assets(in: one) == all)
    #expect(try folder.assets(in: two) == all.at(3, 2, 1))
    let back = try #require(try folder.asset(all[2].localIdentifier))
    #expect(back.trashedDate == nil && back.modificationDate == all[2].modificationDate)
  }

  @Test func `K6: the place in an album is kept while others come, go and move`() throws {
    let all = try folder.addAssets(6)
    let album = try folder.addAlbum(all.at(0, 1, 2, 3))
    try change { try $0.delete(all.at(1)) }
    try folder.change(album) { request in
      try request.insertAssets(all.at(4), at: [0])
      try request.moveAssets(at: [3], to: 1)
      try request.addAssets(all.at(5))
    }
    #expect(try folder.assets(in: album) == all.at(4, 3, 0, 2, 5))
    try change { try $0.restore(all.at(1)) }
    #expect(try folder.assets(in: album) == all.at(4, 3, 0, 1, 2, 5))
  }

  @Test func `K6: an album that is gone is no hindrance to a return`() throws {
    let all = try folder.addAssets(2)
    let gone = try folder.addAlbum(all)
    let stays = try folder.addAlbum(all)
    try change { try $0.delete(all) }
    try change { try $0.delete([gone]) }
    try change { try $0.restore(all) }
    #expect(try folder.assets(in: stays) == all)
    #expect(try folder.number("SELECT count(*) FROM member") == 2)
  }

  @Test func `K6: a place that somebody took behind our back is replaced by the end`() throws {
    let all = try folder.addAssets(3)
    let album = try folder.addAlbum(all.at(0, 1))
    try change { try $0.delete(all.at(0)) }
    try folder.tamper(
      """
      INSERT INTO member (album, position, asset)
      SELECT album, position, \(all[2].row) FROM trashedMember
      """)
    try change { try $0.restore(all.at(0)) }
    #expect(try folder.assets(in: album) == all.at(2, 1, 0))
  }

  @Test func `K6: the trash shows what is in it, the last first`() throws {
    let all = try folder.addAssets(3)
    #expect(try folder.library.fetchTrashedAssets().isEmpty)
    try change { try $0.delete(all.at(1)) }
    try change { try $0.delete(all.at(0, 2)) }
    let trash = try folder.library.fetchTrashedAssets()
    #expect(Array(trash) == all.at(2, 0, 1))
    #expect(trash.allSatisfy { $0.trashedDate != nil })
    #expect(Array(try folder.library.fetchAssets()).isEmpty)
    try change { try $0.purge(all.at(0)) }
    try change { try $0.restore(all.at(1)) }
    #expect(Array(try folder.library.fetchTrashedAssets()) == all.at(2))
    #expect(Array(trash).map(\.originalFilename) == ["2.jpg", "0.jpg", "1.jpg"])
    #expect(Array(try folder.library.fetchAssets()) == all.at(1))
  }

  @Test func `K6: deleting again, and what is unknown, is refused whole`() throws {
    let all = try folder.addAssets(3)
    try change { try $0.delete(all.at(0, 0)) }
    try folder.expectRefusal(.identifierNotFound, naming: [all[0].localIdentifier]) {
      try $0.delete(all)
    }
    let shared = try folder.addAsset { $0.sourceType = .cloudShared }
    try folder.expectRefusal(.requestNotSupportedForAsset, naming: [shared.localIdentifier]) {
      try $0.delete([all[1], shared, all[2]])
    }
  }

  @Test func `K6: restoring what is not in the trash changes nothing`() throws {
    let all = try folder.addAssets(1)
    let version = try folder.version()
    try change { try $0.restore(all) }
    #expect(try folder.version() == version)
  }

  @Test func `K6: purging takes the files, keeps the name, and cannot be undone`() throws {
    let asset = try folder.addAsset { record in
      record.title = "secret"
      record.location = GeoPoint(latitude: 1, longitude: 2)
    }
    let album = try folder.addAlbum([asset])
    let uuid = try #require(LocalIdentifier(asset.localIdentifier)).uuid
    let place = folder.library.layout.assetFolder(uuid)
    try FileManager.default.createDirectory(
      atPath: folder.library.layout.path(place), withIntermediateDirectories: true)
    let names = ["photo-1.jpg", "journal-1.aae", "asset.json"]
    for name in names {
      try Data([1]).write(to: URL(filePath: folder.library.layout.path(place + "/" + name)))
    }
    try folder.tamper(
      """
      INSERT INTO resource (asset, type, file, digest, size, uniformType, filename)
      VALUES (\(asset.row), 1, '\(place)/photo-1.jpg', x'00', 1, 'public.jpeg', 'a.jpg')
      """)
    try folder.expectRefusal(naming: [asset.localIdentifier]) { try $0.purge([asset]) }
    try change { try $0.delete([asset]) }
    try change { try $0.purge([asset]) }
    let left = try folder.library.read { database throws(LibraryError) in
      try database.all("SELECT file FROM leftover ORDER BY file") { $0.text(0) }
    }
    // They are recorded in the commit; whoever follows it may have removed them already.
    let isThere = names.filter {
      FileSystem.isThere(folder.library.layout.path(place + "/" + $0))
    }
    #expect(left == names.sorted().map { place + "/" + $0 } || isThere.isEmpty)
    #expect(try folder.number("SELECT count(*) FROM resource") == 0)
    #expect(try folder.number("SELECT count(*) FROM trashedMember") == 0)
    #expect(
      try folder.number("SELECT count(*) FROM asset WHERE state = 2 AND title IS NULL") == 1)
    #expect(
      try folder.number("SELECT count(*) FROM assetHistory WHERE title = 'secret'") == 2)
    for block: (ChangeContext) throws -> Void in [
      { try $0.restore([asset]) }, { try $0.purge([asset]) }, { try $0.delete([asset]) },
      { try $0.change(album).addAssets([asset]) },
    ] {
      try folder.expectRefusal(.identifierNotFound, naming: [asset.localIdentifier]) {
        try block($0)
      }
    }
  }

  @Test func `F2: an identifier is never given again`() throws {
    let record = AssetRecord(originalFilename: "a.jpg", addedAt: Date())
    try folder.library.insertRows([record])
    let asset = try #require(try folder.asset("\(record.identifier)"))
    try change { try $0.delete([asset]) }
    try change { try $0.purge([asset]) }
    #expect(throws: LibraryError.self) { try folder.library.insertRows([record]) }
    #expect(try folder.asset("\(record.identifier)") == nil)
  }

  @Test func `K6: what has been in the trash for long is purged, what has not is kept`() throws {
    let all = try folder.addAssets(3)
    try change { try $0.delete(all.at(0)) }
    let date = folder.library.configuration.clock()
    try change { try $0.delete(all.at(1)) }
    #expect(try folder.library.purgeExpired(before: date) == 1)
    #expect(try folder.library.purgeExpired(before: date) == 0)
    try change { try $0.restore(all.at(1)) }
    #expect(try folder.asset(all[1].localIdentifier) != nil)
    #expect(try folder.number("SELECT count(*) FROM asset WHERE state = 2") == 1)
  }

  // MARK: Confirmation

  @Test func `K6: without confirmation nothing happens, and all of a block is one question`()
    throws
  {
    let provider = Answers()
    var configuration = folder.library.configuration
    configuration.confirmation = provider
    let library = try PhotoLibrary(at: folder.library.url, configuration: configuration)
    let all = try folder.addAssets(3)
    let album = try folder.addAlbum(all)
    let list = try folder.addFolder([album])
    let before = try folder.dump()
    let error = #expect(throws: LibraryError.self) {
      try library.performChangesAndWait { changes in
        try changes.change(all[2]).setFavorite(true)
        try changes.delete(all.at(0, 1))
        try changes.delete([list])
      }
    }
    #expect(error?.code == .userCancelled)
    #expect(try folder.dump() == before)
    provider.answer.withLock { $0 = true }
    try library.performChangesAndWait { changes in
      try changes.delete(all.at(0))
      try changes.delete([album])
    }
    try library.performChangesAndWait { try $0.change(all[2]).setFavorite(true) }
    try library.performChangesAndWait { try $0.purge(all.at(0)) }
    let asked = provider.asked.withLock { $0 }
    #expect(asked.count == 3)
    #expect(asked.first?.trashedAssets == all.at(0, 1).map(\.localIdentifier))
    #expect(asked.first?.folders == [list.localIdentifier])
    #expect(asked.dropFirst().first?.albums == [album.localIdentifier])
    #expect(asked.last?.purgedAssets == [all[0].localIdentifier])
  }

  private final class Answers: ConfirmationProvider {
    let answer = Guarded(false)
    let asked = Guarded<[Deletion]>([])

    func allows(_ deletion: Deletion) -> Bool {
      asked.withLock { $0.append(deletion) }
      return answer.withLock { $0 }
    }
  }

  // MARK: F14

  /// A burst whose first asset stands for it; later ones were taken earlier.
  private func addBurst(_ picks: [BurstSelection]) throws -> [Asset] {
    var assets: [Asset] = []
    for (i, pick) in picks.enumerated() {
      assets.append(
        try folder.addAsset { record in
          record.burstIdentifier = "burst"
          record.representsBurst = i == 0
          record.burstSelectionTypes = pick
          record.creationDate = Date(timeIntervalSince1970: Double(100 - i))
        })
    }
    return assets
  }

  private func representatives() throws -> [Int64] {
    try folder.library.read { database throws(LibraryError) in
      try database.all("SELECT id FROM asset WHERE representsBurst AND state = 0 ORDER BY id") {
        $0.int(0)
      }
    }
  }

  @Test(
    arguments: [
      ([[], [], [.autoPick], [.userPick], [.userPick, .autoPick]], 4),
      ([[], [], [.autoPick], [.userPick]], 3),
      ([[], [], [.autoPick], []], 2),
      ([[], [], []], 2),
    ] as [([BurstSelection], Int)])
  func `F14: the next representative is picked by a person, the camera, or time`(
    picks: [BurstSelection], next: Int
  ) throws {
    let burst = try addBurst(picks)
    try change { try $0.delete(burst.at(0)) }
    #expect(try representatives() == [burst[next].row])
  }

  @Test func `F14: a burst has one representative whatever comes back`() throws {
    let burst = try addBurst([[], [.userPick], []])
    try change { try $0.delete(burst.at(0)) }
    try change { try $0.restore(burst.at(0)) }
    #expect(try representatives() == [burst[1].row])
    try change { try $0.delete(burst) }
    #expect(try representatives() == [])
    try change { try $0.restore(burst.at(2)) }
    #expect(try representatives() == [burst[2].row])
    try change { try $0.restore(burst.at(0, 1)) }
    #expect(try representatives() == [burst[2].row])
    try change { try $0.delete(burst.at(0)) }
    #expect(try representatives() == [burst[2].row])
  }

  @Test func `F14: a whole burst comes back as it was`() throws {
    let burst = try addBurst([[], [.userPick], []])
    try change { try $0.delete(burst) }
    try change { try $0.restore(burst.reversed()) }
    #expect(try representatives() == [burst[0].row])
  }

  // MARK: History

  @Test func `L7: the history tells of the asset, its albums and the new representative`() throws {
    let burst = try addBurst([[], []])
    let album = try folder.addAlbum(burst)
    try change { try $0.delete(burst.at(0)) }
    let version = try folder.version()
    func kind(_ objectClass: Int, _ row: Int64?) throws -> Int64 {
      try folder.number(
        "SELECT kind FROM changedObject WHERE change = ? AND class = ? AND object = ?",
        [.integer(version), .init(objectClass), .init(row)])
    }
    #expect(try kind(1, burst[0].row) == 3)
    #expect(try kind(1, burst[1].row) == 2)
    #expect(try kind(2, album.row) == 2)
    try change { try $0.restore(burst.at(0)) }
    #expect(
      try folder.number(
        "SELECT kind FROM changedObject WHERE change = ? AND class = 1 AND object = ?",
        [.integer(version + 1), .integer(burst[0].row)]) == 1)
    #expect(
      try folder.number(
        "SELECT state FROM assetHistory WHERE change = ? AND id = ?",
        [.integer(version + 1), .integer(burst[0].row)]) == 1)
  }
}
