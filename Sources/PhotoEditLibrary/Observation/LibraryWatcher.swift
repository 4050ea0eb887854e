// SPDX-License-Identifier: Apache-2.0
import Dispatch
import PhotoEditStorage

/// Reports promptly that a process, including this one, may have changed a library.
///
/// Each commit is followed by a touch of the file `generation`, which the kernel reports. A write
/// to the database log is reported too early: the commit becomes visible only after an update of an
/// index in shared memory, which the kernel does not report. Because a process may die between
/// commit and touch, a write to the log starts several checks at increasing intervals. An event
/// means that there may be changes; checking costs one small read.
///
/// If the kernel's watch limit for this user is reached, the watcher polls the dates of the files
/// once a second.
final class LibraryWatcher: Sendable {
  enum Event: Sendable, Hashable {
    /// There may be a new commit.
    case mayHaveCommitted
    /// The policy file was written, replaced or removed.
    case policyChanged
    /// The folder was moved, removed or replaced; no further event follows.
    case unavailable
  }

  /// The intervals between checks after a write to the log, in seconds.
  static let pauses = [0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1]
  /// The interval for polling the dates if the kernel cannot watch, in seconds.
  static let pollingPause = 1.0
  /// The interval between checks that the folder is still at its path, in seconds: the kernel does
  /// not report the move of a parent folder.
  static let pathCheckInterval = 5.0

  private struct State {
    var isCancelled = false
    /// The index of the next interval; nil if no check is scheduled.
    var nextInterval: Int?
    /// Indicates whether the log was written to since the last check.
    var isLogWritten = false
  }

  /// The polling interval in seconds; nil while the kernel watches.
  let polling: Double?

  // Unchecked: activated once in the initializer; canceling is safe from any thread.
  private struct Source: @unchecked Sendable {
    let source: any DispatchSourceRead
  }

  private let layout: LibraryLayout
  private let folder: FileVersion.Identity?
  private let queue: DispatchQueue
  private let source: Source?
  private let state = LockedValue(State())
  private let polled: LockedValue<PollingFallback>
  private let handler: @Sendable (Event) -> Void

  /// Starts watching; the watch ends with the object or with `cancel()`.
  ///
  /// - Parameters:
  ///   - queue: A serial queue for the events; nil for one of its own.
  ///   - polling: The polling interval in seconds, to avoid the kernel's events in any case.
  ///   - handler: Called on the queue. It is retained for the lifetime of the watcher.
  init(
    _ layout: LibraryLayout, queue: DispatchQueue? = nil, polling: Double? = nil,
    _ handler: @escaping @Sendable (Event) -> Void
  ) {
    self.layout = layout
    self.handler = handler
    let queue = queue ?? DispatchQueue(label: "org.photoedit.library.watcher")
    self.queue = queue
    folder = FileVersion(layout.root)?.identity
    polled = LockedValue(PollingFallback(layout))
    guard polling == nil, let events = try? DirectoryWatcher(folder: layout.root) else {
      let pause = polling ?? Self.pollingPause
      (self.polling, source) = (pause, nil)
      beat(after: pause)
      return
    }
    self.polling = nil
    let source = DispatchSource.makeReadSource(fileDescriptor: events.descriptor, queue: queue)
    self.source = Source(source: source)
    source.setEventHandler { [weak self] in self?.handle(events.consume()) }
    // Keeps the descriptor until the cancellation is complete.
    source.setCancelHandler { withExtendedLifetime(events) {} }
    source.activate()
    beat(after: Self.pathCheckInterval)
  }

  deinit { source?.source.cancel() }

  /// Ends the watch; a call of the handler that has begun still completes.
  func cancel() {
    state.withLock { $0.isCancelled = true }
    source?.source.cancel()
  }

  private func notify(_ event: Event) {
    guard !state.withLock({ $0.isCancelled }) else { return }
    if event == .unavailable { cancel() }
    handler(event)
  }

  // MARK: Kernel events

  private func handle(_ events: [DirectoryWatcher.Event]) {
    let (database, generation, policy) = (
      FileSystem.lastName(of: layout.database), FileSystem.lastName(of: layout.generation),
      FileSystem.lastName(of: layout.policy)
    )
    var (hasCommit, hasPolicy, isUnavailable, isLogWritten) = (false, false, false, false)
    for event in events {
      switch event {
      case .written(generation): hasCommit = true
      // New and removed files are events of the folder, which not every file system reports.
      case .written(database + "-wal"), .named(database): isLogWritten = true
      case .written(policy), .named(policy): hasPolicy = true
      case .lost: (hasCommit, hasPolicy, isLogWritten) = (true, true, true)
      case .folderRemoved: isUnavailable = true
      default: break
      }
    }
    if hasPolicy { notify(.policyChanged) }
    // Commits that were in the log before the touch are visible by now.
    if hasCommit { notify(.mayHaveCommitted) }
    if isLogWritten { scheduleCheck() }
    if isUnavailable { notify(.unavailable) }
  }

  // MARK: Checks after writes to the log

  private func scheduleCheck() {
    let isFirst = state.withLock { state in
      state.isLogWritten = true
      guard state.nextInterval == nil else { return false }
      state.nextInterval = 0
      return true
    }
    if isFirst { check(after: Self.pauses[0]) }
  }

  private func check(after pause: Double) {
    queue.asyncAfter(deadline: .now() + pause) { [weak self] in self?.check() }
  }

  private func check() {
    let next: Double? = state.withLock { state in
      guard let number = state.nextInterval, !state.isCancelled else { return nil }
      let isLast = number + 1 == Self.pauses.count
      // A constantly written log is checked once a second, and once after the last write.
      state.nextInterval =
        isLast && !state.isLogWritten ? nil : min(number + 1, Self.pauses.count - 1)
      state.isLogWritten = false
      return state.nextInterval.map { Self.pauses[$0] }
    }
    guard isAtPath else { return notify(.unavailable) }
    notify(.mayHaveCommitted)
    if let next { check(after: next) }
  }

  // MARK: Events the kernel does not report

  private var isAtPath: Bool { FileVersion(layout.root)?.identity == folder }

  private func beat(after pause: Double) {
    queue.asyncAfter(deadline: .now() + pause) { [weak self] in
      guard let self, !state.withLock({ $0.isCancelled }) else { return }
      guard isAtPath else { return notify(.unavailable) }
      if polling != nil {
        for event in polled.withLock({ $0.check(layout) }) { notify(event) }
      }
      beat(after: pause)
    }
  }
}

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

/// Blocks one thread until any process may have committed to a library.
package final class CommitWaiter: Sendable {
  /// The state shared by the watcher and the waiting thread; the watcher retains nothing else.
  private final class Signal: Sendable {
    let semaphore = DispatchSemaphore(value: 0)
    let isUnavailable = LockedValue(false)
  }

  private let library: PhotoLibrary
  private let signal: Signal
  private let watcher: LibraryWatcher

  /// Starts watching: any commit from now on ends the next wait.
  package init(_ library: PhotoLibrary) {
    let signal = Signal()
    self.library = library
    self.signal = signal
    watcher = LibraryWatcher(library.layout) { event in
      if event == .unavailable { signal.isUnavailable.withLock { $0 = true } }
      signal.semaphore.signal()
    }
  }

  /// Waits for a commit or for `wake()`; returns false after a timeout.
  package func wait(seconds: Double) -> Bool {
    guard signal.semaphore.wait(timeout: .now() + seconds) == .success else { return false }
    // Simultaneous events are merged.
    while signal.semaphore.wait(timeout: .now()) == .success {}
    return true
  }

  /// Ends the current or the next wait; can be called from any thread.
  package func wake() { signal.semaphore.signal() }

  /// Throws if the folder of the library is no longer at its path.
  package func checkLibrary() throws(LibraryError) {
    guard signal.isUnavailable.withLock({ $0 }) else { return }
    throw library.unavailabilityReason ?? .replaced(library.layout.root)
  }
}
