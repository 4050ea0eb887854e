// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditStorage

/// The changes of one commit, by local identifier.
///
/// There is one for each commit, even if nothing visible to this program was changed, such as when
/// assets in the trash were permanently deleted.
public struct PersistentChange: Sendable {
  /// The token of this commit; store it after processing the change.
  public let changeToken: PersistentChangeToken
  /// The date of the commit.
  public var date: Date {
    Date(timeIntervalSince1970: Double(bitPattern: changeToken.mark.date))
  }

  enum Objects: Sendable {
    case read([LibraryHistory.Object])
    /// Too many to keep in memory; read on access.
    case stored(LibraryReader)
  }

  let objects: Objects

  /// Returns the objects of one class that the commit inserted, updated and deleted.
  ///
  /// - Throws: `LibraryError` with `persistentChangeDetailsUnavailable` if the history has been
  ///   pruned past this commit in the meantime: fetch the displayed objects again, and continue
  ///   with the next change.
  public func changeDetails(
    for objectClass: ObjectClass
  ) throws(LibraryError) -> PersistentObjectChangeDetails {
    let all: [LibraryHistory.Object]
    switch objects {
    case .read(let objects): all = objects
    case .stored(let library): all = try library.objects(of: changeToken.mark)
    }
    return PersistentObjectChangeDetails(objectClass, all)
  }
}

/// The objects of one class that a commit changed; the sets are disjoint.
///
/// Moving to the trash is a deletion, restoring from it an insertion. An object that was inserted
/// and deleted in the same commit is in none of the sets; one that was inserted and updated is
/// inserted.
public struct PersistentObjectChangeDetails: Sendable, Hashable {
  /// The class of the objects.
  public let objectClass: ObjectClass
  /// Local identifiers of objects that were inserted by this commit.
  public private(set) var insertedLocalIdentifiers: Set<String> = []
  /// Local identifiers of existing objects that changed in properties, content or members.
  public private(set) var updatedLocalIdentifiers: Set<String> = []
  /// Local identifiers of objects that no longer exist.
  public private(set) var deletedLocalIdentifiers: Set<String> = []

  /// Indicates whether the commit changed nothing of this class.
  public var isEmpty: Bool {
    insertedLocalIdentifiers.isEmpty && updatedLocalIdentifiers.isEmpty
      && deletedLocalIdentifiers.isEmpty
  }

  init(_ objectClass: ObjectClass, _ objects: [LibraryHistory.Object]) {
    self.objectClass = objectClass
    for object in objects where object.identifier.objectClass == objectClass {
      let name = object.identifier.description
      switch object.kind {
      case .inserted: insertedLocalIdentifiers.insert(name)
      case .updated: updatedLocalIdentifiers.insert(name)
      case .deleted: deletedLocalIdentifiers.insert(name)
      }
    }
  }
}

/// The commits from a token to the time of the fetch, the oldest first.
///
/// They are read in batches during iteration, so that a long history needs little memory. A `for`
/// loop cannot throw: if the library can no longer be read, or the history was pruned past the
/// current position, the loop ends early, and `failure` contains the reason. The iterator's
/// `nextChange()` throws instead.
public struct PersistentChanges: Sendable, Sequence {
  private let library: LibraryReader
  private let start: HistoryMark
  private let end: Int64
  /// The reason why a loop ended early, for all copies of the sequence.
  private let outcome = LockedValue<LibraryError?>(nil)

  init(_ library: LibraryReader, after start: HistoryMark, through end: Int64) {
    self.library = library
    self.start = start
    self.end = end
  }

  /// Indicates whether the sequence starts at the first commit of the library.
  public var beginsWithFirst: Bool { start == .start }

  /// The reason why a loop most recently ended early; nil if none did.
  public var failure: LibraryError? { outcome.withLock { $0 } }

  /// Returns an iterator that reads the commits in batches.
  public func makeIterator() -> PersistentChangesIterator {
    PersistentChangesIterator(library, after: start, through: end, outcome)
  }
}

/// Iterates over the commits of a history in batches.
public struct PersistentChangesIterator: IteratorProtocol {
  private let library: LibraryReader
  private let end: Int64
  private let outcome: LockedValue<LibraryError?>
  private var position: HistoryMark
  private var batch: ArraySlice<PersistentChange> = []
  private var hasFailed = false

  init(
    _ library: LibraryReader, after start: HistoryMark, through end: Int64,
    _ outcome: LockedValue<LibraryError?>
  ) {
    self.library = library
    position = start
    self.end = end
    self.outcome = outcome
  }

  /// Returns the next commit; nil after the last one and after a failure.
  public mutating func next() -> PersistentChange? {
    if hasFailed { return nil }
    do throws(LibraryError) { return try nextChange() } catch {
      hasFailed = true
      outcome.withLock { $0 = error }
      return nil
    }
  }

  /// Returns the next commit; nil after the last one.
  ///
  /// - Throws: `LibraryError` if the library cannot be read, and with
  ///   `persistentChangeTokenExpired` if the history was pruned past this position.
  public mutating func nextChange() throws(LibraryError) -> PersistentChange? {
    if batch.isEmpty, position.number < end {
      batch = try library.changes(after: position, through: end)[...]
    }
    let change = batch.popFirst()
    if let change { position = change.changeToken.mark }
    return change
  }
}
