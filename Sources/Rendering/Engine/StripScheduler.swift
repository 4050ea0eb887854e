// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Pixels

/// Runs a plan strip by strip on a few threads, keeping only the rows that are still needed.
///
/// Every strip is made once, from the same rows by the same code, whatever thread does it and
/// whatever else is going on: the result does not depend on the number of threads. Workers take
/// the task nearest to the end first, and a producer stays only a few strips ahead of its reader,
/// so memory follows the height of a strip and not of the picture.
final class StripScheduler: Sendable {
  /// Makes one strip of a level: its index, its rows, and what it may read.
  typealias Work =
    @Sendable (_ level: Int, _ rows: Range<Int>, _ input: StripWindow?) throws(RenderError) ->
    Strip?

  private struct State {
    var levels: [StripLevel]
    var isDecoding = false
    var failure: RenderError?

    var isOver: Bool { failure != nil || levels[levels.count - 1].isFinished }
  }

  private struct Task {
    var level: Int
    var index: Int
    var rows: Range<Int>
    var inputs: Range<Int>
    var window: StripWindow?
  }

  private let stages: [Stage]
  private let monitor: Monitor<State>
  private let lookahead: Int

  /// Prepares the levels.
  ///
  /// - Parameters:
  ///   - stripHeight: Rows of a strip between stages.
  ///   - lastStripHeight: Rows of a strip of the last stage.
  ///   - threads: How many workers there will be; it decides how far producers run ahead.
  init(_ plan: RenderPlan, stripHeight: Int, lastStripHeight: Int, threads: Int) {
    stages = plan.stages
    lookahead = threads
    var rows = 0..<plan.outputSize.height
    var levels: [StripLevel] = []
    for index in plan.stages.indices.reversed() {
      let stage = plan.stages[index]
      let height = index == plan.stages.count - 1 ? lastStripHeight : stripHeight
      levels.append(StripLevel(shape: stage.output, stripHeight: height, rows: rows))
      rows = stage.inputRows(for: rows)
    }
    // The decoder gives rows in order from the top, so those above the first wanted one come too.
    levels.append(
      StripLevel(shape: plan.source, stripHeight: stripHeight, rows: 0..<rows.upperBound))
    levels.reverse()
    for level in levels.indices.dropFirst() {
      for index in 0..<levels[level].count {
        let wanted = stages[level - 1].inputRows(for: levels[level].rows(ofStrip: index))
        levels[level - 1].expectReader(of: levels[level - 1].strips(for: wanted))
      }
    }
    monitor = Monitor(State(levels: levels))
  }

  /// Runs everything; returns when the last strip is done or something failed.
  func run(threads: Int, work: @escaping Work) throws(RenderError) {
    if threads <= 1 {
      runWorker(work)
    } else {
      DispatchQueue.concurrentPerform(iterations: threads) { _ in self.runWorker(work) }
    }
    if let failure = monitor.change({ $0.failure }) { throw failure }
  }

  private func runWorker(_ work: Work) {
    while let task = next() {
      do throws(RenderError) {
        let strip = try work(task.level, task.rows, task.window)
        monitor.change { finish(task, strip, in: &$0) }
      } catch {
        monitor.change { $0.failure = $0.failure ?? error }
      }
    }
  }

  /// Waits for a task; nil when there will be no more.
  private func next() -> Task? {
    monitor.wait { state -> Task?? in
      if state.isOver { return .some(nil) }
      return pick(from: &state).map { .some($0) }
    }
  }

  private func pick(from state: inout State) -> Task? {
    for level in state.levels.indices.reversed() {
      let producer = state.levels[level]
      guard producer.begun < producer.count, isWanted(producer.begun, of: level, in: state) else {
        continue
      }
      let rows = producer.rows(ofStrip: producer.begun)
      if level == 0 {
        if state.isDecoding { continue }
        state.isDecoding = true
        let index = state.levels[0].begin()
        return Task(level: 0, index: index, rows: rows, inputs: 0..<0, window: nil)
      }
      let below = state.levels[level - 1]
      let inputs = below.strips(for: stages[level - 1].inputRows(for: rows))
      guard below.areDone(inputs) else { continue }
      let window = StripWindow(
        below.strips[inputs].compactMap { $0 }, stripHeight: below.stripHeight)
      let index = state.levels[level].begin()
      return Task(level: level, index: index, rows: rows, inputs: inputs, window: window)
    }
    return nil
  }

  /// Whether the reader above will need this strip soon.
  private func isWanted(_ index: Int, of level: Int, in state: State) -> Bool {
    guard level + 1 < state.levels.count else { return true }
    let reader = state.levels[level + 1]
    guard reader.begun < reader.count else { return false }
    let rows = reader.rows(ofStrip: reader.begun)
    let needed = state.levels[level].strips(for: stages[level].inputRows(for: rows))
    return index < needed.upperBound + lookahead
  }

  private func finish(_ task: Task, _ strip: Strip?, in state: inout State) {
    state.levels[task.level].finish(task.index, strip)
    if task.level == 0 {
      state.isDecoding = false
    } else {
      state.levels[task.level - 1].release(task.inputs)
    }
  }
}
