// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditStorage
import Testing

@testable import PhotoEditServer

@Suite("Memory of previews")
struct PreviewMemoryTests {
  private let memory = PreviewMemory()
  private let small = PixelSize(width: 640, height: 480)

  @Test func `previews that do not fit together are rendered one after the other`() throws {
    // 100 megapixels.
    let large = PixelSize(width: 10_000, height: 10_000)
    let counts = LockedValue((running: 0, most: 0, finished: 0))
    ThreadGroup.run(4) { [memory, small] in
      try? memory.holding(large, fitting: small) {
        counts.withLock { counts in
          counts.running += 1
          counts.most = max(counts.most, counts.running)
        }
        // Others would begin here.
        for _ in 0..<50 { sched_yield() }
        counts.withLock { counts in
          counts.running -= 1
          counts.finished += 1
        }
      }
    }
    #expect(counts.withLock { $0 } == (0, 1, 4))
  }

  @Test func `previews that fit are rendered together, and too many are refused`() throws {
    let running = LockedValue((count: 0, mayEnd: false))
    for _ in 0..<PreviewMemory.maximumCount {
      let isRunning = ThreadGroup.detach { [memory, small] in
        try? memory.holding(small, fitting: small) {
          running.change { $0.count += 1 }
          running.wait { $0.mayEnd ? () : nil }
        }
        running.change { $0.count -= 1 }
      }
      #expect(isRunning)
    }
    running.wait { $0.count == PreviewMemory.maximumCount ? () : nil }
    #expect { try memory.holding(small, fitting: small) {} } throws: {
      ($0 as? Problem)?.kind == .busy
    }
    running.change { $0.mayEnd = true }
    running.wait { $0.count == 0 ? () : nil }
    #expect(try memory.holding(small, fitting: small) { true })
  }
}
