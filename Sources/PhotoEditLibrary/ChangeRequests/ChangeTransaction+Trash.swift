// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite
import PhotoEditStorage

/// The rows of assets that are trashed, restored or permanently deleted.
extension ChangeTransaction {
  /// The state of an asset; the raw values are those in the database table.
  enum AssetState: Int64 {
    case present = 0
    case trashed = 1
    case purged = 2
  }

  /// The properties of an asset that deletions need.
  struct AssetStatus {
    let row: Int64
    let state: AssetState
    /// Indicates whether it belongs to the user's own library.
    let isOwn: Bool
  }

  /// Returns an asset in any state; nil if it never existed.
  func asset(_ identifier: LocalIdentifier) throws(LibraryError) -> AssetStatus? {
    try database.first(
      "SELECT id, state, sourceType FROM asset WHERE uuid = ?", [.blob(identifier.bytes)]
    ) {
      AssetStatus(
        row: $0.int(0), state: AssetState(rawValue: $0.int(1)) ?? .purged,
        isOwn: $0.int(2) == Int64(SourceType.userLibrary.rawValue))
    }
  }

  /// Moves an asset to the trash and removes it from every album, where its position stays
  /// reserved.
  func trash(_ asset: Int64) throws(LibraryError) {
    try touchAsset(asset, .deleted)
    let memberships = try database.all(
      """
      SELECT album, member.position FROM member JOIN collection ON collection.id = album
      WHERE asset = ?
      """, [.integer(asset)]
    ) { (album: $0.int(0), position: $0.int(1)) }
    for membership in memberships {
      try touchAlbum(membership.album)
      memberLists[membership.album] = nil
      try database.run(
        "INSERT INTO trashedMember (album, position, asset) VALUES (?, ?, ?)",
        [.integer(membership.album), .integer(membership.position), .integer(asset)])
      try database.run(
        "DELETE FROM member WHERE album = ? AND position = ?",
        [.integer(membership.album), .integer(membership.position)])
      try noteMember(album: membership.album, asset: asset, before: membership.position, after: nil)
    }
    try database.run(
      "UPDATE asset SET state = 1, trashedDate = ? WHERE id = ?", [.real(date), .integer(asset)])
  }

  func restore(_ asset: Int64) throws(LibraryError) {
    // The first call saves the trashed row, the second one records the insertion.
    try touchAsset(asset)
    try touchAsset(asset, .inserted)
    try database.run(
      "UPDATE asset SET state = 0, trashedDate = NULL WHERE id = ?", [.integer(asset)])
    let memberships = try database.all(
      "SELECT album, position FROM trashedMember WHERE asset = ?", [.integer(asset)]
    ) { (album: $0.int(0), position: $0.int(1)) }
    for membership in memberships {
      memberLists[membership.album] = nil
      try database.run(
        "DELETE FROM trashedMember WHERE asset = ? AND album = ?",
        [.integer(asset), .integer(membership.album)])
      // The position of a trashed asset is reserved, unless the library was modified externally.
      let isTaken = try database.has(
        "SELECT 1 FROM member WHERE album = ? AND position = ?",
        [.integer(membership.album), .integer(membership.position)])
      guard !isTaken else {
        try append([asset], to: membership.album)
        continue
      }
      try touchAlbum(membership.album)
      try database.run(
        "INSERT INTO member (album, position, asset) VALUES (?, ?, ?)",
        [.integer(membership.album), .integer(membership.position), .integer(asset)])
      try noteMember(album: membership.album, asset: asset, before: nil, after: membership.position)
    }
  }

  /// Permanently deletes an asset in the trash; its identifier is kept so that it is never reused.
  ///
  /// Its properties are cleared at the end of the commit, which needs them to update the search
  /// tables; see `finish()`.
  func purge(_ asset: Int64, _ identifier: LocalIdentifier) throws(LibraryError) {
    try touchAsset(asset, .deleted)
    // The manifest is deleted with the other files of its folder.
    try database.run(
      "DELETE FROM staleManifest WHERE class = ? AND object = ?",
      [.init(ObjectClass.asset.rawValue), .integer(asset)])
    for file in try filesOf(asset, identifier) { try deleteAfterCommit(file) }
    try database.run("DELETE FROM resource WHERE asset = ?", [.integer(asset)])
    try database.run("DELETE FROM journalFile WHERE asset = ?", [.integer(asset)])
    let albums = try database.integers(
      "SELECT album FROM trashedMember WHERE asset = ?", [.integer(asset)]
    )
    for album in albums {
      memberLists[album] = nil
      // The change is not visible to clients, but the album's manifest lists the asset.
      try noteStale(.assetCollection, album)
    }
    try database.run("DELETE FROM trashedMember WHERE asset = ?", [.integer(asset)])
    try database.run("UPDATE asset SET state = 2 WHERE id = ?", [.integer(asset)])
    try MaintenanceProgress.noteErasure(database)
    purged.append(asset)
  }

  /// Returns all files of an asset, relative to the library: its resources and the other files in
  /// its folder, such as superseded edits and the manifest, which are not in any table.
  private func filesOf(
    _ asset: Int64, _ identifier: LocalIdentifier
  ) throws(LibraryError) -> Set<String> {
    var result = Set(
      try database.all("SELECT file FROM resource WHERE asset = ?", [.integer(asset)]) {
        $0.text(0)
      })
    let folder = files.layout.assetFolder(identifier.uuid)
    guard try inFiles(files.layout.hasFolder(folder)) else { return result }
    for name in try inFiles(FileSystem.names(in: files.layout.path(folder))) {
      result.insert(folder + "/" + name)
    }
    return result
  }
}
