// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// Work whose result several threads need: the first one does it, and the others help.
///
/// No thread is created, so the work uses as many threads as the rendering.
final class SharedWork: Sendable {
  private struct Job: Sendable {
    let body: @Sendable (Int) -> Void
    let count: Int
    var started = 0
    var done = 0
  }

  private struct State {
    var isStarted = false
    var isFinished = false
    var job: Job?

    /// Starts the next part of the job; returns nil after the last one.
    mutating func next() -> (index: Int, body: @Sendable (Int) -> Void)? {
      guard let job, job.started < job.count else { return nil }
      self.job?.started += 1
      return (job.started, job.body)
    }
  }

  private let state = LockedValue(State())

  /// Does the work, unless it has been done, and returns when it is done.
  func finish(_ work: () -> Void) {
    let isFirst = state.withLock { state in
      defer { state.isStarted = true }
      return !state.isStarted
    }
    if isFirst {
      work()
      return state.change { $0.isFinished = true }
    }
    typealias Part = (index: Int, body: @Sendable (Int) -> Void)
    while let part = state.wait(for: { state -> Part?? in
      state.isFinished ? .some(nil) : state.next().map { .some($0) }
    }) {
      run(part.index, part.body)
    }
  }

  /// Runs a body for each number below a count; called by the first thread.
  func forEach(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    state.change { $0.job = Job(body: body, count: count) }
    while let part = state.withLock({ $0.next() }) { run(part.index, part.body) }
    state.wait { ($0.job?.done ?? count) == count ? () : nil }
    state.withLock { $0.job = nil }
  }

  /// Runs a body for blocks of rows; called by the first thread.
  ///
  /// - Parameter other: Other work to be done at the same time.
  func forEachBlock(
    of rows: Range<Int>, and other: (@Sendable () -> Void)? = nil,
    _ body: @escaping @Sendable (Range<Int>) -> Void
  ) {
    let height = 32
    let blocks = (rows.count + height - 1) / height
    forEach(other == nil ? blocks : blocks + 1) { index in
      // The other work, which is not divided, starts first.
      if index == 0, let other { return other() }
      let block = other == nil ? index : index - 1
      let first = rows.lowerBound + block * height
      body(first..<min(first + height, rows.upperBound))
    }
  }

  private func run(_ index: Int, _ body: @Sendable (Int) -> Void) {
    body(index)
    state.change { $0.job?.done += 1 }
  }
}
