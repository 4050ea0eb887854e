// SPDX-License-Identifier: Apache-2.0

/// Is told of every commit to a library, by this program and by others.
public protocol PhotoLibraryChangeObserver: AnyObject, Sendable {
  /// A commit happened, or what the program may see has changed.
  ///
  /// Called once for each commit, with everything that follows from it, in the order of the commits
  /// and never twice at a time for one observer. Whoever committed goes on when its observers are
  /// done, but waits for none of them longer than a tenth of a second; an observer that is slow gets
  /// its changes later and holds up nobody. `performChangesAndWait` fails from here.
  ///
  /// - Throws: Whatever it likes; the error goes to the configuration's `observerFailure`.
  func photoLibraryDidChange(_ change: Change) throws
}

extension PhotoLibrary {
  /// Begins to tell an observer of changes; it is held weakly.
  ///
  /// It is told of whatever is committed from now on. Register first and fetch then, so that no
  /// commit falls in between; details of changes that a result knows already are nil. Registering
  /// twice is the same as once.
  ///
  /// - Throws: `LibraryError` when the library cannot be read.
  public func register(_ observer: any PhotoLibraryChangeObserver) throws(LibraryError) {
    try feed.register(observer, self)
  }

  /// Ends telling an observer; a call that has begun goes on.
  public func unregister(_ observer: any PhotoLibraryChangeObserver) { feed.unregister(observer) }

  /// The changes from now on, one for each commit, by this program and by others.
  ///
  /// It begins where it is asked for: take it before you fetch what you show. Each loop over it has a place of its own in the history and reads on when it is ready, so a slow
  /// one loses nothing and costs no memory. Where the history was pruned meanwhile, one change stands
  /// for all that are gone.
  ///
  /// ```swift
  /// let changes = library.changes
  /// var shown = try library.fetchAssets()
  /// for try await change in changes {
  ///   guard let details = try change.changeDetails(for: shown) else { continue }
  ///   shown = details.fetchResultAfterChanges
  /// }
  /// ```
  public var changes: LibraryChanges { LibraryChanges(self) }
}
