// SPDX-License-Identifier: Apache-2.0
import PhotoEditRendering
import PhotoEditStorage

/// Runs three steps for every frame on a few threads: reading, in order; processing, in any order;
/// delivery, in order again.
///
/// Workers take the step nearest to the end first, and only a few frames are in process at a time,
/// so memory does not grow with the number of frames. No worker waits for another one while it
/// holds a step, so any number of threads is enough.
final class FrameLine<Input: Sendable, Output: Sendable>: Sendable {
  private struct State: WorkState {
    var taken = 0
    var handedOn = 0
    var isTaking = false
    var isHandingOn = false
    var isAtEnd = false
    /// Frames that were read and are not being processed yet.
    var waiting: [(index: Int, frame: Input)] = []
    /// Frames that are ready for delivery.
    var ready: [Int: Output] = [:]
    var failure: VideoError?
  }

  private enum Step {
    case take
    case work(Int, Input)
    case handOn(Output)
  }

  private let state = Guarded(State())
  private let most: Int
  private let taking: @Sendable () throws(VideoError) -> Input?
  private let working: @Sendable (Input) throws(VideoError) -> Output
  private let handingOn: @Sendable (Output) throws(VideoError) -> Void

  /// Creates a queue.
  ///
  /// - Parameters:
  ///   - most: The maximum number of frames in process at the same time.
  ///   - take: Returns the next frame, nil at the end; never called concurrently.
  ///   - work: Called by several threads at once.
  ///   - handOn: Called in the order of `take`, never concurrently.
  init(
    most: Int, take: @escaping @Sendable () throws(VideoError) -> Input?,
    work: @escaping @Sendable (Input) throws(VideoError) -> Output,
    handOn: @escaping @Sendable (Output) throws(VideoError) -> Void
  ) {
    self.most = max(1, most)
    taking = take
    working = work
    handingOn = handOn
  }

  /// Runs all steps; returns when the last frame is delivered.
  ///
  /// - Throws: The first error; no step is running at that point.
  func run(workers: Int) throws(VideoError) {
    try state.work(threads: workers, next: next, perform: perform)
  }

  private func next(from state: inout State) -> Step?? {
    if state.isAtEnd && state.handedOn == state.taken { return .some(nil) }
    if !state.isHandingOn, let frame = state.ready.removeValue(forKey: state.handedOn) {
      state.isHandingOn = true
      return .handOn(frame)
    }
    if !state.waiting.isEmpty {
      let first = state.waiting.removeFirst()
      return .work(first.index, first.frame)
    }
    if !state.isTaking, !state.isAtEnd, state.taken - state.handedOn < most {
      state.isTaking = true
      return .take
    }
    return nil
  }

  private func perform(_ step: Step) throws(VideoError) {
    switch step {
    case .take:
      let frame = try taking()
      self.state.change { state in
        state.isTaking = false
        guard let frame else {
          state.isAtEnd = true
          return
        }
        state.waiting.append((state.taken, frame))
        state.taken += 1
      }
    case .work(let index, let frame):
      let result = try working(frame)
      self.state.change { $0.ready[index] = result }
    case .handOn(let frame):
      try handingOn(frame)
      self.state.change { state in
        state.isHandingOn = false
        state.handedOn += 1
      }
    }
  }
}
