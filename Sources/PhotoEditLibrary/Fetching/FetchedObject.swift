// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite
import PhotoEditStorage

/// An object that can be fetched: `Asset`, `AssetCollection`, `CollectionList` or
/// `PhotoCollection`.
public protocol FetchedObject: Sendable, Hashable, Identifiable where ID == String {
  /// The permanent, opaque identifier of the object.
  var localIdentifier: String { get }
  /// The queries and columns for objects of this type.
  static var source: FetchSource<Self> { get }
}

extension FetchedObject {
  /// The same as `localIdentifier`.
  public var id: String { localIdentifier }

  /// Returns whether two values have the same local identifier.
  public static func == (first: Self, second: Self) -> Bool {
    first.localIdentifier == second.localIdentifier
  }

  /// Hashes the local identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(localIdentifier) }

  /// Returns the objects of the given rows as of a commit, in the order of the rows.
  static func objects(
    _ rows: ArraySlice<Int64>, at version: Int64, in library: LibraryReader
  ) throws(LibraryError) -> [Self] {
    try library.read { database throws(LibraryError) in
      try source.read(rows, version, FetchSession(objectsOf: library, database))
    }
  }
}

/// The queries and columns for objects of one type; created only by this module.
public struct FetchSource<Object: Sendable>: Sendable {
  /// The keys of predicates and sort descriptors.
  let columns: [FetchColumn]
  let aliases: [String: String]
  let expressions: [String: String]
  /// Returns an identifier as stored in the database; nil if it is invalid for this type.
  let identity: @Sendable (String) -> DatabaseValue?
  /// Returns the row of an object; nil for computed and in-memory objects.
  let row: @Sendable (Object) -> Int64?
  /// Returns the value of a key, as stored in the database.
  let value: @Sendable (Object, FetchColumn) -> DatabaseValue
  /// Reads the objects of the given rows as of a commit.
  let read: @Sendable (ArraySlice<Int64>, Int64, FetchSession) throws(LibraryError) -> [Object]
  /// Finds an object by its identifier as of the session's commit; nil if it does not exist.
  let find: @Sendable (String, FetchSession) throws(LibraryError) -> Object?
  /// Returns whether two values of one object differ.
  let differs: @Sendable (Object, Object) -> Bool
  /// Returns whether two values of one object differ in their photo or video.
  var contentDiffers: @Sendable (Object, Object) -> Bool = { _, _ in false }
  /// The classes of this type in the history.
  let classes: [ObjectClass]
  /// The placeholder for an object that can no longer be read.
  let unavailable: Object
}

/// A key of predicates and sort descriptors.
struct FetchColumn: Sendable, Hashable {
  enum Kind: Sendable {
    case date, integer, bits, real, flag, text, identifier
    /// A day on the calendar at the place of capture, counted from 1970-01-01.
    case day
    /// Several texts of one object, such as keywords, which are in the object itself.
    case list
    /// Texts that are in other rows, such as the titles of albums: only the database knows them.
    case external
    /// All text of an object, searched by words.
    case words
    /// A location, searched by its coordinates.
    case location
  }

  /// Indicates whether objects can be sorted by the key.
  var isSortable: Bool {
    switch kind {
    case .list, .external, .words, .location: false
    default: true
    }
  }

  let name: String
  let kind: Kind

  init(_ name: String, _ kind: Kind) {
    self.name = name
    self.kind = kind
  }
}

/// The objects of a result: either given, or read in batches, the latest of which are cached.
final class FetchedMembers<Object: FetchedObject>: Sendable {
  private enum Origin: Sendable {
    case given([Object])
    case stored(ChunkedRowList, version: Int64, LibraryReader)
  }

  private struct Cache: Sendable {
    var batches: [Int: [Object]] = [:]
    /// The numbers of the batches, oldest first.
    var order: [Int] = []
    var failure: LibraryError?
  }

  private let origin: Origin
  private let cache = LockedValue(Cache())

  static var batchLength: Int { 100 }
  static var maximumCachedBatches: Int { 32 }

  init(_ objects: [Object]) { origin = .given(objects) }

  init(_ rows: ChunkedRowList, at version: Int64, in library: LibraryReader) {
    origin = .stored(rows, version: version, library)
  }

  var isGiven: Bool { if case .given = origin { true } else { false } }

  /// The most recent error in reading an object.
  var failure: LibraryError? { cache.withLock { $0.failure } }

  var batchCount: Int { cache.withLock { $0.batches.count } }

  /// Returns an object; the index must be valid.
  func read(_ index: Int) throws(LibraryError) -> Object {
    switch origin {
    case .given(let objects): return objects[index]
    case .stored:
      let batch = try batch(number: index / Self.batchLength)
      return batch[index % Self.batchLength]
    }
  }

  /// Returns an object, or the placeholder for one that cannot be read.
  func object(_ index: Int) -> Object {
    do throws(LibraryError) { return try read(index) } catch {
      fail(error)
      return Object.source.unavailable
    }
  }

  /// Returns the objects from an index to the end of its batch; empty after the last one.
  func batch(from index: Int) -> ArraySlice<Object> {
    switch origin {
    case .given(let objects): return objects[min(index, objects.count)...]
    case .stored(let rows, _, _):
      guard index < rows.count else { return [] }
      let number = index / Self.batchLength
      do throws(LibraryError) {
        return try batch(number: number)[(index % Self.batchLength)...]
      } catch {
        fail(error)
        let end = min(rows.count, (number + 1) * Self.batchLength)
        return Array(repeating: Object.source.unavailable, count: end - index)[...]
      }
    }
  }

  private func fail(_ error: LibraryError) { cache.withLock { $0.failure = error } }

  private func batch(number: Int) throws(LibraryError) -> [Object] {
    guard case .stored(let rows, let version, let library) = origin else { return [] }
    if let batch = cache.withLock({ $0.batches[number] }) { return batch }
    let start = number * Self.batchLength
    let end = min(rows.count, start + Self.batchLength)
    // Two threads may read the same batch, which is cheaper than waiting for each other's disk
    // access.
    let batch = try Object.objects(Array(rows[start..<end])[...], at: version, in: library)
    cache.withLock { cache in
      if cache.batches.updateValue(batch, forKey: number) == nil { cache.order.append(number) }
      if cache.order.count > Self.maximumCachedBatches {
        cache.batches[cache.order.removeFirst()] = nil
      }
    }
    return batch
  }
}
