// SPDX-License-Identifier: Apache-2.0
import CPhotoEditMicroHTTPD
import PhotoEditPlatform

/// The body of a response that is made while it is sent.
protocol ResponseStream: AnyObject, Sendable {
  /// Begins to serve a request.
  func open(_ request: OpaquePointer)
  /// Ends the use of the request.
  func close()
  /// Ends the stream of a server that stops.
  func finish()
  /// Writes the next bytes into memory and returns their number, which is 0 only if the stream
  /// sleeps, -1 at the end and -2 if the rest cannot be had.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int
}

/// A response that never ends by itself: server-sent events for one client.
final class EventStream: ResponseStream {
  /// The number of unsent bytes after which a client is considered stopped.
  static let maximumPending = 1 << 20

  // Safe: the pointer is used under the lock and cleared before the request is freed.
  private struct State: @unchecked Sendable {
    var request: OpaquePointer?
    var pending: [UInt8] = []
    var isAsleep = false
    var isFinished = false
  }

  private let state = LockedValue(State())
  private let didClose: @Sendable (EventStream) -> Void

  /// - Parameter didClose: Called once when the client has left.
  init(didClose: @escaping @Sendable (EventStream) -> Void = { _ in }) {
    self.didClose = didClose
  }

  /// The text that was not sent yet.
  var pendingText: String { state.withLock { String(decoding: $0.pending, as: UTF8.self) } }

  /// Adds text to send; ends the stream of a client that does not read.
  func send(_ text: String) {
    state.withLock { state in
      guard !state.isFinished else { return }
      state.pending += Array(text.utf8)
      if state.pending.count > Self.maximumPending {
        state.pending = Array("event: reset\ndata: {\"reason\":\"slow\"}\n\n".utf8)
        state.isFinished = true
      }
      Self.wake(&state)
    }
  }

  /// Ends the stream after what was sent.
  func finish() {
    state.withLock { state in
      state.isFinished = true
      Self.wake(&state)
    }
  }

  func open(_ request: OpaquePointer) { state.withLock { $0.request = request } }

  func close() {
    state.withLock { state in
      state.request = nil
      state.isFinished = true
      state.pending = []
    }
    didClose(self)
  }

  private static func wake(_ state: inout State) {
    guard state.isAsleep, let request = state.request else { return }
    state.isAsleep = false
    pe_http_wake(request)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    state.withLock { state in
      if state.pending.isEmpty {
        guard !state.isFinished, let request = state.request else { return -1 }
        state.isAsleep = true
        pe_http_sleep(request)
        return 0
      }
      let count = min(buffer.count, state.pending.count)
      buffer.copyBytes(from: state.pending[..<count])
      state.pending.removeFirst(count)
      return count
    }
  }
}
