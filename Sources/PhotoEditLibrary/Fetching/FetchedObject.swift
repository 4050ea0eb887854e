// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite

/// An object that a fetch gives: `Asset`, `AssetCollection`, `CollectionList` or `PhotoCollection`.
public protocol FetchedObject: Sendable, Hashable, Identifiable where ID == String {
  /// Names the object for ever; opaque.
  var localIdentifier: String { get }
  /// How a library finds and reads objects of this type.
  static var source: FetchSource<Self> { get }
}

extension FetchedObject {
  /// The same as `localIdentifier`.
  public var id: String { localIdentifier }

  /// Whether two values have the same local identifier.
  public static func == (first: Self, second: Self) -> Bool {
    first.localIdentifier == second.localIdentifier
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(localIdentifier) }

  /// The objects of some rows as they were at a commit, in the order of the rows.
  static func objects(
    _ rows: ArraySlice<Int64>, at version: Int64, in library: LibraryReader
  ) throws(LibraryError) -> [Self] {
    try library.read { database throws(LibraryError) in
      try source.read(rows, version, FetchSession(objectsOf: library, database))
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
  /// Finds an object by its name as of the session's commit; nil when it is not there.
  let find: @Sendable (String, FetchSession) throws(LibraryError) -> Object?
  /// Whether two values of one object say different things.
  let differs: @Sendable (Object, Object) -> Bool
  /// Whether two values of one object have another photo or movie.
  var contentDiffers: @Sendable (Object, Object) -> Bool = { _, _ in false }
  /// The classes that objects of this type have in the history.
  let classes: [ObjectClass]
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
