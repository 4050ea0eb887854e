// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// A read transaction of a fetch, and the access of the program.
struct FetchSession {
  let database: LibraryDatabase
  /// The commit as of which the database is read.
  let version: Int64
  /// Indicates whether that is the newest commit, so that the tables are read directly.
  let isNewest: Bool
  let grant: AccessGrant
  let isChangeable: Bool
  /// The only visible assets, as a JSON array of rows; nil for all.
  let visibleRows: String?
  /// Seconds since 1970.
  let date: Double

  init(_ library: LibraryReader, _ database: LibraryDatabase) throws(LibraryError) {
    try self.init(
      library, database, version: try database.version(), isNewest: true,
      date: library.configuration.clock().timeIntervalSince1970)
  }

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

  /// Creates a session to read the objects of an earlier fetch, which specify their own commit and
  /// have passed its access check.
  init(objectsOf library: LibraryReader, _ database: LibraryDatabase) throws(LibraryError) {
    self.database = database
    version = try database.version()
    isNewest = true
    date = library.configuration.clock().timeIntervalSince1970
    grant = library.access.grant
    isChangeable = library.canChange(grant)
    visibleRows = nil
  }

  /// Indicates whether the program can see user-created albums and folders.
  var seesUserCollections: Bool { visibleRows == nil }
}
