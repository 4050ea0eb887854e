// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTool
internal import Synchronization

/// The objects of the handles that a program holds.
///
/// Handles are numbers that are never used twice, so that a handle that was freed is an error and not
/// a pointer to freed memory.
enum Handles {
  private static let objects = LockedValue<(last: UInt64, all: [UInt64: any Sendable])>((0, [:]))

  /// Returns a new handle.
  static func add(_ object: some Sendable) -> UInt64 {
    objects.withLock { objects in
      objects.last += 1
      objects.all[objects.last] = object
      return objects.last
    }
  }

  /// Returns the object of a handle.
  static func object<Object: Sendable>(
    _ handle: UInt64, _ type: Object.Type
  ) throws(CommandFailure) -> Object {
    guard let object = objects.withLock({ $0.all[handle] }) as? Object else {
      throw .handle(handle)
    }
    return object
  }

  /// Frees a handle and returns its object.
  @discardableResult
  static func remove<Object: Sendable>(
    _ handle: UInt64, _ type: Object.Type
  ) throws(CommandFailure) -> Object {
    let object = objects.withLock { objects -> Object? in
      guard let object = objects.all[handle] as? Object else { return nil }
      objects.all[handle] = nil
      return object
    }
    guard let object else { throw .handle(handle) }
    return object
  }

  /// Returns the cancellation of a handle, or one that is never requested.
  static func cancellation(_ handle: UInt64) throws(CommandFailure) -> Cancellation {
    handle == 0 ? Cancellation() : try object(handle, Cancellation.self)
  }
}

/// The process that first called the library.
enum OwnProcess {
  private static let first = Atomic<Int32>(0)

  /// Throws in a child of that process, where the threads of the library do not exist.
  static func check() throws(CommandFailure) {
    let own = getpid()
    let (isFirst, known) = first.compareExchange(
      expected: 0, desired: own, ordering: .sequentiallyConsistent)
    guard isFirst || known == own else {
      throw CommandFailure(
        .internalFault, "the library was used before fork(), and cannot be used in the child",
        hint: "start the child before the first call, or with exec()", code: "forked")
    }
  }
}

extension CommandFailure {
  static func handle(_ handle: UInt64) -> Self {
    CommandFailure(
      .usage, "handle \(handle): was freed, is of another kind, or never existed", code: "handle")
  }

  static func missing(_ name: String) -> Self {
    CommandFailure(.usage, "\(name): is NULL", code: "argument")
  }

  static func sample(_ sample: UInt32) -> Self {
    CommandFailure(
      .usage, "sample: \(sample) is not a type of samples (allowed: 8, 16, 32)", code: "argument")
  }

  static func argument(_ message: String) -> Self {
    CommandFailure(.usage, message, code: "argument")
  }
}
