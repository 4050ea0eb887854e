// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// The processing of one tile of one band in all passes.
struct TileRun {
  let stages: [Stage]
  let capacities: [Int]
  let workers: [RowWorker]
  let source: StripWindow
  /// The passes before the first one, if they sample the source along a projection, the part of
  /// their result that belongs to the tile, and the rows that they may read.
  let warped: (source: WarpedSource, part: Region, rows: Range<Int>)?
  let rowsPerChunk: Int
  /// The ring buffer of each pass except the last.
  private var rings: [StripWindow] = []
  private var memories: [UnsafeMutableRawPointer] = []
  /// The next row to compute of each pass; nil before the first.
  private var next: [Int?]

  init(
    stages: [Stage], capacities: [Int], workers: [RowWorker], memory: UnsafeMutableRawPointer,
    source: StripWindow, warped: (source: WarpedSource, part: Region, rows: Range<Int>)?,
    rowsPerChunk: Int
  ) {
    self.stages = stages
    self.capacities = capacities
    self.workers = workers
    self.source = source
    self.warped = warped
    self.rowsPerChunk = rowsPerChunk
    next = [Int?](repeating: nil, count: capacities.count)
    var free = memory
    for (stage, capacity) in zip(stages, capacities) {
      memories.append(free)
      rings.append(
        StripWindow(
          ring: free, capacity: capacity, bytesPerRow: stage.output.spacedBytesPerRow))
      free += capacity * stage.output.spacedBytesPerRow
    }
  }

  mutating func fill(
    _ rows: Range<Int>, into target: UnsafeMutableRawPointer, bytesPerRow: Int
  ) {
    let last = stages.count - 1
    for first in stride(from: rows.lowerBound, to: rows.upperBound, by: rowsPerChunk) {
      let chunk = first..<min(first + rowsPerChunk, rows.upperBound)
      provide(stages[last].inputRows(for: chunk), of: last - 1)
      workers[last].run(
        rows: chunk, from: rings[last - 1],
        into: target + (first - rows.lowerBound) * bytesPerRow, bytesPerRow: bytesPerRow)
    }
  }

  /// Computes the missing rows of a pass.
  private mutating func provide(_ rows: Range<Int>, of pass: Int) {
    var first = next[pass].map { max($0, rows.lowerBound) } ?? rows.lowerBound
    let (capacity, bytesPerRow) = (capacities[pass], stages[pass].output.spacedBytesPerRow)
    while first < rows.upperBound {
      // A piece ends at the end of the ring buffer.
      let end = min(first + rowsPerChunk, rows.upperBound, (first / capacity + 1) * capacity)
      let memory = memories[pass] + first % capacity * bytesPerRow
      if pass == 0, let (warped, part, rows) = warped {
        warped.fill(
          first..<end, of: part, from: source, rows,
          into: memory.assumingMemoryBound(to: Float.self),
          samplesPerRow: bytesPerRow / MemoryLayout<Float>.stride)
      } else {
        if pass > 0 { provide(stages[pass].inputRows(for: first..<end), of: pass - 1) }
        workers[pass].run(
          rows: first..<end, from: pass > 0 ? rings[pass - 1] : source, into: memory,
          bytesPerRow: bytesPerRow)
      }
      first = end
    }
    next[pass] = max(next[pass] ?? 0, first)
  }
}
