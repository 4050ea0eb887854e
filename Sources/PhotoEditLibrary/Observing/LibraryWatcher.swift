// SPDX-License-Identifier: Apache-2.0
import Dispatch
import PhotoEditStorage

/// Tells within a moment that some program may have changed a library, this one included.
///
/// Whoever commits touches the file `generation` after it, and the kernel tells of that. Writing to
/// the log of the database is told too early: the commit is seen only when an index in shared
/// memory follows, of which the kernel tells nothing. A program may die between commit and touch,
/// so that writing to the log starts a few looks with growing pauses. An event means that there may
/// be something new; looking costs one small read.
///
/// Where the kernel watches no more for this user, the watcher looks at the dates of the files once
/// a second.
final class LibraryWatcher: Sendable {
  /// What may have happened.
  enum Event: Sendable, Hashable {
    /// There may be a commit that was not there before.
    case mayHaveCommitted
    /// The policy file was written, replaced or removed.
    case policyChanged
    /// The folder was moved, removed or replaced; no event follows.
    case gone
  }

  /// Seconds from one look to the next after the log was written to.
  static let pauses = [0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1]
  /// Seconds from one look at the dates to the next, where nothing better is to be had.
  static let pollingPause = 1.0
  /// Seconds from one look to the next whether the folder is still in its place: the kernel does
  /// not tell when one above it is moved.
  static let placePause = 5.0

  private struct State {
    var isCancelled = false
    /// The number of the next pause; nil while no look is planned.
    var look: Int?
    /// Whether the log was written to since the last look.
    var isLogWritten = false
  }

  /// Seconds between two looks at the dates; nil while the kernel watches.
  let polling: Double?

  // Unchecked: activated once in the initialiser; cancelling is safe from any thread.
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

  /// Begins to watch; it ends with the object, or with `cancel()`.
  ///
  /// - Parameters:
  ///   - queue: A serial queue for the events; nil for one of its own.
  ///   - polling: Seconds between two looks at the dates, to do without the kernel in any case.
  ///   - handler: Called on the queue. What it holds is held as long as the watcher is there.
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
    // Keeps the descriptor until nobody waits for it any more.
    source.setCancelHandler { withExtendedLifetime(events) {} }
    source.activate()
    beat(after: Self.placePause)
  }

  deinit { source?.source.cancel() }

  /// Ends the watch; a call of the handler that has begun goes on.
  func cancel() {
    state.withLock { $0.isCancelled = true }
    source?.source.cancel()
  }

  private func tell(_ event: Event) {
    guard !state.withLock({ $0.isCancelled }) else { return }
    if event == .gone { cancel() }
    handler(event)
  }

  // MARK: The kernel's events

  private func take(_ events: [FolderEvents.Event]) {
    let (database, generation, policy) = (
      FileSystem.lastName(of: layout.database), FileSystem.lastName(of: layout.generation),
      FileSystem.lastName(of: layout.policy)
    )
    var (hasCommit, hasPolicy, isGone, isLogWritten) = (false, false, false, false)
    for event in events {
      switch event {
      case .written(generation): hasCommit = true
      // A database that comes or goes is followed by its folder, which not every file system tells.
      case .written(database + "-wal"), .named(database): isLogWritten = true
      case .written(policy), .named(policy): hasPolicy = true
      case .lost: (hasCommit, hasPolicy, isLogWritten) = (true, true, true)
      case .folderGone: isGone = true
      default: break
      }
    }
    if hasPolicy { tell(.policyChanged) }
    // What was in the log before the touch can be seen by now.
    if hasCommit { tell(.mayHaveCommitted) }
    if isLogWritten { planLook() }
    if isGone { tell(.gone) }
  }

  // MARK: Looks after the log was written to

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
      // A log that is written to all the time is looked at once a second, and once after its end.
      state.look = isLast && !state.isLogWritten ? nil : min(number + 1, Self.pauses.count - 1)
      state.isLogWritten = false
      return state.look.map { Self.pauses[$0] }
    }
    guard isInPlace else { return tell(.gone) }
    tell(.mayHaveCommitted)
    if let next { look(after: next) }
  }

  // MARK: What the kernel does not tell

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
