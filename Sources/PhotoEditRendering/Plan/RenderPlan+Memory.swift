// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

extension RenderPlan {
  /// Returns the maximum size in bytes of the strips that exist at the same time.
  ///
  /// A level keeps the rows that the oldest active reader needs, and runs ahead of the newest one
  /// by a strip for each thread. A level that is read a second time keeps its rows until the passes
  /// in between have caught up.
  ///
  /// - Parameters:
  ///   - stripHeight: The height of the decoder's strips.
  ///   - heights: The strip heights of the stages.
  ///   - stripsAhead: The strips that a stage computes before a reader needs them; one for each
  ///     thread if nil.
  ///   - skipsSource: Whether the decoder's rows are not counted.
  func peakStripBytes(
    stripHeight: Int, heights: [Int], threads: Int, stripsAhead: Int? = nil,
    skipsSource: Bool = false
  ) -> Int {
    let stripsAhead = stripsAhead ?? threads
    let heights = [stripHeight] + heights
    let requested = requestedRows
    guard let last = stages.last else { return 0 }
    // The encoder takes a few rows at a time directly from each thread.
    var bytes =
      threads * min(StageProducer.rowsOfMCU, outputSize.height) * last.output.bytesPerRow
    for level in stages.indices.dropFirst(skipsSource ? 1 : 0) {
      let height = heights[level]
      let most = mostRowsRead(
        of: level, requested: requested, heights: heights, threads: threads,
        stripsAhead: stripsAhead)
      let strips = (most + height - 1) / height + 1 + stripsAhead
      // A decoder cannot skip the rows above.
      let rows = level == 0 ? requested[level].upperBound : requested[level].count
      bytes += min(strips * height, rows) * shape(ofLevel: level).bytesPerRow
    }
    return bytes
  }

  /// Returns the maximum size in bytes of the strips that exist at the same time, if tiles sample
  /// the source along a projection.
  ///
  /// All rows of the source may be needed at once; between them and the result are only tiles.
  func peakStripBytes(_ tiles: TileLayout, threads: Int, lastHeight: Int) -> Int {
    let result = lastHeight * (stages.last?.output.bytesPerRow ?? 0)
    return bytesOfRows(before: tiles.passesBefore(in: self))
      + threads * (tiles.bytesPerThread + result)
  }

  private func shape(ofLevel level: Int) -> StripShape {
    level == 0 ? source : stages[level - 1].output
  }

  /// The rows of each level that the whole result needs.
  private var requestedRows: [Range<Int>] {
    var requested = [Range<Int>](repeating: 0..<0, count: stages.count + 1)
    requested[stages.count] = 0..<outputSize.height
    for (index, stage) in stages.enumerated().reversed() {
      if stage.startsAtTop {
        requested[index + 1] = 0..<requested[index + 1].upperBound
      }
      for (position, level) in stage.levels.enumerated() {
        let rows = stage.inputRows(for: requested[index + 1], of: position)
        requested[level] = rows.hull(with: requested[level])
      }
    }
    return requested
  }

  /// Returns the maximum number of rows of a level between the oldest one that its last reader is
  /// using and the newest one needed for anything that this reader waits for.
  private func mostRowsRead(
    of level: Int, requested: [Range<Int>], heights: [Int], threads: Int, stripsAhead: Int
  ) -> Int {
    guard let reader = stages.lastIndex(where: { $0.levels.contains(level) }) else { return 0 }
    let (rows, height) = (requested[reader + 1], heights[reader + 1])
    var most = 0
    for first in stride(from: rows.lowerBound, to: rows.upperBound, by: height) {
      let oldest = max(rows.lowerBound, first - (threads - 1) * height)
      var needed = [Range<Int>](repeating: 0..<0, count: reader + 2)
      needed[reader + 1] = oldest..<min(first + height, rows.upperBound)
      for index in (level...reader).reversed() where !needed[index + 1].isEmpty {
        var computed = needed[index + 1]
        if index < reader {
          let ahead = computed.upperBound + (stripsAhead + 1) * heights[index + 1]
          computed = computed.lowerBound..<min(ahead, requested[index + 1].upperBound)
        }
        for (position, input) in stages[index].levels.enumerated() where input >= level {
          let read = stages[index].inputRows(for: computed, of: position)
          needed[input] = read.hull(with: needed[input])
        }
      }
      most = max(most, needed[level].count)
    }
    return most
  }
}
