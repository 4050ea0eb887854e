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
  fileprivate func collections(
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
  fileprivate func create(
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

/// An album or folder that an import creates, or completes if it exists.
struct PlannedAlbum: Sendable, Hashable {
  /// The titles of the folders that contain it, outermost first, followed by its own title.
  var path: [String]
  /// The names by which the other library identifies the folders and the album; empty if it has
  /// only titles.
  var sources: [String] = []
  /// The paths of its photos and videos, in order; nil for a folder.
  var members: [String]?
}

/// Adds the assets of an import to the planned albums, as one change.
///
/// An album or folder of another library that identifies them is found again under any title and in
/// any folder. The first time, it is completed if there is one of its title that no import has
/// created for another one. An asset that is already in an album keeps its position.
final class AlbumFilling: ChangeOperation {
  private let albums: [PlannedAlbum]
  private let assets: [PathKey: LocalIdentifier]
  /// The rows of albums and folders by their sources.
  private var rows: [String: Int64] = [:]

  /// - Parameter assets: The assets of the imported files by path.
  init(_ albums: [PlannedAlbum], _ assets: [PathKey: LocalIdentifier]) {
    self.albums = albums
    self.assets = assets
  }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    for album in albums {
      let target = try collection(album, commit)
      guard let target, let members = album.members else { continue }
      var seen = Set<LocalIdentifier>()
      var added: [Int64] = []
      for path in members {
        guard let identifier = assets[PathKey(path)], seen.insert(identifier).inserted,
          // An asset in the trash stays there.
          let row = try commit.database.row(of: identifier),
          try commit.position(of: row, in: target) == nil
        else { continue }
        try commit.willChange(identifier)
        added.append(row)
      }
      try commit.append(added, to: target)
    }
  }

  /// Returns the row of an album or folder; creates it and its folders if necessary.
  private func collection(
    _ album: PlannedAlbum, _ commit: ChangeTransaction
  ) throws(LibraryError) -> Int64? {
    guard album.sources.count == album.path.count else {
      return try commit.collection(at: album.path)
    }
    var parent: Int64?
    for (index, (title, source)) in zip(album.path, album.sources).enumerated() {
      let isAlbum = index == album.path.count - 1 && album.members != nil
      let objectClass: ObjectClass = isAlbum ? .assetCollection : .collectionList
      if rows[source] == nil {
        rows[source] = try collection(objectClass, title: title, source, in: parent, commit)
      }
      parent = rows[source]
    }
    return parent
  }

  private func collection(
    _ objectClass: ObjectClass, title: String, _ source: String, in folder: Int64?,
    _ commit: ChangeTransaction
  ) throws(LibraryError) -> Int64 {
    // An identifier is never used again after its object was deleted.
    for number in 0... {
      let identifier = LocalIdentifier(source: source, number, objectClass)
      let state = try commit.database.first(
        "SELECT id, state FROM collection WHERE uuid = ?", [.blob(identifier.bytes)]
      ) { (row: $0.int(0), isPresent: $0.int(1) == 0) }
      if let state, state.isPresent { return state.row }
      guard state == nil else { continue }
      let titled = try commit.collections(
        objectClass, title: title, in: folder, withoutSource: true)
      if let found = titled.first(where: { !rows.values.contains($0) }) { return found }
      return try commit.create(identifier, title: title, in: folder)
    }
    throw .noObject(title)
  }
}
