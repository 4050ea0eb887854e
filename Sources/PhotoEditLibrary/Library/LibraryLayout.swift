// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage

/// The paths in the folder of a library.
///
///     library.db                                  the database (and its -wal and -shm)
///     policy.json                                 the access of each program; optional
///     generation                                  empty; touched after every commit
///     assets/3F/3F2504E0-…/                       all files of one asset
///       asset.json                                its manifest: properties and files
///       photo-1a2b3c4d5e6f.jpg                    a file, named by its type and its digest
///       fullSizePhoto-….jpg, adjustmentData-….aae  the current version and adjustment data
///     collections/7D/7D….json                     the manifest of an album or folder
///     backups/version-2-2026-11-22T221530Z.db     the database before a migration
///     set-aside/2026-11-22T221530Z/assets/…       files found by a repair that no version needs
///     staging/                                    unfinished files of running processes
///     cache/thumbnails/3f/3f25…-9a01….jpg         thumbnails, by content and rendering; can be
///                                                 deleted at any time, and are not backed up
///
/// A name is never reused for other contents, so a file that a reader has open does not change, and
/// a crash may leave an extra file but never loses one.
struct LibraryLayout: Sendable, Hashable {
  let root: String

  var database: String { root + "/library.db" }
  /// A database that is being created.
  var unfinishedDatabase: String { path(Self.unfinishedDatabaseName) }
  var policy: String { root + "/policy.json" }
  var generation: String { root + "/generation" }
  var assets: String { path(Self.assetsName) }
  var collections: String { path(Self.collectionsName) }
  var staging: String { path(Self.stagingName) }

  static let assetsName = "assets"
  static let collectionsName = "collections"
  static let stagingName = "staging"
  /// Copies of the database from before migrations.
  static let backupsName = "backups"
  /// Files found by repairs that no version needs.
  static let setAsideName = "set-aside"
  /// Created on demand; not one of the folders of every library.
  static let thumbnailsName = "cache/thumbnails"
  static let unfinishedDatabaseName = "library.db.new"
  /// The suffix that SQLite adds to a database's name for a rollback journal, which no library has.
  static let journalSuffix = "-journal"
  /// The suffixes of the database and of its SQLite files.
  static let databaseSuffixes = ["", "-wal", "-shm", journalSuffix]
  /// The files of a library that belong to no asset, album or folder, except the database.
  static let auxiliaryFiles = ["policy.json", "generation"]
  /// The folders of every library.
  static let folders = [assetsName, collectionsName, stagingName]

  /// Returns the folder of an asset, relative to the library.
  func assetFolder(_ uuid: UUID) -> String {
    "assets/\(uuid.uuidString.prefix(2))/\(uuid.uuidString)"
  }

  /// Returns the manifest of an album or folder, relative to the library.
  func collectionManifest(_ uuid: UUID) -> String {
    "collections/\(uuid.uuidString.prefix(2))/\(uuid.uuidString).json"
  }

  /// Returns the path of a file of an asset, relative to the library.
  func file(
    _ type: AssetResourceType, of uuid: UUID, digest: SHA256Digest, fileExtension: String
  ) -> String {
    let name = "\(type)-\(digest.hex.prefix(16))"
    return assetFolder(uuid) + "/" + name + (fileExtension.isEmpty ? "" : "." + fileExtension)
  }

  /// Returns the full path of a file or folder in the library.
  func path(_ relative: String) -> String { root + "/" + relative }
}
