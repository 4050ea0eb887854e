// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// Runs a pipeline strip by strip on a few threads, keeping only the rows that are still needed.
///
/// Every strip is produced once, from the same rows by the same code, on any thread: the result
/// does not depend on the number of threads. Workers take the task nearest to the end first, and a
/// producer stays only a few strips ahead of its readers, so memory depends on the height of a
/// strip and not of the image.
final class StripScheduler: Sendable {
  private struct State: WorkState {
    var levels: [StripStage]
    /// The time spent in each level, if it is measured.
    var durations: [Duration]
    var failure: RenderError?
  }

  private struct Task {
    var level: Int
    var index: Int
    var rows: Range<Int>
    /// The strips to read, for each input.
    var inputs: [Range<Int>]
    var windows: [StripWindow]
  }

  private let levels: [Pipeline.Level]
  /// The levels that read a level, each with the position of that input.
  private let readers: [[(level: Int, input: Int)]]
  private let state: LockedValue<State>
  private let lookahead: Int
  private let measuresTime: Bool

  /// Prepares the levels.
  ///
  /// - Parameters:
  ///   - threads: The number of workers.
  ///   - stripsAhead: The number of strips that a producer computes before a reader needs them; one
  ///     for each worker if nil.
  ///   - measuresTime: Whether the time spent in each level is measured.
  init(
    _ pipeline: Pipeline, threads: Int, stripsAhead: Int? = nil, measuresTime: Bool = false
  ) {
    levels = pipeline.levels
    self.measuresTime = measuresTime
    lookahead = stripsAhead ?? threads
    var readers = levels.map { _ in [(level: Int, input: Int)]() }
    for (level, entry) in levels.enumerated() {
      for (position, input) in entry.inputs.enumerated() {
        readers[input].append((level, position))
      }
    }
    self.readers = readers
    var states = zip(levels, pipeline.neededRows).map { level, rows in
      StripStage(
        rows: rows, stripHeight: level.stripHeight, mostAtOnce: level.producer.mostAtOnce)
    }
    for (level, entry) in levels.enumerated() {
      for index in 0..<states[level].count {
        let rows = states[level].rows(ofStrip: index)
        for (position, input) in entry.inputs.enumerated() {
          let inputRows = entry.producer.inputRows(for: rows, of: position)
          states[input].expectReader(of: states[input].strips(for: inputRows))
        }
      }
    }
    state = LockedValue(
      State(levels: states, durations: [Duration](repeating: .zero, count: levels.count)))
  }

  /// Runs the pipeline; returns when the last strip is done or a task has failed.
  func run(threads: Int) throws(RenderError) {
    try state.work(threads: threads, next: next) { task throws(RenderError) in
      let start = self.measuresTime ? ContinuousClock.now : nil
      let strip = try self.levels[task.level].producer.make(task.rows, from: task.windows)
      let duration = start.map { .now - $0 } ?? .zero
      self.state.change { state in
        self.finish(task, strip, in: &state)
        state.durations[task.level] += duration
      }
    }
  }

  /// The time that all threads together spent in each level, if it is measured.
  var durations: [Duration] { state.withLock { $0.durations } }

  /// Indicates whether the pipeline has ended early.
  var hasFailed: Bool { state.withLock { $0.failure != nil } }

  private func next(from state: inout State) -> Task?? {
    if state.levels.last?.isFinished ?? true { return .some(nil) }
    for level in levels.indices.reversed() {
      let strips = state.levels[level]
      guard strips.isReady, isNeeded(strips.started, of: level, in: state) else { continue }
      let rows = strips.rows(ofStrip: strips.started)
      let inputs = needs(of: level, for: rows, in: state)
      guard zip(levels[level].inputs, inputs).allSatisfy({ state.levels[$0].areDone($1) }) else {
        continue
      }
      let windows = zip(levels[level].inputs, inputs).map { input, indices in
        StripWindow(
          state.levels[input].strips[indices].compactMap { $0 },
          stripHeight: levels[input].stripHeight)
      }
      let index = state.levels[level].begin()
      return Task(level: level, index: index, rows: rows, inputs: inputs, windows: windows)
    }
    return nil
  }

  /// Returns the strips of each input that some rows of a level are computed from.
  private func needs(of level: Int, for rows: Range<Int>, in state: State) -> [Range<Int>] {
    levels[level].inputs.enumerated().map { position, input in
      state.levels[input].strips(
        for: levels[level].producer.inputRows(for: rows, of: position))
    }
  }

  /// Returns whether a reader will need this strip soon.
  private func isNeeded(_ index: Int, of level: Int, in state: State) -> Bool {
    if readers[level].isEmpty { return true }
    return readers[level].contains { reader, position in
      let strips = state.levels[reader]
      guard strips.started < strips.count else { return false }
      let rows = strips.rows(ofStrip: strips.started)
      let inputRows = levels[reader].producer.inputRows(for: rows, of: position)
      return index < state.levels[level].strips(for: inputRows).upperBound + lookahead
    }
  }

  private func finish(_ task: Task, _ strip: Strip?, in state: inout State) {
    state.levels[task.level].finish(task.index, strip)
    for (input, indices) in zip(levels[task.level].inputs, task.inputs) {
      state.levels[input].release(indices)
    }
  }
}
