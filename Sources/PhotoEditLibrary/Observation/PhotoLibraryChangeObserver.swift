// SPDX-License-Identifier: Apache-2.0

/// An observer that is notified of every commit to a library, by this process and by others.
public protocol PhotoLibraryChangeObserver: AnyObject, Sendable {
  /// Called after a commit or a change of the access grant.
  ///
  /// Called once for each commit, with all its consequences, in the order of the commits and never
  /// concurrently for one observer. A committing call returns after its observers have finished,
  /// but waits at most a tenth of a second; a slow observer receives its changes later and delays
  /// no other. `performChangesAndWait` fails if called from here.
  ///
  /// - Throws: Any error; it is passed to the configuration's `observerFailure`.
  func photoLibraryDidChange(_ change: LibraryChange) throws
}

extension PhotoLibrary {
  /// Registers an observer of changes; it is held weakly.
  ///
  /// It is notified of every commit from now on. Register before you fetch, so that no commit is
  /// missed; change details are nil for changes that a result already includes. Registering twice
  /// has no further effect.
  ///
  /// - Throws: `LibraryError` if the library cannot be read.
  public func register(_ observer: any PhotoLibraryChangeObserver) throws(LibraryError) {
    try feed.register(observer, self)
  }

  /// Unregisters an observer; a call that has begun still completes.
  public func unregister(_ observer: any PhotoLibraryChangeObserver) { feed.unregister(observer) }

  /// The changes from now on, one for each commit, by this process and by others.
  ///
  /// The sequence starts at the time of this call: create it before you fetch. Each loop over it
  /// has its own position in the history and reads at its own pace, so a slow one misses nothing
  /// and uses no memory. If the history was pruned meanwhile, one change replaces the pruned ones.
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
