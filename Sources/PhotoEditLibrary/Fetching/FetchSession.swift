// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite

/// One read transaction of a fetch, and what the program that fetches may see and do.
struct FetchSession {
  let database: LibraryDatabase
  /// The commit as of which the database is seen.
  let version: Int64
  /// Whether that is the newest one, so that the tables are seen as they are.
  let isNewest: Bool
  /// What the program may do.
  let grant: AccessGrant
  /// Whether objects may be changed by this program.
  let isChangeable: Bool
  /// The only assets to be seen, as a JSON array of rows; nil for all.
  let visibleRows: String?
  /// Seconds since 1970.
  let date: Double

  /// Begins a fetch of what is there now.
  init(_ library: LibraryReader, _ database: LibraryDatabase) throws(LibraryError) {
    try self.init(
      library, database, version: try database.version(), isNewest: true,
      date: library.configuration.clock().timeIntervalSince1970)
  }

  /// Begins a fetch as of a commit, at a time.
  init(
    _ library: LibraryReader, _ database: LibraryDatabase, version: Int64, isNewest: Bool,
    date: Double
  ) throws(LibraryError) {
    self.database = database
    self.version = version
    self.isNewest = isNewest
    self.date = date
    grant = library.access.grant
    isChangeable = library.canChange(grant)
    guard case .limited(let visible) = grant else {
      visibleRows = grant.canRead ? nil : "[]"
      return
    }
    var rows: [Int64] = []
    for text in visible {
      guard let identifier = LocalIdentifier(text, as: .asset) else { continue }
      if let row = try database.row(of: identifier) { rows.append(row) }
    }
    visibleRows = "[" + rows.sorted().map(String.init).joined(separator: ",") + "]"
  }

  /// Reads objects that an earlier fetch decided to be seen; each says as of which commit.
  init(objectsOf library: LibraryReader, _ database: LibraryDatabase) throws(LibraryError) {
    self.database = database
    version = try database.version()
    isNewest = true
    date = library.configuration.clock().timeIntervalSince1970
    grant = library.access.grant
    isChangeable = library.canChange(grant)
    visibleRows = nil
  }

  /// Whether the program sees albums and folders that people made.
  var seesUserCollections: Bool { visibleRows == nil }
}
