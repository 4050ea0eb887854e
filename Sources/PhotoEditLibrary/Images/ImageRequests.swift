// SPDX-License-Identifier: Apache-2.0
import Dispatch
import PhotoEditPlatform
import PhotoEditStorage

/// The unfinished requests of one manager and the threads that process them.
///
/// The number of requests processed at the same time is the number of cores; the others wait in
/// order, and requests of users precede those of caching.
final class ImageRequests: Sendable {
  typealias Work = @Sendable () -> Void

  private struct State {
    var running: [ImageRequestID: any CancellableRequest] = [:]
    var urgent: [Work] = []
    var patient: [Work] = []
    /// The index of the first waiting work item.
    var firstUrgent = 0
    var firstPatient = 0
    var workers = 0
  }

  private let state = LockedValue(State())
  private let queue = DispatchQueue(
    label: "org.photoedit.library.images", attributes: .concurrent)
  private let limit = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  /// Creates a request; its work runs on the calling thread or is queued after earlier requests.
  ///
  /// - Parameters:
  ///   - handler: Receives the final result exactly once.
  ///   - work: Returns the last delivery; it may make earlier deliveries before.
  func submit<Payload: Sendable>(
    isSynchronous: Bool, _ handler: @escaping ImageRequest<Payload>.Handler,
    _ work:
      @escaping @Sendable (ImageRequest<Payload>) throws(LibraryError) ->
      ImageRequest<Payload>.Delivery
  ) -> ImageRequestID {
    let request = ImageRequest(ImageRequestID(rawValue: RequestIDGenerator.next()), handler)
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

  private func add(
    _ request: any CancellableRequest, _ id: ImageRequestID, _ work: @escaping Work
  ) {
    state.withLock { $0.running[id] = request }
    enqueue(isUrgent: true) { [self] in
      work()
      state.withLock { $0.running[id] = nil }
    }
  }

  /// Queues work after all user requests.
  func addPatient(_ work: @escaping Work) { enqueue(isUrgent: false, work) }

  /// Cancels a request; has no effect on one that has ended.
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
      if let work = Self.dequeue(&state.urgent, &state.firstUrgent) { return work }
      if let work = Self.dequeue(&state.patient, &state.firstPatient) { return work }
      state.workers -= 1
      return nil
    }
  }

  private static func dequeue(_ list: inout [Work], _ first: inout Int) -> Work? {
    guard first < list.count else { return nil }
    let work = list[first]
    list[first] = {}
    first += 1
    if first == list.count { (list, first) = ([], 0) }
    return work
  }

  /// Waits for the end of a request, which is canceled along with the task.
  ///
  /// - Parameter start: Creates the request with the options of an awaited one and a handler.
  func awaitResult<Payload: Sendable>(
    _ options: ImageRequestOptions = ImageRequestOptions(),
    _ start:
      @escaping @Sendable (ImageRequestOptions, @escaping ImageRequest<Payload>.Handler) ->
      ImageRequestID
  ) async throws(LibraryError) -> Payload {
    let options = options.awaited
    // The identifier of the request, and whether the task was canceled before the request existed.
    let state = LockedValue((id: ImageRequestID?.none, isCancelled: false))
    let result: Result<Payload, LibraryError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let id = start(options) { payload, info in
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
