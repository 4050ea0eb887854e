// SPDX-License-Identifier: Apache-2.0
import Pixels

extension RenderPlan {
  /// Bytes of strips that live at the same time, at most.
  ///
  /// A level keeps what the oldest reader still at work needs, and runs ahead of the newest one by
  /// a strip for each thread.
  ///
  /// - Parameters:
  ///   - stripHeight: Rows of the decoder's strips.
  ///   - heights: Rows of the strips that each stage gives.
  func peakStripBytes(stripHeight: Int, heights: [Int], threads: Int) -> Int {
    var wanted = 0..<outputSize.height
    var bytes = 0
    for index in stages.indices.reversed() {
      let (stage, height) = (stages[index], heights[index])
      if index == stages.count - 1 {
        // The encoder takes a few rows at a time out of each thread's hands.
        bytes +=
          threads * min(16, wanted.count) * stage.output.bytesPerRow
      }
      let producer = index == 0 ? stripHeight : heights[index - 1]
      var most = 0
      for first in stride(from: wanted.lowerBound, to: wanted.upperBound, by: height) {
        let oldest = max(wanted.lowerBound, first - (threads - 1) * height)
        let rows = stage.inputRows(for: oldest..<min(first + height, wanted.upperBound))
        most = max(most, rows.count)
      }
      let strips = (most + producer - 1) / producer + 1 + threads
      wanted = stage.inputRows(for: wanted)
      let rows = min(strips * producer, index == 0 ? wanted.upperBound : wanted.count)
      bytes += rows * stage.input.bytesPerRow
    }
    return bytes
  }
}
