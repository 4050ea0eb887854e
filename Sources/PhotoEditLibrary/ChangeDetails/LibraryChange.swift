// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// The changes of one commit, made by this or another process.
///
/// A change provides details for any object and any fetch result, even those that were fetched long
/// before it: details start at the commit that the result shows and end at this one. A client that
/// missed a few changes therefore gets all of them from the latest one.
public struct LibraryChange: Sendable {
  /// The library that was changed.
  public let library: PhotoLibrary
  /// The last commit before the change.
  let base: Int64
  let version: Int64

  init(in library: PhotoLibrary, from base: Int64, through version: Int64) {
    self.library = library
    self.base = base
    self.version = version
  }

  /// Indicates whether only the access of this program changed, and nothing in the library.
  ///
  /// Details of results work as for other changes; they are not incremental if the library has
  /// become readable or unreadable.
  public var isOfAuthorization: Bool { base == version }

  /// Returns the changes to a fetch result; nil if neither the membership, the order nor any member
  /// changed.
  ///
  /// The details cover the time from the commit that the result shows to this change, and their
  /// `fetchResultAfterChanges` is what the same fetch would have returned at that point. There are
  /// no details for a result of this change or of a later one.
  ///
  /// For a result of n assets without a limit and a commit that touched k objects, this takes
  /// O(k·log n) reads of the database, and the new result copies one number per thousand members.
  /// If members enter and leave for other reasons (a limit, the smart album of recent additions,
  /// moments, fetches by name), or if there are few of them, as with albums and folders, the fetch
  /// is repeated as of this change and compared, in O(n·log n).
  ///
  /// - Throws: `LibraryError` if the library cannot be read.
  public func changeDetails<Object>(
    for result: FetchResult<Object>
  ) throws(LibraryError) -> FetchResultChangeDetails<Object>? {
    guard result.library === library.reader, let query = result.query else { return nil }
    return try ChangeDetailsComputation(
      library: library.reader, query: query, before: result, through: version
    )
    .details()
  }

  /// Returns the changes to an object; nil if this change did not touch it or the program may not
  /// see it.
  ///
  /// `objectBeforeChanges` is the object that is passed, and `objectAfterChanges` is its state
  /// after this change, even if later changes exist. An album is touched by changes to its members
  /// and, like a smart album, by everything that changes its counts and dates.
  ///
  /// - Throws: `LibraryError` if the library cannot be read.
  public func changeDetails<Object: FetchedObject>(
    for object: Object
  ) throws(LibraryError) -> ObjectChangeDetails<Object>? {
    guard base < version, try isOfLibrary(object) else { return nil }
    let touch = try touch(of: object)
    // Collections also change with their members.
    guard touch != .none || Object.source.classes != [.asset] else { return nil }
    let (after, isVisible) = try library.reader.reading(asOf: version) {
      session throws(LibraryError) in
      (try Object.source.find(object.localIdentifier, session), session.sees(object))
    }
    guard isVisible else { return nil }
    switch touch {
    case .touched(let isContent):
      return ObjectChangeDetails(from: object, to: after, assetContentChanged: isContent)
    case .expired, .none:
      if let after {
        guard Object.source.differs(object, after) else { return nil }
      } else if touch == .none {
        // Computed objects, such as moments, leave no record when they disappear.
        let before = try library.reader.reading(asOf: base) { session throws(LibraryError) in
          try Object.source.find(object.localIdentifier, session)
        }
        guard before != nil else { return nil }
      }
      let isContent = after.map { Object.source.contentDiffers(object, $0) } ?? false
      return ObjectChangeDetails(from: object, to: after, assetContentChanged: isContent)
    }
  }

  /// The record of an object in the history.
  private enum Touch: Equatable {
    case none
    case touched(isContent: Bool)
    /// Part of the history is pruned.
    case expired
  }

  private func touch<Object: FetchedObject>(of object: Object) throws(LibraryError) -> Touch {
    let row = Object.source.row(object) ?? 0
    return try library.read { database throws(LibraryError) in
      guard try database.retains(base) else { return .expired }
      let touches = try database.all(
        """
        SELECT isContent FROM changedObject
        WHERE change > ? AND change <= ? AND object = ? AND (class = 1) = ?
        """,
        [
          .integer(base), .integer(version), .integer(row),
          .init(Object.source.classes == [.asset]),
        ]
      ) { $0.bool(0) }
      return touches.isEmpty ? .none : .touched(isContent: touches.contains(true))
    }
  }

  /// Returns whether an object belongs to this library; in another library, the same row has a
  /// different identifier.
  private func isOfLibrary<Object: FetchedObject>(_ object: Object) throws(LibraryError) -> Bool {
    guard let row = Object.source.row(object), row > 0 else { return true }
    do throws(LibraryError) {
      let own = try Object.objects([row], at: version, in: library.reader).first
      return own?.localIdentifier == object.localIdentifier
    } catch {
      if error.code == .invalidResource { return false }
      throw error
    }
  }
}

extension FetchSession {
  /// Returns whether the program may be notified of an object.
  fileprivate func sees<Object: FetchedObject>(_ object: Object) -> Bool {
    guard case .limited(let names) = grant else { return grant.canRead }
    guard Object.source.classes == [.asset] else {
      return Object.source.row(object) == nil || seesUserCollections
    }
    return names.contains(object.localIdentifier)
  }
}

/// The changes to one object.
///
/// Objects are immutable values; to show the current state, continue with `objectAfterChanges`.
public struct ObjectChangeDetails<Object: FetchedObject>: Sendable {
  /// The object that the details were requested for.
  public let objectBeforeChanges: Object
  /// The object in its state after the changes; nil if it was deleted.
  public let objectAfterChanges: Object?
  /// Indicates whether the photo or video itself changed, as by an edit or a revert, but not by
  /// marking it as a favorite.
  ///
  /// False for albums and folders.
  public let assetContentChanged: Bool

  /// Creates details that belong to no library, for tests and previews of user interfaces.
  ///
  /// - Parameters:
  ///   - before: The object that is shown.
  ///   - after: The same object after the changes; nil if it was deleted.
  ///   - assetContentChanged: Whether the photo or video itself changed.
  public init(from before: Object, to after: Object?, assetContentChanged: Bool = false) {
    objectBeforeChanges = before
    objectAfterChanges = after
    self.assetContentChanged = assetContentChanged
  }

  /// Indicates whether the object was deleted.
  public var objectWasDeleted: Bool { objectAfterChanges == nil }
}

extension ObjectChangeDetails: Codable where Object: Codable {}
