// SPDX-License-Identifier: Apache-2.0
import Codecs
import Pixels
import Storage
import Synchronization

/// Does the work of every level of a plan: decodes, turns, runs row steps, hands rows to a sink.
final class StageRunner: Sendable {
  /// Takes the rows of a finished strip of the result.
  typealias Sink = @Sendable (Strip) throws(RenderError) -> Void

  private let plan: RenderPlan
  private let decoder: SequentialDecoder
  private let workers: [WorkerPool]
  private let pool = StripPool()
  private let sink: Sink
  private let isCancelled: @Sendable () -> Bool

  init(
    _ plan: RenderPlan, decoder: any ImageDecoder, isCancelled: @escaping @Sendable () -> Bool,
    sink: @escaping Sink
  ) {
    self.plan = plan
    self.decoder = SequentialDecoder(decoder)
    workers = plan.stages.map { WorkerPool($0) }
    self.sink = sink
    self.isCancelled = isCancelled
  }

  /// Makes one strip of one level; the signature is `StripScheduler.Work`.
  func run(level: Int, rows: Range<Int>, window: StripWindow?) throws(RenderError) -> Strip? {
    if isCancelled() { throw .cancelled }
    let shape = level == 0 ? plan.source : plan.stages[level - 1].output
    let strip = Strip(rows: rows, shape: shape, pool: pool)
    if let window {
      fill(strip, stage: level - 1, from: window)
    } else {
      try decoder.fill(strip)
    }
    guard level == plan.stages.count else { return strip }
    try sink(strip)
    return nil
  }

  private func fill(_ strip: Strip, stage index: Int, from window: StripWindow) {
    let stage = plan.stages[index]
    if case .turn(let orientation) = stage.gathering, case .packed(let layout) = stage.input.format
    {
      TurnWorker(
        orientation: orientation, stored: stage.input.size, bytesPerPixel: layout.bytesPerPixel
      ).fill(strip, from: window)
      return
    }
    let worker = workers[index].take()
    for y in strip.rows { worker.run(row: y, from: window, into: strip.row(y)) }
    workers[index].giveBack(worker)
  }
}

/// A decoder that is asked by one worker at a time, in order.
private final class SequentialDecoder: @unchecked Sendable {
  // Safe: the scheduler never runs two tasks of the decoder's level at once.
  private let decoder: any ImageDecoder

  init(_ decoder: any ImageDecoder) { self.decoder = decoder }

  func fill(_ strip: Strip) throws(RenderError) {
    var done = 0
    do throws(CodecError) {
      while done < strip.rows.count {
        let count = try decoder.readRows(
          strip.rows.count - done, into: strip.memory + done * strip.bytesPerRow,
          bytesPerRow: strip.bytesPerRow)
        guard count > 0 else {
          throw .damaged(
            message: "the picture ended early", realRows: strip.rows.lowerBound + done,
            rows: decoder.header.size.height)
        }
        done += count
      }
    } catch {
      throw RenderError(error)
    }
  }
}

/// Row workers that are not busy; a new one is made when all are.
private final class WorkerPool: Sendable {
  // Safe: a worker is either in the pool or used by exactly one task.
  private struct Idle: @unchecked Sendable {
    var workers: [RowWorker] = []
  }

  private let stage: Stage
  private let idle = Mutex(Idle())

  init(_ stage: Stage) { self.stage = stage }

  func take() -> RowWorker {
    let worker = idle.withLock { idle -> Idle in
      Idle(workers: idle.workers.popLast().map { [$0] } ?? [])
    }
    return worker.workers.first ?? RowWorker(stage)
  }

  func giveBack(_ worker: RowWorker) {
    let returned = Idle(workers: [worker])
    idle.withLock { $0.workers += returned.workers }
  }
}
