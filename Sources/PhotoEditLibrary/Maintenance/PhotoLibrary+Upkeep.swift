// SPDX-License-Identifier: Apache-2.0
import Dispatch
import PhotoEditSQLite

extension PhotoLibrary {
  /// Does what follows a commit; whatever fails here is done by whoever opens the library next.
  func tidy(after commit: Commit) {
    guard commit.hasLeftovers || commit.hasStaleManifests else { return }
    let touched = commit.touchedObjects.keys.map {
      ManifestWriter.Stale(objectClass: $0.objectClass, row: $0.row)
    }
    let isSmall = touched.count <= Upkeep.smallCommit
    if isSmall || commit.hasLeftovers {
      attempt { upkeep throws(LibraryError) in
        try upkeep.follow(isSmall ? touched : [], hasLeftovers: commit.hasLeftovers)
      }
    }
    upkeepSchedule.state.withLock { $0.commits += 1 }
    planUpkeep()
  }

  /// Writes every manifest and removes every superseded file, and waits until it is done.
  ///
  /// The history is pruned when there is time, and not here.
  ///
  /// The library is right without it. Programs that end soon after a change call it, so that the
  /// manifests beside the photos say what the database says.
  ///
  /// - Throws: `LibraryError` with `changeNotSupported` when called from inside a change block.
  public func synchronize() throws(LibraryError) {
    let writer = try openWriter()
    guard !writer.isCurrent else { throw .nestedBlock }
    let layout = layout
    try writer.sync { connection throws(LibraryError) in
      let upkeep = Upkeep(layout: layout, database: LibraryDatabase(connection: connection))
      while try upkeep.goOn() {}
    }
  }

  /// Synchronizes a library that was changed through this object; one that was only read is left
  /// alone.
  ///
  /// The changes are committed already: what fails here is done by whoever opens the library next.
  package func finishChanges() {
    guard upkeepSchedule.state.withLock({ $0.commits > 0 }) else { return }
    do throws(LibraryError) { try synchronize() } catch {}
  }

  /// Begins the upkeep when nobody has changed anything for a moment.
  ///
  /// Where there is no thread for that, whoever opens the library next does it: Dispatch would wait
  /// for one and hold up the commit.
  func planUpkeep() {
    guard Threads.areAvailable(2) else { return }
    let commits: Int? = upkeepSchedule.state.withLock { state in
      if state.isPlanned { return nil }
      state.isPlanned = true
      return state.commits
    }
    guard let commits else { return }
    attemptLater(after: UpkeepSchedule.pause, knowing: commits)
  }

  private func attemptLater(after seconds: Double, knowing commits: Int) {
    guard let writer = openedWriter else { return }
    writer.queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
      guard let self else { return }
      let now = upkeepSchedule.state.withLock { $0.commits }
      guard now == commits else { return attemptLater(after: seconds, knowing: now) }
      var isMore = false
      attempt { upkeep throws(LibraryError) in isMore = try upkeep.goOn() }
      // Another change may be waiting, and comes first.
      if isMore { return attemptLater(after: 0, knowing: commits) }
      upkeepSchedule.state.withLock { $0.isPlanned = false }
    }
  }

  /// Runs a step on the writer's queue; failures are left to the next opening.
  private func attempt(_ body: (Upkeep) throws(LibraryError) -> Void) {
    let (layout, retention) = (layout, configuration.historyRetention)
    do throws(LibraryError) {
      try openWriter().current { connection throws(LibraryError) in
        try body(
          Upkeep(
            layout: layout, database: LibraryDatabase(connection: connection),
            historyRetention: retention))
      }
    } catch {}
  }

  /// What a program does that opens a library for writing; none of it may be in its way.
  static func cleanUp(
    _ layout: LibraryLayout, _ connection: Connection, historyRetention: Double
  ) {
    let upkeep = Upkeep(
      layout: layout, database: LibraryDatabase(connection: connection),
      historyRetention: historyRetention)
    do throws(LibraryError) {
      try upkeep.removeAbandoned()
      let (isDue, isHistoryDue) = (try upkeep.isDue(), try upkeep.isHistoryDue())
      if isDue || isHistoryDue { _ = try upkeep.goOn() }
    } catch {}
  }
}
