// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// Runs three steps for every frame on a few threads: reading, in order; processing, in any order;
/// delivery, in order again.
///
/// Workers take the step nearest to the end first, and only a few frames are in process at a time,
/// so memory does not grow with the number of frames. No worker waits for another one while it
/// holds a step, so any number of threads is enough.
final class OrderedFrameQueue<Input: Sendable, Output: Sendable>: Sendable {
  private struct State: WorkState {
    var readCount = 0
    var deliveredCount = 0
    var isReading = false
    var isDelivering = false
    var isAtEnd = false
    /// Frames that were read and are not being processed yet.
    var waiting: [(index: Int, frame: Input)] = []
    /// Frames that are ready for delivery.
    var ready: [Int: Output] = [:]
    var failure: VideoError?
  }

  private enum Step {
    case read
    case work(Int, Input)
    case deliver(Output)
  }

  private let state = LockedValue(State())
  private let maximumCount: Int
  private let reading: @Sendable () throws(VideoError) -> Input?
  private let working: @Sendable (Input) throws(VideoError) -> Output
  private let delivering: @Sendable (Output) throws(VideoError) -> Void

  /// Creates a queue.
  ///
  /// - Parameters:
  ///   - maximumCount: The maximum number of frames in process at the same time.
  ///   - read: Returns the next frame, nil at the end; never called concurrently.
  ///   - work: Called by several threads at once.
  ///   - deliver: Called in the order of `read`, never concurrently.
  init(
    maximumCount: Int, read: @escaping @Sendable () throws(VideoError) -> Input?,
    work: @escaping @Sendable (Input) throws(VideoError) -> Output,
    deliver: @escaping @Sendable (Output) throws(VideoError) -> Void
  ) {
    self.maximumCount = max(1, maximumCount)
    reading = read
    working = work
    delivering = deliver
  }

  /// Runs all steps; returns when the last frame is delivered.
  ///
  /// - Throws: The first error; no step is running at that point.
  func run(workers: Int) throws(VideoError) {
    try state.work(threads: workers, next: next, perform: perform)
  }

  private func next(from state: inout State) -> Step?? {
    if state.isAtEnd && state.deliveredCount == state.readCount { return .some(nil) }
    if !state.isDelivering, let frame = state.ready.removeValue(forKey: state.deliveredCount) {
      state.isDelivering = true
      return .deliver(frame)
    }
    if !state.waiting.isEmpty {
      let first = state.waiting.removeFirst()
      return .work(first.index, first.frame)
    }
    if !state.isReading, !state.isAtEnd, state.readCount - state.deliveredCount < maximumCount {
      state.isReading = true
      return .read
    }
    return nil
  }

  private func perform(_ step: Step) throws(VideoError) {
    switch step {
    case .read:
      let frame = try reading()
      self.state.change { state in
        state.isReading = false
        guard let frame else {
          state.isAtEnd = true
          return
        }
        state.waiting.append((state.readCount, frame))
        state.readCount += 1
      }
    case .work(let index, let frame):
      let result = try working(frame)
      self.state.change { $0.ready[index] = result }
    case .deliver(let frame):
      try delivering(frame)
      self.state.change { state in
        state.isDelivering = false
        state.deliveredCount += 1
      }
    }
  }
}
