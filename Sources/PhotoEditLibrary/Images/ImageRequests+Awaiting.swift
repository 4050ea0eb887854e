// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

extension ImageRequests {
  /// Waits for the end of a request, which is cancelled along with the task.
  ///
  /// - Parameter start: Makes the request with a handler.
  func awaitResult<Payload: Sendable>(
    _ start: @escaping @Sendable (@escaping ImageRequest<Payload>.Handler) -> ImageRequestID
  ) async throws(LibraryError) -> Payload {
    // The name of the request, and whether the task was cancelled before there was one.
    let state = Guarded((id: ImageRequestID?.none, isCancelled: false))
    let result: Result<Payload, LibraryError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let id = start { payload, info in
          guard info.isLast else { return }
          if let payload {
            continuation.resume(returning: .success(payload))
          } else {
            continuation.resume(returning: .failure(info.error ?? .imageCancelled))
          }
        }
        let isCancelled = state.withLock { state in
          state.id = id
          return state.isCancelled
        }
        if isCancelled { cancel(id) }
      }
    } onCancel: {
      let id = state.withLock { state in
        state.isCancelled = true
        return state.id
      }
      if let id { cancel(id) }
    }
    return try result.get()
  }
}
