// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage

/// Where things are in the folder of a library.
///
///     library.db                                  the database (and its -wal and -shm)
///     policy.json                                 who may do what; need not be there
///     generation                                  empty; touched after every commit
///     assets/3F/3F2504E0-…/                       everything of one asset
///       asset.json                                its manifest: properties and files
///       photo-1a2b3c4d5e6f.jpg                    a file, named by its type and its digest
///       fullSizePhoto-….jpg, adjustmentData-….aae  the current version and the record
///     collections/7D/7D….json                     the manifest of an album or folder
///     backups/version-2-2026-11-22T221530Z.db     the database before it was brought up to date
///     set-aside/2026-11-22T221530Z/assets/…       what a repair found that no version needs
///     staging/                                    unfinished work of programs that are running
///     cache/thumbnails/3f/3f25…-9a01….jpg         small pictures, by what they show and how; nothing
///                                                 is lost with the folder, and no backup has it
///
/// Names are never given to other contents, so a file that a reader has open stays what it is, and
/// a crash leaves a file too many and never one too few.
struct LibraryLayout: Sendable, Hashable {
  let root: String

  var database: String { root + "/library.db" }
  /// A database that is being made.
  var unfinishedDatabase: String { path(Self.unfinishedDatabaseName) }
  var policy: String { root + "/policy.json" }
  var generation: String { root + "/generation" }
  var assets: String { path(Self.assetsName) }
  var collections: String { path(Self.collectionsName) }
  var staging: String { path(Self.stagingName) }

  static let assetsName = "assets"
  static let collectionsName = "collections"
  static let stagingName = "staging"
  /// Databases as they were before they were brought up to date.
  static let backupsName = "backups"
  /// What repairs found that no version needs.
  static let setAsideName = "set-aside"
  /// Made when it is needed, and not one of the folders of every library.
  static let thumbnailsName = "cache/thumbnails"
  static let unfinishedDatabaseName = "library.db.new"
  /// What SQLite adds to a database's name for a rollback journal, which no library has.
  static let journalSuffix = "-journal"
  /// The database and what SQLite keeps beside it, by the ends of their names.
  static let databaseSuffixes = ["", "-wal", "-shm", journalSuffix]
  /// The files of a library that belong to no asset, album or folder, but for the database.
  static let filesBeside = ["policy.json", "generation"]
  /// The folders of every library.
  static let folders = [assetsName, collectionsName, stagingName]

  /// The folder of an asset, relative to the library.
  func assetFolder(_ uuid: UUID) -> String {
    "assets/\(uuid.uuidString.prefix(2))/\(uuid.uuidString)"
  }

  /// The manifest of an album or folder, relative to the library.
  func collectionManifest(_ uuid: UUID) -> String {
    "collections/\(uuid.uuidString.prefix(2))/\(uuid.uuidString).json"
  }

  /// The place of a file of an asset, relative to the library.
  func file(
    _ type: AssetResourceType, of uuid: UUID, digest: Digest, fileExtension: String
  ) -> String {
    let name = "\(type)-\(digest.hex.prefix(16))"
    return assetFolder(uuid) + "/" + name + (fileExtension.isEmpty ? "" : "." + fileExtension)
  }

  /// The whole path of something in the library.
  func path(_ relative: String) -> String { root + "/" + relative }
}
