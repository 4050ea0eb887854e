// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite
import PhotoEditStorage

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
