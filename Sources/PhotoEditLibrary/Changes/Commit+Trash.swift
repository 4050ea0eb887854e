// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite
import PhotoEditStorage

/// The rows of assets that go into the trash, come back, or go for good.
extension Commit {
  /// Where an asset is; the numbers are the table's.
  enum AssetState: Int64 {
    case present = 0
    case trashed = 1
    case purged = 2
  }

  /// What deletions must know of an asset.
  struct AssetStatus {
    let row: Int64
    let state: AssetState
    /// Whether it is of the user's own library.
    let isOwn: Bool
  }

  /// An asset wherever it is; nil when there never was one.
  func asset(_ identifier: LocalIdentifier) throws(LibraryError) -> AssetStatus? {
    try database.first(
      "SELECT id, state, sourceType FROM asset WHERE uuid = ?", [.blob(identifier.bytes)]
    ) {
      AssetStatus(
        row: $0.int(0), state: AssetState(rawValue: $0.int(1)) ?? .purged,
        isOwn: $0.int(2) == Int64(SourceType.userLibrary.rawValue))
    }
  }

  /// Puts an asset into the trash and takes it out of every album, which keeps its place free.
  func trash(_ asset: Int64) throws(LibraryError) {
    try touchAsset(asset, .deleted)
    let places = try database.all(
      """
      SELECT album, member.position FROM member JOIN collection ON collection.id = album
      WHERE asset = ?
      """, [.integer(asset)]
    ) { (album: $0.int(0), position: $0.int(1)) }
    for place in places {
      try touchAlbum(place.album)
      memberLists[place.album] = nil
      try database.run(
        "INSERT INTO trashedMember (album, position, asset) VALUES (?, ?, ?)",
        [.integer(place.album), .integer(place.position), .integer(asset)])
      try database.run(
        "DELETE FROM member WHERE album = ? AND position = ?",
        [.integer(place.album), .integer(place.position)])
      try noteMember(album: place.album, asset: asset, before: place.position, after: nil)
    }
    try database.run(
      "UPDATE asset SET state = 1, trashedDate = ? WHERE id = ?", [.real(date), .integer(asset)])
  }

  /// Takes an asset out of the trash and puts it back into the albums that are still there.
  func restore(_ asset: Int64) throws(LibraryError) {
    // The first call keeps the row as it was in the trash, the second says what became of it.
    try touchAsset(asset)
    try touchAsset(asset, .inserted)
    try database.run(
      "UPDATE asset SET state = 0, trashedDate = NULL WHERE id = ?", [.integer(asset)])
    let places = try database.all(
      "SELECT album, position FROM trashedMember WHERE asset = ?", [.integer(asset)]
    ) { (album: $0.int(0), position: $0.int(1)) }
    for place in places {
      memberLists[place.album] = nil
      try database.run(
        "DELETE FROM trashedMember WHERE asset = ? AND album = ?",
        [.integer(asset), .integer(place.album)])
      // Nobody else gets the place of an asset in the trash, unless the library was tampered with.
      let isTaken = try database.first(
        "SELECT 1 FROM member WHERE album = ? AND position = ?",
        [.integer(place.album), .integer(place.position)], { _ in true })
      guard isTaken == nil else {
        try append([asset], to: place.album)
        continue
      }
      try touchAlbum(place.album)
      try database.run(
        "INSERT INTO member (album, position, asset) VALUES (?, ?, ?)",
        [.integer(place.album), .integer(place.position), .integer(asset)])
      try noteMember(album: place.album, asset: asset, before: nil, after: place.position)
    }
  }

  /// Deletes an asset in the trash for good; its name stays, so that nothing else ever has it.
  func purge(_ asset: Int64, _ identifier: LocalIdentifier) throws(LibraryError) {
    try touchAsset(asset, .deleted)
    // The manifest goes with the other files of its folder.
    try database.run(
      "DELETE FROM staleManifest WHERE class = ? AND object = ?",
      [.init(ObjectClass.asset.rawValue), .integer(asset)])
    for file in try filesOf(asset, identifier) { try leave(file) }
    try database.run("DELETE FROM resource WHERE asset = ?", [.integer(asset)])
    try database.run("DELETE FROM journalFile WHERE asset = ?", [.integer(asset)])
    let albums = try database.integers(
      "SELECT album FROM trashedMember WHERE asset = ?", [.integer(asset)]
    )
    for album in albums {
      memberLists[album] = nil
      // Nobody sees the difference, but the album's manifest names the asset.
      try noteStale(.assetCollection, album)
    }
    try database.run("DELETE FROM trashedMember WHERE asset = ?", [.integer(asset)])
    try database.run(
      """
      UPDATE asset SET state = 2, title = NULL, caption = NULL, latitude = NULL, longitude = NULL,
        altitude = NULL, originalFilename = '', hasAdjustments = 0
      WHERE id = ?
      """, [.integer(asset)])
  }

  /// Everything of an asset on disk, relative to the library: its resources and what lies beside
  /// them, such as superseded edits and the manifest, which are in no table.
  private func filesOf(
    _ asset: Int64, _ identifier: LocalIdentifier
  ) throws(LibraryError) -> Set<String> {
    var result = Set(
      try database.all("SELECT file FROM resource WHERE asset = ?", [.integer(asset)]) {
        $0.text(0)
      })
    let folder = files.layout.assetFolder(identifier.uuid)
    do throws(FileError) {
      guard try files.layout.hasFolder(folder) else { return result }
      for name in try FileSystem.names(in: files.layout.path(folder)) {
        result.insert(folder + "/" + name)
      }
    } catch {
      throw LibraryError(error)
    }
    return result
  }
}
