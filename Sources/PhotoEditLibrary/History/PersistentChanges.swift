// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The commits behind a token and up to the moment of the fetch, the oldest first.
///
/// They are read in batches while a loop goes on, so that a long history needs little memory. A
/// `for` loop cannot throw: when the library cannot be read any more, or the history was pruned
/// beyond the place of the loop, it ends early and `failure` says why. The iterator's
/// `nextChange()` throws instead.
public struct PersistentChanges: Sendable, Sequence {
  private let library: LibraryReader
  private let start: HistoryMark
  private let end: Int64
  private let outcome = Outcome()

  /// Why a loop ended early, for all copies of the sequence.
  final class Outcome: Sendable {
    private let error = Guarded<LibraryError?>(nil)

    var failure: LibraryError? { error.withLock { $0 } }

    func fail(_ failure: LibraryError) { error.withLock { $0 = failure } }
  }

  init(_ library: LibraryReader, after start: HistoryMark, through end: Int64) {
    self.library = library
    self.start = start
    self.end = end
  }

  /// Whether the first commit of the library is among them, or would be.
  public var beginsWithFirst: Bool { start == .start }

  /// Why a loop ended early last; nil while none did.
  public var failure: LibraryError? { outcome.failure }

  /// Goes through the commits batch by batch.
  public func makeIterator() -> PersistentChangesIterator {
    PersistentChangesIterator(library, after: start, through: end, outcome)
  }
}

/// Goes through the commits of a history, batch by batch.
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

  /// The next commit; nil after the last one and after a failure.
  public mutating func next() -> PersistentChange? {
    if hasFailed { return nil }
    do throws(LibraryError) { return try nextChange() } catch {
      hasFailed = true
      outcome.fail(error)
      return nil
    }
  }

  /// The next commit; nil after the last one.
  ///
  /// - Throws: `LibraryError` when the library cannot be read, and with
  ///   `persistentChangeTokenExpired` when the history was pruned beyond this place.
  public mutating func nextChange() throws(LibraryError) -> PersistentChange? {
    if batch.isEmpty, position.number < end {
      batch = try library.changes(after: position, through: end)[...]
    }
    let change = batch.popFirst()
    if let change { position = change.changeToken.mark }
    return change
  }
}
