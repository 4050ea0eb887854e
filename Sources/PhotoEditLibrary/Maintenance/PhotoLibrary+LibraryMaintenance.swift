// SPDX-License-Identifier: Apache-2.0
import Dispatch
import PhotoEditSQLite
import PhotoEditStorage

extension PhotoLibrary {
  /// Performs the maintenance after a commit; failures are left to the next opening of the library.
  func scheduleMaintenance(after commit: ChangeTransaction) {
    guard commit.hasLeftovers || commit.hasStaleManifests else { return }
    let touched = commit.touchedObjects.keys.map {
      ManifestWriter.Stale(objectClass: $0.objectClass, row: $0.row)
    }
    let isSmall = touched.count <= LibraryMaintenance.smallCommit
    if isSmall || commit.hasLeftovers {
      attempt { maintenance throws(LibraryError) in
        try maintenance.follow(isSmall ? touched : [], hasLeftovers: commit.hasLeftovers)
      }
    }
    maintenanceSchedule.state.withLock { $0.commits += 1 }
    planMaintenance()
  }

  /// Writes all pending manifests and removes all superseded files before it returns.
  ///
  /// It does not prune the history; that happens in the background.
  ///
  /// The library is consistent without this call. Processes that exit soon after a change call it
  /// to bring the manifests next to the photos up to date.
  ///
  /// - Throws: `LibraryError` with `changeNotSupported` when called from a change block. If only the
  ///   erasure of purged assets failed, for lack of space for example, everything else is done.
  public func synchronize() throws(LibraryError) {
    let writer = try openWriter()
    guard !writer.isCurrent else { throw .nestedBlock }
    let layout = layout
    try writer.sync { connection throws(LibraryError) in
      let maintenance = LibraryMaintenance(
        layout: layout, database: LibraryDatabase(connection: connection))
      try maintenance.finish()
    }
  }

  /// Synchronizes the library if it was changed through this object.
  ///
  /// The changes are committed already: failures are left to the next opening of the library.
  package func finishChanges() {
    guard maintenanceSchedule.state.withLock({ $0.commits > 0 }) else { return }
    do throws(LibraryError) { try synchronize() } catch {}
  }

  /// Schedules maintenance after a short period without changes.
  ///
  /// If no thread is available, maintenance is left to the next opening of the library: Dispatch
  /// would wait for a thread and block the commit.
  func planMaintenance() {
    guard ThreadGroup.areAvailable(2) else { return }
    let commits: Int? = maintenanceSchedule.state.withLock { state in
      if state.isPlanned { return nil }
      state.isPlanned = true
      return state.commits
    }
    guard let commits else { return }
    attemptLater(after: MaintenanceSchedule.pause, knowing: commits)
  }

  private func attemptLater(after seconds: Double, knowing commits: Int) {
    guard let writer = openedWriter else { return }
    writer.queue.asyncAfter(deadline: .now() + seconds) { [weak self] in
      guard let self else { return }
      let now = maintenanceSchedule.state.withLock { $0.commits }
      guard now == commits else { return attemptLater(after: seconds, knowing: now) }
      var isMore = false
      attempt { maintenance throws(LibraryError) in
        isMore = try maintenance.runNextStep()
        if !isMore { try maintenance.erase() }
      }
      // Changes that are waiting run first.
      if isMore { return attemptLater(after: 0, knowing: commits) }
      maintenanceSchedule.state.withLock { $0.isPlanned = false }
    }
  }

  /// Runs a step on the writer's queue; failures are left to the next opening of the library.
  private func attempt(_ body: (LibraryMaintenance) throws(LibraryError) -> Void) {
    let (layout, retention) = (layout, configuration.historyRetention)
    do throws(LibraryError) {
      try openWriter().current { connection throws(LibraryError) in
        try body(
          LibraryMaintenance(
            layout: layout, database: LibraryDatabase(connection: connection),
            historyRetention: retention))
      }
    } catch {}
  }

  /// Performs the maintenance at opening a library for writing; failures are ignored.
  static func cleanUp(
    _ layout: LibraryLayout, _ connection: Connection, historyRetention: Double
  ) {
    let maintenance = LibraryMaintenance(
      layout: layout, database: LibraryDatabase(connection: connection),
      historyRetention: historyRetention)
    do throws(LibraryError) {
      try maintenance.removeAbandoned()
      let (isDue, isHistoryDue) = (try maintenance.isDue(), try maintenance.isHistoryDue())
      let isProtectionDue = try maintenance.isProtectionDue()
      let isErasureDue = try maintenance.isErasureDue()
      if isDue || isHistoryDue || isProtectionDue || isErasureDue {
        if try !maintenance.runNextStep() { try maintenance.erase() }
      }
    } catch {}
  }
}

/// The schedule of maintenance: small tasks run immediately, larger ones during pauses.
final class MaintenanceSchedule: Sendable {
  struct State {
    var commits = 0
    var isPlanned = false
  }

  let state = LockedValue(State())

  /// The time in seconds without a commit after which background maintenance starts.
  static let pause = 0.5
}
