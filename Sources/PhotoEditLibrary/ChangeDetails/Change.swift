// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// What one commit changed, whichever program made it.
///
/// A change knows what became of any object and any fetch result, also of those that were fetched
/// long before it: details begin at the commit that the result shows and end at this one. So whoever
/// missed a few changes asks the latest one and has them all.
public struct Change: Sendable {
  /// The library in which it happened.
  public let library: PhotoLibrary
  /// The last commit before it.
  let base: Int64
  /// The commit.
  let version: Int64

  /// Makes the change from one commit to a later one.
  init(in library: PhotoLibrary, from base: Int64, through version: Int64) {
    self.library = library
    self.base = base
    self.version = version
  }

  /// Whether what this program may see has changed, and nothing in the library.
  ///
  /// Details of results are as those of other changes; they are not incremental where a library that
  /// could not be read can be read now, or the other way round.
  public var isOfAuthorization: Bool { base == version }

  /// What became of a fetch result; nil when neither membership nor order nor any member changed.
  ///
  /// The details go from the commit that the result shows to this change, and their
  /// `fetchResultAfterChanges` is what the same fetch would have given then. A result of this change
  /// or a later one has no details.
  ///
  /// A result of n assets without a limit and a commit that touched k objects costs O(k·log n) reads
  /// of the database, and for the new result a copy of one number for a thousand members. Where members come and go for other reasons (a
  /// limit, the smart album of recent additions, moments, fetches by name), and where there are few,
  /// as of albums and folders, the fetch is made again as of this change and compared, in O(n·log n).
  ///
  /// - Throws: `LibraryError` when the library cannot be read.
  public func changeDetails<Object>(
    for result: FetchResult<Object>
  ) throws(LibraryError) -> FetchResultChangeDetails<Object>? {
    guard result.library === library.reader, let recipe = result.recipe else { return nil }
    return try ResultFollower(
      library: library.reader, recipe: recipe, before: result, through: version
    )
    .details()
  }

  /// What became of an object; nil when this change did not touch it, or the program may not see it.
  ///
  /// `objectBeforeChanges` is the object that is passed, and `objectAfterChanges` what it was after this
  /// change, also where later ones have gone on. Albums are touched by what is put into them, and like
  /// smart albums by whatever changes their counts and dates.
  ///
  /// - Throws: `LibraryError` when the library cannot be read.
  public func changeDetails<Object: FetchedObject>(
    for object: Object
  ) throws(LibraryError) -> ObjectChangeDetails<Object>? {
    guard base < version, try isOfLibrary(object) else { return nil }
    let touch = try touch(of: object)
    // Collections change with their members as well.
    guard touch != .none || Object.source.classes != [.asset] else { return nil }
    let (after, isVisible) = try library.reader.reading(asOf: version) {
      session throws(LibraryError) in
      (try Object.source.find(object.localIdentifier, session), session.sees(object))
    }
    guard isVisible else { return nil }
    switch touch {
    case .touched(let isContent):
      return ObjectChangeDetails(from: object, to: after, assetContentChanged: isContent)
    case .forgotten, .none:
      if let after {
        guard Object.source.differs(object, after) else { return nil }
      } else if touch == .none {
        // What is computed, such as a moment, ends without a trace.
        let before = try library.reader.reading(asOf: base) { session throws(LibraryError) in
          try Object.source.find(object.localIdentifier, session)
        }
        guard before != nil else { return nil }
      }
      let isContent = after.map { Object.source.contentDiffers(object, $0) } ?? false
      return ObjectChangeDetails(from: object, to: after, assetContentChanged: isContent)
    }
  }

  /// What the history tells of an object.
  private enum Touch: Equatable {
    case none
    case touched(isContent: Bool)
    /// A part of it is pruned.
    case forgotten
  }

  private func touch<Object: FetchedObject>(of object: Object) throws(LibraryError) -> Touch {
    let row = Object.source.row(object) ?? 0
    return try library.read { database throws(LibraryError) in
      guard try database.remembers(base) else { return .forgotten }
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

  /// Whether an object is of this library; another one's has the same row and another name.
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
  /// Whether a program may be told of an object.
  fileprivate func sees<Object: FetchedObject>(_ object: Object) -> Bool {
    guard case .limited(let names) = grant else { return grant.canRead }
    guard Object.source.classes == [.asset] else {
      return Object.source.row(object) == nil || seesUserCollections
    }
    return names.contains(object.localIdentifier)
  }
}
