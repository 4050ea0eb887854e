// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage
import Synchronization
import Testing

@testable import PhotoEditVideo

@Suite("Frame pipeline")
struct FrameLineTests {
  /// Records the frames seen by each step of a pipeline.
  private final class Log: Sendable {
    let taken = Atomic(0)
    let running = Atomic(0)
    let maximumCount = Atomic(0)
    let handedOn = LockedValue<[Int]>([])

    func line(
      frames: Int, maximumCount: Int, failingAt failure: Int = .max
    ) -> OrderedFrameQueue<Int, Int> {
      OrderedFrameQueue(
        maximumCount: maximumCount,
        read: { () throws(VideoError) in
          let index = self.taken.load(ordering: .relaxed)
          if index == frames { return nil }
          self.taken.store(index + 1, ordering: .relaxed)
          let count = self.running.add(1, ordering: .relaxed).newValue
          if count > self.maximumCount.load(ordering: .relaxed) {
            self.maximumCount.store(count, ordering: .relaxed)
          }
          return index
        },
        work: { frame throws(VideoError) in
          if frame == failure { throw .outOfMemory }
          return frame * 10
        },
        deliver: { frame throws(VideoError) in
          self.running.subtract(1, ordering: .relaxed)
          self.handedOn.withLock { $0.append(frame) }
        })
    }
  }

  @Test(arguments: [1, 2, 5], [1, 4])
  func `frames are delivered in order, a limited number at once`(workers: Int, maximumCount: Int)
    throws
  {
    let log = Log()
    try log.line(frames: 100, maximumCount: maximumCount).run(workers: workers)
    #expect(log.handedOn.withLock { $0 } == (0..<100).map { $0 * 10 })
    #expect(log.maximumCount.load(ordering: .relaxed) <= maximumCount)
  }

  @Test func `an empty pipeline does no work`() throws {
    let log = Log()
    try log.line(frames: 0, maximumCount: 3).run(workers: 2)
    #expect(log.handedOn.withLock { $0.isEmpty })
  }

  @Test(arguments: [1, 3]) func `a failure ends the pipeline`(workers: Int) {
    let log = Log()
    let error = #expect(throws: VideoError.self) {
      try log.line(frames: 1000, maximumCount: 4, failingAt: 50).run(workers: workers)
    }
    guard case .outOfMemory? = error else { return #expect(Bool(false), "\(error as Any)") }
    #expect(
      log.handedOn.withLock { $0 } == (0..<log.handedOn.withLock { $0.count }).map { $0 * 10 })
    #expect(log.taken.load(ordering: .relaxed) < 60)
  }
}
