// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The dates of the files that indicate changes, for polling without kernel events.
struct PollingFallback {
  private var commits: [FileVersion?]
  private var policy: FileVersion?
  private var isLogWritten = false

  init(_ layout: LibraryLayout) {
    commits = Self.commits(layout)
    policy = FileVersion(layout.policy)
  }

  private static func commits(_ layout: LibraryLayout) -> [FileVersion?] {
    [layout.generation, layout.database + "-wal"].map { FileVersion($0) }
  }

  /// Returns the possible events since the last call.
  mutating func check(_ layout: LibraryLayout) -> [LibraryWatcher.Event] {
    var events: [LibraryWatcher.Event] = []
    let (commits, policy) = (Self.commits(layout), FileVersion(layout.policy))
    if policy != self.policy { events.append(.policyChanged) }
    // The log changes before its commit becomes visible, so the next poll reports a commit as well.
    let isNew = commits != self.commits
    if isNew || isLogWritten { events.append(.mayHaveCommitted) }
    (self.commits, self.policy, isLogWritten) = (commits, policy, isNew)
    return events
  }
}
