// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
internal import PhotoEditStorage
internal import Synchronization

/// Standard output or standard error: buffered bytes, safe to use from any thread.
///
/// Writing does not throw. The first failure is recorded and later writes are discarded; the
/// program checks for it at its end, and long work notices it through `environment.isCancelled`.
package final class OutputStream: Sendable {
  /// Indicates whether the stream is a terminal.
  package let isTerminal: Bool

  private let descriptor: Int32?
  /// Receives the bytes instead of a descriptor; returns false like a closed pipe.
  private let receiver: (@Sendable ([UInt8]) -> Bool)?
  private let capacity: Int
  private let buffer = LockedValue<[UInt8]>([])
  private let firstError = Atomic<Int32>(0)

  /// Creates a stream for a descriptor that it does not own.
  ///
  /// - Parameter capacity: The buffer size in bytes; 0 writes at once. A terminal is not buffered.
  init(descriptor: Int32, capacity: Int) {
    isTerminal = isatty(descriptor) == 1
    self.descriptor = descriptor
    receiver = nil
    self.capacity = isTerminal ? 0 : capacity
  }

  /// Creates a stream in memory.
  init(isTerminal: Bool) {
    self.isTerminal = isTerminal
    descriptor = nil
    receiver = nil
    capacity = .max
  }

  /// Creates a stream whose bytes are received as they are written.
  init(receiver: @escaping @Sendable ([UInt8]) -> Bool) {
    isTerminal = false
    descriptor = nil
    self.receiver = receiver
    capacity = 0
  }

  /// The `errno` of the first failed write; nil if there was no failure.
  package var failure: Int32? {
    let code = firstError.load(ordering: .relaxed)
    return code == 0 ? nil : code
  }

  /// The text of a stream in memory, with invalid UTF-8 repaired.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The bytes of a stream in memory.
  package var bytes: [UInt8] { buffer.withLock { $0 } }

  /// Writes text unchanged; text for a terminal must be passed through `printable` first.
  package func write(_ text: String) {
    write(bytes: text.utf8)
  }

  /// Writes bytes, for example an encoded image.
  package func write(bytes: some Sequence<UInt8>) {
    buffer.withLock { buffer in
      buffer.append(contentsOf: bytes)
      if buffer.count > capacity { empty(&buffer) }
    }
  }

  /// Writes all buffered bytes.
  package func flush() {
    buffer.withLock { empty(&$0) }
  }

  /// The stream as an argument of `poll`, which returns when the reader has closed it.
  var watched: pollfd { pollfd(fd: descriptor ?? -1, events: 0, revents: 0) }

  /// Checks whether the reader of a pipe has closed it, which a waiting program would not notice.
  package func checkReader() {
    guard descriptor != nil, failure == nil else { return }
    var end = watched
    guard poll(&end, 1, 0) > 0, Int32(end.revents) & POLLERR != 0 else { return }
    firstError.store(EPIPE, ordering: .relaxed)
  }

  private func empty(_ buffer: inout [UInt8]) {
    if let receiver {
      if failure == nil, !buffer.isEmpty, !receiver(buffer) {
        firstError.store(EPIPE, ordering: .relaxed)
      }
      buffer.removeAll(keepingCapacity: true)
    }
    guard let descriptor else { return }
    if failure == nil, let code = writeAll(buffer, to: descriptor) {
      firstError.store(code, ordering: .relaxed)
    }
    buffer.removeAll(keepingCapacity: true)
  }
}

/// Writes every byte and waits if the descriptor is non-blocking; returns the `errno` of a failure.
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
