// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Threads of the operating system, for work that blocks.
package enum Threads {
  /// The cores of the machine.
  package static let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  /// Runs a body on so many threads at once, this one among them, and waits for all.
  ///
  /// Where the system has no more threads, fewer run the body.
  package static func run(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    var started: [pthread_t] = []
    for _ in 1..<max(1, count) {
      guard let thread = start(body) else { break }
      started.append(thread)
    }
    body()
    for thread in started { pthread_join(thread, nil) }
  }

  /// Runs a closure on a thread of its own; nil when there is no thread to have.
  ///
  /// Somebody must join or detach the thread.
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
}
