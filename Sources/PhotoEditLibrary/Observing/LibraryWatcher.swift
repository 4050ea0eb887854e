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
  /// A possible change.
  enum Event: Sendable, Hashable {
    /// There may be a new commit.
    case mayHaveCommitted
    /// The policy file was written, replaced or removed.
    case policyChanged
    /// The folder was moved, removed or replaced; no further event follows.
    case gone
  }

  /// The intervals between checks after a write to the log, in seconds.
  static let pauses = [0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1]
  /// The interval for polling the dates if the kernel cannot watch, in seconds.
  static let pollingPause = 1.0
  /// The interval between checks that the folder is still at its path, in seconds: the kernel does
  /// not report the move of a parent folder.
  static let placePause = 5.0

  private struct State {
    var isCancelled = false
    /// The index of the next interval; nil if no check is scheduled.
    var look: Int?
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
  private let folder: FileIdentity?
  private let queue: DispatchQueue
  private let source: Source?
  private let state = Guarded(State())
  private let polled: Guarded<PolledFiles>
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
    folder = FileIdentity(layout.root)
    polled = Guarded(PolledFiles(layout))
    guard polling == nil, let events = try? FolderEvents(folder: layout.root) else {
      let pause = polling ?? Self.pollingPause
      (self.polling, source) = (pause, nil)
      beat(after: pause)
      return
    }
    self.polling = nil
    let source = DispatchSource.makeReadSource(fileDescriptor: events.descriptor, queue: queue)
    self.source = Source(source: source)
    source.setEventHandler { [weak self] in self?.take(events.take()) }
    // Keeps the descriptor until the cancellation is complete.
    source.setCancelHandler { withExtendedLifetime(events) {} }
    source.activate()
    beat(after: Self.placePause)
  }

  deinit { source?.source.cancel() }

  /// Ends the watch; a call of the handler that has begun still completes.
  func cancel() {
    state.withLock { $0.isCancelled = true }
    source?.source.cancel()
  }

  private func tell(_ event: Event) {
    guard !state.withLock({ $0.isCancelled }) else { return }
    if event == .gone { cancel() }
    handler(event)
  }

  // MARK: Kernel events

  private func take(_ events: [FolderEvents.Event]) {
    let (database, generation, policy) = (
      FileSystem.lastName(of: layout.database), FileSystem.lastName(of: layout.generation),
      FileSystem.lastName(of: layout.policy)
    )
    var (hasCommit, hasPolicy, isGone, isLogWritten) = (false, false, false, false)
    for event in events {
      switch event {
      case .written(generation): hasCommit = true
      // New and removed files are events of the folder, which not every file system reports.
      case .written(database + "-wal"), .named(database): isLogWritten = true
      case .written(policy), .named(policy): hasPolicy = true
      case .lost: (hasCommit, hasPolicy, isLogWritten) = (true, true, true)
      case .folderGone: isGone = true
      default: break
      }
    }
    if hasPolicy { tell(.policyChanged) }
    // Commits that were in the log before the touch are visible by now.
    if hasCommit { tell(.mayHaveCommitted) }
    if isLogWritten { planLook() }
    if isGone { tell(.gone) }
  }

  // MARK: Checks after writes to the log

  private func planLook() {
    let isFirst = state.withLock { state in
      state.isLogWritten = true
      guard state.look == nil else { return false }
      state.look = 0
      return true
    }
    if isFirst { look(after: Self.pauses[0]) }
  }

  private func look(after pause: Double) {
    queue.asyncAfter(deadline: .now() + pause) { [weak self] in self?.look() }
  }

  private func look() {
    let next: Double? = state.withLock { state in
      guard let number = state.look, !state.isCancelled else { return nil }
      let isLast = number + 1 == Self.pauses.count
      // A constantly written log is checked once a second, and once after the last write.
      state.look = isLast && !state.isLogWritten ? nil : min(number + 1, Self.pauses.count - 1)
      state.isLogWritten = false
      return state.look.map { Self.pauses[$0] }
    }
    guard isInPlace else { return tell(.gone) }
    tell(.mayHaveCommitted)
    if let next { look(after: next) }
  }

  // MARK: Events the kernel does not report

  private var isInPlace: Bool { FileIdentity(layout.root) == folder }

  private func beat(after pause: Double) {
    queue.asyncAfter(deadline: .now() + pause) { [weak self] in
      guard let self, !state.withLock({ $0.isCancelled }) else { return }
      guard isInPlace else { return tell(.gone) }
      if polling != nil {
        for event in polled.withLock({ $0.look(layout) }) { tell(event) }
      }
      beat(after: pause)
    }
  }
}
