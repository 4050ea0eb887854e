// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
internal import PhotoEditStorage
internal import Synchronization

/// Standard output or standard error: buffered bytes, safe to use from any thread.
///
/// Writing does not throw. The first failure is kept, later writes are dropped, and the program
/// asks for the failure at its end; a long job sees it through `environment.isCancelled`.
package final class OutputStream: Sendable {
  /// Whether a person reads along.
  package let isTerminal: Bool

  private let descriptor: Int32?
  private let capacity: Int
  private let buffer = Guarded<[UInt8]>([])
  private let firstError = Atomic<Int32>(0)

  /// Writes to a descriptor that somebody else owns.
  ///
  /// - Parameter capacity: Bytes held back; 0 writes at once. A terminal holds back nothing.
  init(descriptor: Int32, capacity: Int) {
    isTerminal = isatty(descriptor) == 1
    self.descriptor = descriptor
    self.capacity = isTerminal ? 0 : capacity
  }

  /// Keeps everything in memory.
  init(isTerminal: Bool) {
    self.isTerminal = isTerminal
    descriptor = nil
    capacity = .max
  }

  /// The `errno` of the first write that failed, nil while all is well.
  package var failure: Int32? {
    let code = firstError.load(ordering: .relaxed)
    return code == 0 ? nil : code
  }

  /// What was written to memory and not to a descriptor, damaged UTF-8 repaired.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// What was written to memory and not to a descriptor.
  var bytes: [UInt8] { buffer.withLock { $0 } }

  /// Writes text as it is; text for people goes through `printable` first.
  package func write(_ text: String) {
    write(bytes: text.utf8)
  }

  /// Writes bytes, for example an encoded picture.
  package func write(bytes: some Sequence<UInt8>) {
    buffer.withLock { buffer in
      buffer.append(contentsOf: bytes)
      if buffer.count > capacity { empty(&buffer) }
    }
  }

  /// Hands everything held back to the system.
  package func flush() {
    buffer.withLock { empty(&$0) }
  }

  /// Looks whether the reader of a pipe has gone, which a program that only waits would not notice.
  package func checkReader() {
    guard let descriptor, failure == nil else { return }
    var end = pollfd(fd: descriptor, events: 0, revents: 0)
    guard poll(&end, 1, 0) > 0, Int32(end.revents) & POLLERR != 0 else { return }
    firstError.store(EPIPE, ordering: .relaxed)
  }

  private func empty(_ buffer: inout [UInt8]) {
    guard let descriptor else { return }
    if failure == nil, let code = writeAll(buffer, to: descriptor) {
      firstError.store(code, ordering: .relaxed)
    }
    buffer.removeAll(keepingCapacity: true)
  }
}

/// Writes every byte, waiting where the descriptor does not block; gives the `errno` of a failure.
private func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
  bytes.withUnsafeBytes { bytes in
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count == 0 {
        return EIO
      } else if errno == EAGAIN {
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = PhotoEditPlatform.poll(&poll, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }
}
