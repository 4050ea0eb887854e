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

  // MARK: Trash

  @Test(.requirement("trash-restores-albums"))
  func `a trashed asset leaves its albums, and restoring returns it to its positions`() throws {
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

  @Test(.requirement("trash-restores-albums"))
  func `the position of a trashed asset survives changes to the album`() throws {
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

  @Test(.requirement("trash-restores-albums"))
  func `a deleted album does not prevent restoring its assets`() throws {
    let all = try folder.addAssets(2)
    let removed = try folder.addAlbum(all)
    let stays = try folder.addAlbum(all)
    try change { try $0.delete(all) }
    try change { try $0.delete([removed]) }
    try change { try $0.restore(all) }
    #expect(try folder.assets(in: stays) == all)
    #expect(try folder.number("SELECT count(*) FROM member") == 2)
  }

  @Test(.requirement("trash-restores-albums"))
  func `a restored asset whose position is occupied is appended`() throws {
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

  @Test(.requirement("trash-restores-albums"))
  func `trashed assets are fetched in descending order of deletion`() throws {
    let all = try folder.addAssets(3)
    #expect(try folder.library.fetchTrashedAssets().isEmpty)
    try change { try $0.delete(all.at(1)) }
    try change { try $0.delete(all.at(0, 2)) }
    let trash = try folder.library.fetchTrashedAssets()
    let unread = try folder.library.fetchTrashedAssets()
    #expect(Array(trash) == all.at(2, 0, 1))
    #expect(trash.allSatisfy { $0.trashedDate != nil })
    #expect(Array(try folder.library.fetchAssets()).isEmpty)
    try change { try $0.purge(all.at(0)) }
    try change { try $0.restore(all.at(1)) }
    #expect(Array(try folder.library.fetchTrashedAssets()) == all.at(2))
    // What was read before the purge is in memory; the rest has lost its properties.
    #expect(Array(trash).map(\.originalFilename) == ["2.jpg", "0.jpg", "1.jpg"])
    #expect(Array(unread).map(\.originalFilename) == ["2.jpg", "", "1.jpg"])
    #expect(Array(try folder.library.fetchAssets()) == all.at(1))
  }

  @Test(.requirement("trash-restores-albums"))
  func `deleting trashed or undeletable assets is rejected atomically`() throws {
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

  @Test(.requirement("trash-restores-albums"))
  func `restoring an asset that is not in the trash creates no commit`() throws {
    let all = try folder.addAssets(1)
    let version = try folder.version()
    try change { try $0.restore(all) }
    #expect(try folder.version() == version)
  }

  @Test(.requirement("trash-restores-albums"))
  func `purging removes the files, retires the identifier and cannot be undone`() throws {
    let asset = try folder.addAsset { record in
      record.title = "secret"
      record.location = LocationCoordinate(latitude: 1, longitude: 2)
    }
    let album = try folder.addAlbum([asset])
    let uuid = try #require(LocalIdentifier(asset.localIdentifier)).uuid
    let file = folder.library.layout.assetFolder(uuid)
    try FileManager.default.createDirectory(
      atPath: folder.library.layout.path(file), withIntermediateDirectories: true)
    let names = ["photo-1.jpg", "journal-1.aae", "asset.json"]
    for name in names {
      try Data([1]).write(to: URL(filePath: folder.library.layout.path(file + "/" + name)))
    }
    try folder.tamper(
      """
      INSERT INTO resource (asset, type, file, digest, size, uniformType, filename)
      VALUES (\(asset.row), 1, '\(file)/photo-1.jpg', x'00', 1, 'public.jpeg', 'a.jpg')
      """)
    try folder.expectRefusal(naming: [asset.localIdentifier]) { try $0.purge([asset]) }
    try change { try $0.delete([asset]) }
    try change { try $0.purge([asset]) }
    let left = try folder.library.read { database throws(LibraryError) in
      try database.all("SELECT file FROM leftover ORDER BY file") { $0.text(0) }
    }
    // The files are recorded in the commit; maintenance may have removed them already.
    let itemExists = names.filter {
      FileSystem.itemExists(folder.library.layout.path(file + "/" + $0))
    }
    #expect(left == names.sorted().map { file + "/" + $0 } || itemExists.isEmpty)
    #expect(try folder.number("SELECT count(*) FROM resource") == 0)
    #expect(try folder.number("SELECT count(*) FROM trashedMember") == 0)
    #expect(
      try folder.number("SELECT count(*) FROM asset WHERE state = 2 AND title IS NULL") == 1)
    #expect(
      try folder.number("SELECT count(*) FROM assetHistory WHERE title = 'secret'") == 0)
    for block: (ChangeContext) throws -> Void in [
      { try $0.restore([asset]) }, { try $0.purge([asset]) }, { try $0.delete([asset]) },
      { try $0.change(album).addAssets([asset]) },
    ] {
      try folder.expectRefusal(.identifierNotFound, naming: [asset.localIdentifier]) {
        try block($0)
      }
    }
  }

  @Test(.requirement("stable-local-identifiers"))
  func `the identifier of a purged asset is never reused`() throws {
    let insertion = RowInsertion([PhotoProperties(originalFilename: "a.jpg", addedAt: Date())])
    try change { try $0.add(insertion) }
    let identifier = "\(insertion.identifiers[0])"
    let asset = try #require(try folder.asset(identifier))
    try change { try $0.delete([asset]) }
    try change { try $0.purge([asset]) }
    #expect(throws: LibraryError.self) { try change { try $0.add(insertion) } }
    #expect(try folder.asset(identifier) == nil)
  }

  @Test(.requirement("trash-restores-albums"))
  func `expired trashed assets are purged, newer ones are kept`() throws {
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

  @Test(.requirement("trash-restores-albums"))
  func `a denied confirmation cancels the block, and each block asks once`() throws {
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
    let answer = LockedValue(false)
    let asked = LockedValue<[PendingDeletion]>([])

    func allows(_ deletion: PendingDeletion) -> Bool {
      asked.withLock { $0.append(deletion) }
      return answer.withLock { $0 }
    }
  }

  // MARK: Bursts

  /// Adds a burst represented by its first asset; later ones have earlier dates.
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
    .requirement("burst-representative"),
    arguments: [
      ([[], [], [.autoPick], [.userPick], [.userPick, .autoPick]], 4),
      ([[], [], [.autoPick], [.userPick]], 3),
      ([[], [], [.autoPick], []], 2),
      ([[], [], []], 2),
    ] as [([BurstSelection], Int)])
  func `the next burst representative is the user's pick, the camera's, or the earliest`(
    picks: [BurstSelection], next: Int
  ) throws {
    let burst = try addBurst(picks)
    try change { try $0.delete(burst.at(0)) }
    #expect(try representatives() == [burst[next].row])
  }

  @Test(.requirement("burst-representative"))
  func `a burst keeps one representative when assets are restored`() throws {
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

  @Test(.requirement("burst-representative"))
  func `restoring an entire burst restores its representative`() throws {
    let burst = try addBurst([[], [.userPick], []])
    try change { try $0.delete(burst) }
    try change { try $0.restore(burst.reversed()) }
    #expect(try representatives() == [burst[0].row])
  }

  // MARK: History

  @Test(.requirement("side-effects-in-same-change"))
  func `trashing records the asset, its albums and the new representative`() throws {
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
