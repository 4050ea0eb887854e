// SPDX-License-Identifier: Apache-2.0
import Dispatch
import PhotoEditPlatform
import PhotoEditStorage

/// The requests of one manager that have not ended, and the threads that work on them.
///
/// As many requests are worked on at once as there are cores; the others wait in their order, and
/// those of users go before those of caching.
final class ImageRequests: Sendable {
  typealias Work = @Sendable () -> Void

  private struct State {
    var running: [ImageRequestID: any CancellableRequest] = [:]
    var urgent: [Work] = []
    var patient: [Work] = []
    /// The first one that waits.
    var firstUrgent = 0
    var firstPatient = 0
    var workers = 0
  }

  private let state = Guarded(State())
  private let queue = DispatchQueue(
    label: "org.photoedit.library.images", attributes: .concurrent)
  private let limit = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  /// Makes a request; its work runs on the calling thread, or behind that of earlier requests.
  ///
  /// - Parameters:
  ///   - handler: Told the end exactly once.
  ///   - work: Gives the last delivery; it may tell of earlier ones before.
  func submit<Payload: Sendable>(
    isSynchronous: Bool, _ handler: @escaping ImageRequest<Payload>.Handler,
    _ work:
      @escaping @Sendable (ImageRequest<Payload>) throws(LibraryError) ->
      ImageRequest<Payload>.Delivery
  ) -> ImageRequestID {
    let request = ImageRequest(ImageRequestID(rawValue: RequestNumbers.next()), handler)
    let run: Work = {
      guard request.begin() else { return }
      request.end(Result { () throws(LibraryError) in try work(request) })
    }
    if isSynchronous {
      run()
    } else {
      add(request, request.id, run)
    }
    return request.id
  }

  /// Puts work behind that of earlier requests.
  private func add(
    _ request: any CancellableRequest, _ id: ImageRequestID, _ work: @escaping Work
  ) {
    state.withLock { $0.running[id] = request }
    enqueue(isUrgent: true) { [self] in
      work()
      state.withLock { $0.running[id] = nil }
    }
  }

  /// Puts work behind everything that somebody waits for.
  func addPatient(_ work: @escaping Work) { enqueue(isUrgent: false, work) }

  /// Cancels a request; one that has ended stays as it is.
  func cancel(_ id: ImageRequestID) {
    guard let request = state.withLock({ $0.running[id] }), request.cancel() else { return }
    state.withLock { $0.running[id] = nil }
    queue.async { request.endCancelled() }
  }

  private func enqueue(isUrgent: Bool, _ work: @escaping Work) {
    let startsWorker = state.withLock { state in
      if isUrgent { state.urgent.append(work) } else { state.patient.append(work) }
      guard state.workers < limit else { return false }
      state.workers += 1
      return true
    }
    if startsWorker { queue.async { self.runWorker() } }
  }

  private func runWorker() {
    while let work = next() { work() }
  }

  private func next() -> Work? {
    state.withLock { state in
      if let work = Self.take(&state.urgent, &state.firstUrgent) { return work }
      if let work = Self.take(&state.patient, &state.firstPatient) { return work }
      state.workers -= 1
      return nil
    }
  }

  private static func take(_ list: inout [Work], _ first: inout Int) -> Work? {
    guard first < list.count else { return nil }
    let work = list[first]
    list[first] = {}
    first += 1
    if first == list.count { (list, first) = ([], 0) }
    return work
  }
}

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
