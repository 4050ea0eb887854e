// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// The numbers of objects in a library.
public struct LibraryStatistics: Sendable, Hashable {
  /// Assets that are not in the trash.
  public let assets: Int
  /// The number of those that are images.
  public let images: Int
  /// The number of those that are videos.
  public let videos: Int
  /// The number of those that are edited.
  public let edited: Int
  /// Assets in the trash.
  public let trashed: Int
  /// User-created albums.
  public let albums: Int
  /// User-created folders.
  public let folders: Int
  /// The total size of all files of assets in bytes, including those in the trash.
  public let bytes: Int
  /// The number of commits.
  public let commits: Int
}

extension PhotoLibrary {
  /// Counts the contents of the library; all numbers are 0 unless the program has full access.
  public func statistics() throws(LibraryError) -> LibraryStatistics {
    guard reader.canRead, reader.visibleAssets == nil else {
      return LibraryStatistics(
        assets: 0, images: 0, videos: 0, edited: 0, trashed: 0, albums: 0, folders: 0, bytes: 0,
        commits: 0)
    }
    return try read { database throws(LibraryError) in
      func count(_ sql: String) throws(LibraryError) -> Int {
        Int(try database.first(sql) { $0.int(0) } ?? 0)
      }
      func collections(_ objectClass: ObjectClass) throws(LibraryError) -> Int {
        try count(
          "SELECT count(*) FROM collection WHERE state = 0 AND class = \(objectClass.rawValue)")
      }
      let assets = try database.first(
        """
        SELECT count(*), sum(mediaType = 1), sum(mediaType = 2), sum(hasAdjustments)
        FROM asset WHERE state = 0
        """
      ) { row in (0..<4).map { Int(row.int($0)) } }
      return LibraryStatistics(
        assets: assets?[0] ?? 0, images: assets?[1] ?? 0, videos: assets?[2] ?? 0,
        edited: assets?[3] ?? 0, trashed: try count("SELECT count(*) FROM asset WHERE state = 1"),
        albums: try collections(.assetCollection), folders: try collections(.collectionList),
        bytes: try count("SELECT sum(size) FROM resource"), commits: Int(try database.version()))
    }
  }
}
