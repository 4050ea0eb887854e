// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// A request that has not ended; its handler receives the final result exactly once in every case.
final class ImageRequest<Payload: Sendable>: CancellableRequest {
  typealias Handler = @Sendable (Payload?, ImageRequestInfo) -> Void
  typealias Delivery = (payload: Payload, isDegraded: Bool)

  private enum Phase { case waiting, running, ended }

  let id: ImageRequestID
  private let handler: Handler
  private let state = LockedValue((phase: Phase.waiting, isCancelled: false))

  init(_ id: ImageRequestID, _ handler: @escaping Handler) {
    self.id = id
    self.handler = handler
  }

  /// Indicates whether the request was canceled.
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Starts the work; returns false if the request was started or canceled before.
  func begin() -> Bool {
    state.withLock { state in
      guard state.phase == .waiting, !state.isCancelled else { return false }
      state.phase = .running
      return true
    }
  }

  /// Asks the request to stop.
  ///
  /// - Returns: Whether the caller has to end the request, because its work has not started.
  func cancel() -> Bool {
    state.withLock { state in
      guard state.phase != .ended, !state.isCancelled else { return false }
      state.isCancelled = true
      return state.phase == .waiting
    }
  }

  /// Delivers an image that is not the last one; may be called only by the request's own work.
  func deliverEarly(_ payload: Payload) {
    if isCancelled { return }
    handler(payload, info(isDegraded: true, isLast: false))
  }

  /// Delivers the final result; only the first call has an effect.
  func end(_ result: Result<Delivery, LibraryError>) {
    let isCancelled: Bool? = state.withLock { state in
      guard state.phase != .ended else { return nil }
      state.phase = .ended
      return state.isCancelled
    }
    guard let isCancelled else { return }
    switch isCancelled ? .failure(.imageCancelled) : result {
    case .success(let (payload, isDegraded)): handler(payload, info(isDegraded: isDegraded))
    case .failure(let error):
      handler(nil, info(isCancelled: error.code == .userCancelled, error: error))
    }
  }

  func endCancelled() { end(.failure(.imageCancelled)) }

  private func info(
    isDegraded: Bool = false, isCancelled: Bool = false, error: LibraryError? = nil,
    isLast: Bool = true
  ) -> ImageRequestInfo {
    ImageRequestInfo(
      requestID: id, isDegraded: isDegraded, isCancelled: isCancelled, error: error,
      isLast: isLast)
  }
}

/// A request of any payload type that can be canceled.
protocol CancellableRequest: AnyObject, Sendable {
  func cancel() -> Bool
  func endCancelled()
}
