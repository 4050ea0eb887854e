// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem
import PhotoEditPlatform

/// Operating system threads, for work that blocks or takes long.
///
/// If no thread can be created, because of a process or memory limit, the work runs on the calling
/// thread. Dispatch would block permanently, so no required work of a command runs on it.
package enum ThreadGroup {
  /// The number of processor cores.
  package static let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  /// Indicates whether the address space is limited, which the stacks of many threads use up.
  package static var limitsAddressSpace: Bool { pe_limits_address_space() != 0 }

  /// Runs a body on a number of threads at once, including the current one, and waits for all.
  ///
  /// If the system cannot create enough threads, fewer run the body.
  package static func run(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    var started: [pthread_t] = []
    for _ in 1..<max(1, count) {
      guard let thread = start(body) else { break }
      started.append(thread)
    }
    body()
    for thread in started { pthread_join(thread, nil) }
  }

  /// Runs a closure on a new thread; returns nil if no thread can be created.
  ///
  /// The caller must join or detach the thread.
  static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
    final class Box: Sendable {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    let box = Unmanaged.passRetained(Box(body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
        return nil
      }, box.toOpaque())
    guard code == 0 else {
      box.release()
      return nil
    }
    return thread
  }

  /// Runs a closure on a detached thread; returns false if no thread can be created.
  package static func detach(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard let thread = start(body) else { return false }
    return pthread_detach(thread) == 0
  }

  /// Runs a body for each number below a count, on up to as many threads as there are cores.
  package static func forEach(
    _ count: Int, _ body: @escaping @Sendable (Int) -> Void
  ) {
    let next = LockedValue(0)
    run(min(count, cores)) {
      while true {
        let index = next.withLock { next in
          defer { next += 1 }
          return next
        }
        guard index < count else { return }
        body(index)
      }
    }
  }

  /// Returns whether a number of threads can be created now, and the descriptors that Dispatch
  /// opens for the first of them; for work that depends on Dispatch.
  package static func areAvailable(_ count: Int) -> Bool {
    guard hasDescriptors(dispatchDescriptors) else { return false }
    // No thread ends before the last one has started.
    let areStarted = LockedValue(false)
    let threads = (0..<count).compactMap { _ in
      start { areStarted.wait { $0 ? () : nil } }
    }
    areStarted.change { $0 = true }
    for thread in threads { pthread_join(thread, nil) }
    return threads.count == count
  }

  /// The number of descriptors: an epoll, an event and a timer for each of the two clocks.
  private static let dispatchDescriptors = 4

  /// Returns whether a number of files can be opened now.
  package static func hasDescriptors(_ count: Int) -> Bool {
    let descriptors = (0..<count).map { _ in fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0) }
    let code = errno
    for descriptor in descriptors where descriptor >= 0 { close(descriptor) }
    // Without standard error there is no descriptor to duplicate, which is not a limit.
    return !descriptors.contains(-1) || code == EBADF
  }
}

/// Work on a thread of its own, or on the waiting thread if none can be created.
package final class BackgroundWork: Sendable {
  private enum State: Sendable {
    case running(pthread_t)
    case waiting
    case done
  }

  private let state: LockedValue<State>
  private let body: @Sendable () -> Void

  /// Starts the work.
  package init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
    state = LockedValue(ThreadGroup.start(body).map { .running($0) } ?? .waiting)
  }

  /// Indicates whether a thread does the work, before `wait` is called.
  package var isRunning: Bool {
    state.withLock { state in
      if case .running = state { true } else { false }
    }
  }

  /// Waits until the work is done; called by one thread at a time, and at least once.
  package func wait() {
    let before = state.withLock { state in
      defer { state = .done }
      return state
    }
    switch before {
    case .running(let thread): pthread_join(thread, nil)
    case .waiting: body()
    case .done: break
    }
  }
}

/// A value that a thread of its own computes, or the waiting thread if none can be created.
package final class BackgroundValue<Value: Sendable>: Sendable {
  private let work: BackgroundWork
  private let result = LockedValue<Value?>(nil)

  /// Starts to compute the value.
  package init(_ body: @escaping @Sendable () -> Value) {
    let result = result
    work = BackgroundWork {
      let value = body()
      result.withLock { $0 = value }
    }
  }

  /// Waits for the value; called by one thread at a time, and at least once.
  @discardableResult
  package func wait() -> Value {
    work.wait()
    return result.wait { $0 }
  }
}
