// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The dates of the files that tell of changes, for want of events.
struct PolledFiles {
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

  /// What may have happened since the last look.
  mutating func look(_ layout: LibraryLayout) -> [LibraryWatcher.Event] {
    var events: [LibraryWatcher.Event] = []
    let (commits, policy) = (Self.commits(layout), FileVersion(layout.policy))
    if policy != self.policy { events.append(.policyChanged) }
    // The log changes before its commit can be seen, so that the next look counts as well.
    let isNew = commits != self.commits
    if isNew || isLogWritten { events.append(.mayHaveCommitted) }
    (self.commits, self.policy, isLogWritten) = (commits, policy, isNew)
    return events
  }
}
