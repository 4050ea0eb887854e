// SPDX-License-Identifier: Apache-2.0
import Database
import FoundationEssentials

/// An object that a fetch gives: `Asset`, `AssetCollection`, `CollectionList` or `Collection`.
public protocol FetchedObject: Sendable, Hashable, Identifiable where ID == String {
  /// Names the object for ever; opaque.
  var localIdentifier: String { get }
  /// How a library finds and reads objects of this type.
  static var source: FetchSource<Self> { get }
}

extension FetchedObject {
  /// The objects of some rows as they were at a commit, in the order of the rows.
  static func objects(
    _ rows: ArraySlice<Int64>, at version: Int64, in library: PhotoLibrary
  ) throws(LibraryError) -> [Self] {
    try library.read { database throws(LibraryError) in
      try source.read(rows, version, FetchSession(library, database, isReadingObjects: true))
    }
  }
}

/// How a library finds and reads objects of one type; made by this module alone.
public struct FetchSource<Object: Sendable>: Sendable {
  /// The keys of predicates and sort descriptors.
  let columns: [FetchColumn]
  /// Other spellings of keys.
  let aliases: [String: String]
  /// What a key is in SQL.
  let expressions: [String: String]
  /// What an identifier is in the database; nil for one that no object of this type can have.
  let identity: @Sendable (String) -> SQLValue?
  /// The row of an object; nil for those that are computed or live in memory alone.
  let row: @Sendable (Object) -> Int64?
  /// What an object has for a key, as the database would say it.
  let value: @Sendable (Object, FetchColumn) -> SQLValue
  /// Reads the objects of some rows as they were at a commit.
  let read: @Sendable (ArraySlice<Int64>, Int64, FetchSession) throws(LibraryError) -> [Object]
  /// Stands for an object that cannot be read any more.
  let unavailable: Object
}

/// A key of predicates and sort descriptors.
struct FetchColumn: Sendable, Hashable {
  enum Kind: Sendable {
    case date, integer, bits, real, flag, text, identifier
  }

  let name: String
  let kind: Kind

  init(_ name: String, _ kind: Kind) {
    self.name = name
    self.kind = kind
  }
}

/// One read transaction of a fetch, and what the program that fetches may see and do.
struct FetchSession {
  let database: LibraryDatabase
  /// Whether objects may be changed by this program.
  let isChangeable: Bool
  /// The only assets to be seen, as a JSON array of rows; nil for all.
  let visibleRows: String?
  /// Seconds since 1970.
  let date: Double

  /// - Parameter isReadingObjects: Whether what may be seen was decided by an earlier fetch.
  init(
    _ library: PhotoLibrary, _ database: LibraryDatabase, isReadingObjects: Bool = false
  ) throws(LibraryError) {
    self.database = database
    isChangeable = library.canChange
    date = library.configuration.clock().timeIntervalSince1970
    guard !isReadingObjects, let visible = library.visibleAssets else {
      visibleRows = nil
      return
    }
    var rows: [Int64] = []
    for text in visible {
      guard let identifier = LocalIdentifier(text, as: .asset) else { continue }
      if let row = try database.row(of: identifier) { rows.append(row) }
    }
    visibleRows = "[" + rows.sorted().map(String.init).joined(separator: ",") + "]"
  }

  /// Whether the program sees albums and folders that people made.
  var seesUserCollections: Bool { visibleRows == nil }
}

extension PhotoLibrary {
  /// Whether this program may change anything in the library.
  var canChange: Bool {
    switch access.grant {
    case .readWrite, .limited: LibraryAccess.permits(layout, writing: true)
    case .none, .addOnly, .undecided: false
    }
  }
}
