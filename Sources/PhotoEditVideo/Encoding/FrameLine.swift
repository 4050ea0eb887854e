// SPDX-License-Identifier: Apache-2.0
import PhotoEditRendering
import PhotoEditStorage

/// Runs three steps for every frame on a few threads: taking it in, in order; working on it, in any
/// order; handing it on, in order again.
///
/// Workers take the step nearest to the end first, and only a few frames are under way at a time,
/// so memory does not grow with the number of frames. No worker waits for another one while it holds
/// a step, so any number of threads will do.
final class FrameLine<Input: Sendable, Output: Sendable>: Sendable {
  private struct State: WorkState {
    var taken = 0
    var handedOn = 0
    var isTaking = false
    var isHandingOn = false
    var isAtEnd = false
    /// Frames that were taken in and nobody works on yet.
    var waiting: [(index: Int, frame: Input)] = []
    /// Frames that are ready to be handed on.
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

  /// - Parameters:
  ///   - most: Frames that are under way at the same time.
  ///   - take: Gives the next frame, nil at the end; never called twice at once.
  ///   - work: Called by several threads at once.
  ///   - handOn: Never called twice at once, in the order of `take`.
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

  /// Runs everything; returns when the last frame is handed on.
  ///
  /// - Throws: The first failure; nothing is under way then.
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
