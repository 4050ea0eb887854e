// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// An album or folder that an import creates, or completes if it exists.
struct PlannedAlbum: Sendable, Hashable {
  /// The titles of the folders that contain it, outermost first, followed by its own title.
  var path: [String]
  /// The paths of its photos and videos, in order; nil for a folder.
  var members: [String]?
}

/// Adds the assets of an import to the planned albums, as one change.
///
/// An asset that is already in an album keeps its position.
final class AlbumFilling: ChangeOperation {
  private let albums: [PlannedAlbum]
  private let assets: [String: LocalIdentifier]

  /// - Parameter assets: The assets of the imported files by path.
  init(_ albums: [PlannedAlbum], _ assets: [String: LocalIdentifier]) {
    self.albums = albums
    self.assets = assets
  }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    for album in albums {
      let target = try commit.collection(at: album.path, isFolder: album.members == nil)
      guard let target, let members = album.members else { continue }
      var seen = Set<LocalIdentifier>()
      var added: [Int64] = []
      for path in members {
        guard let identifier = assets[path], seen.insert(identifier).inserted,
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
}
