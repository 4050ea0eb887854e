// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

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
  private let outcome = Outcome()

  /// The reason why a loop ended early, for all copies of the sequence.
  final class Outcome: Sendable {
    private let error = LockedValue<LibraryError?>(nil)

    var failure: LibraryError? { error.withLock { $0 } }

    func fail(_ failure: LibraryError) { error.withLock { $0 = failure } }
  }

  init(_ library: LibraryReader, after start: HistoryMark, through end: Int64) {
    self.library = library
    self.start = start
    self.end = end
  }

  /// Indicates whether the sequence starts at the first commit of the library.
  public var beginsWithFirst: Bool { start == .start }

  /// The reason why a loop most recently ended early; nil if none did.
  public var failure: LibraryError? { outcome.failure }

  /// Returns an iterator that reads the commits in batches.
  public func makeIterator() -> PersistentChangesIterator {
    PersistentChangesIterator(library, after: start, through: end, outcome)
  }
}

/// Iterates over the commits of a history in batches.
public struct PersistentChangesIterator: IteratorProtocol {
  private let library: LibraryReader
  private let end: Int64
  private let outcome: PersistentChanges.Outcome
  private var position: HistoryMark
  private var batch: ArraySlice<PersistentChange> = []
  private var hasFailed = false

  init(
    _ library: LibraryReader, after start: HistoryMark, through end: Int64,
    _ outcome: PersistentChanges.Outcome
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
      outcome.fail(error)
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
