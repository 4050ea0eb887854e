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
    let underWay = Atomic(0)
    let most = Atomic(0)
    let handedOn = Guarded<[Int]>([])

    func line(
      frames: Int, most: Int, failingAt failure: Int = .max
    ) -> FrameLine<Int, Int> {
      FrameLine(
        most: most,
        take: { () throws(VideoError) in
          let index = self.taken.load(ordering: .relaxed)
          if index == frames { return nil }
          self.taken.store(index + 1, ordering: .relaxed)
          let count = self.underWay.add(1, ordering: .relaxed).newValue
          if count > self.most.load(ordering: .relaxed) {
            self.most.store(count, ordering: .relaxed)
          }
          return index
        },
        work: { frame throws(VideoError) in
          if frame == failure { throw .outOfMemory }
          return frame * 10
        },
        handOn: { frame throws(VideoError) in
          self.underWay.subtract(1, ordering: .relaxed)
          self.handedOn.withLock { $0.append(frame) }
        })
    }
  }

  @Test(arguments: [1, 2, 5], [1, 4])
  func `frames are delivered in order, a limited number at once`(workers: Int, most: Int) throws {
    let log = Log()
    try log.line(frames: 100, most: most).run(workers: workers)
    #expect(log.handedOn.withLock { $0 } == (0..<100).map { $0 * 10 })
    #expect(log.most.load(ordering: .relaxed) <= most)
  }

  @Test func `an empty pipeline does no work`() throws {
    let log = Log()
    try log.line(frames: 0, most: 3).run(workers: 2)
    #expect(log.handedOn.withLock { $0.isEmpty })
  }

  @Test(arguments: [1, 3]) func `a failure ends the pipeline`(workers: Int) {
    let log = Log()
    let error = #expect(throws: VideoError.self) {
      try log.line(frames: 1000, most: 4, failingAt: 50).run(workers: workers)
    }
    guard case .outOfMemory? = error else { return #expect(Bool(false), "\(error as Any)") }
    #expect(
      log.handedOn.withLock { $0 } == (0..<log.handedOn.withLock { $0.count }).map { $0 * 10 })
    #expect(log.taken.load(ordering: .relaxed) < 60)
  }
}
