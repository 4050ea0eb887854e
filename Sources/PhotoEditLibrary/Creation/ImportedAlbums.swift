// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditSQLite
import PhotoEditStorage

/// Adds imported assets to the albums listed in their XMP.
///
/// An album is identified by its title and the titles of the folders that contain it, and created
/// if it does not exist. Photos of one import are ordered by their positions, regardless of the
/// import order.
final class ImportedAlbums: Sendable {
  private struct Member {
    let position: Int
    let row: Int64
  }

  /// The assets that this import has added to each album, sorted by position.
  private let members = LockedValue<[Int64: [Member]]>([:])
  private let isAllowed: Bool

  init(_ library: LibraryReader) {
    // Albums are ignored if only part of the library is accessible.
    isAllowed = library.canRead && library.visibleAssets == nil
  }

  /// Adds a new asset to albums as part of a commit.
  func add(
    _ asset: Int64, to albums: [SidecarMetadata.Album], in commit: ChangeTransaction
  ) throws(LibraryError) {
    guard isAllowed else { return }
    for album in albums {
      guard let row = try commit.collection(at: album.path),
        try commit.position(of: asset, in: row) == nil
      else { continue }
      let known = members.withLock { $0[row] ?? [] }
      let index = known.firstIndex { $0.position > album.position } ?? known.count
      var list = try commit.members(of: row)
      var seen = list.rows
      // The next asset may have been removed from the album since.
      let next = known[index...].lazy.compactMap { seen.firstIndex(of: $0.row) }.first
      if let next {
        list.insert([asset], at: [next], seen: &seen)
        try commit.write(list, removed: [], to: row)
      } else {
        try commit.append([asset], to: row)
      }
      members.withLock {
        $0[row, default: []].insert(Member(position: album.position, row: asset), at: index)
      }
    }
  }
}

extension ChangeTransaction {
  /// Returns the row of an album; creates it and its folders if necessary.
  func collection(at path: [String]) throws(LibraryError) -> Int64? {
    var parent: Int64?
    for (index, title) in path.enumerated() {
      let objectClass: ObjectClass = index == path.count - 1 ? .assetCollection : .collectionList
      if let found = try collections(objectClass, title: title, in: parent).first {
        parent = found
      } else {
        parent = try create(LocalIdentifier(new: objectClass), title: title, in: parent)
      }
    }
    return parent
  }

  /// Returns the rows of the albums or folders with a title in a folder, or at the top level for
  /// nil; titles that look the same are equal, whether or not their accents are composed.
  ///
  /// - Parameter withoutSource: Whether those are left out that an import created for an album or
  ///   folder of another library.
  func collections(
    _ objectClass: ObjectClass, title: String, in folder: Int64?, withoutSource: Bool = false
  ) throws(LibraryError) -> [Int64] {
    try database.all(
      """
      SELECT id, uuid, title FROM collection
      WHERE class = ? AND parent IS ? AND state = 0
        AND (class, subtype) IN (VALUES (2, 2), (3, 100))
      ORDER BY title <> ?, position, id
      """, [.init(objectClass.rawValue), .init(folder), .text(title)]
    ) { ($0.int(0), LocalIdentifier(bytes: $0.blob(1), objectClass), $0.text(2)) }
    .filter { $0.2 == title && (!withoutSource || $0.1?.isFromSource == false) }.map(\.0)
  }

  /// Creates an album or folder at the end of a folder, or of the top level for nil.
  func create(
    _ identifier: LocalIdentifier, title: String, in folder: Int64?
  ) throws(LibraryError) -> Int64 {
    let creation = try CollectionCreation(identifier, title: title)
    try creation.apply(to: self)
    guard let row = try database.row(of: identifier) else { throw .noObject("\(identifier)") }
    if let folder {
      let position = try endPosition(ofFolder: folder)
      try touchFolder(folder)
      try database.run(
        "UPDATE collection SET parent = ?, position = ? WHERE id = ?",
        [.integer(folder), .integer(position), .integer(row)])
    }
    return row
  }
}
