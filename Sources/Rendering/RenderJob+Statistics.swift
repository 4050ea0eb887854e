// SPDX-License-Identifier: Apache-2.0
import Codecs
import Filters
import Pixels
import Storage

extension RenderJob {
  /// The job with every step that looks at the whole picture turned into what follows from it.
  ///
  /// The picture is rendered up to such a step, counted, and forgotten. What is counted are whole
  /// numbers, so their order and the number of threads mean nothing.
  func adapted() throws(RenderError) -> RenderJob {
    var job = self
    for part in parts.indices {
      while let index = job.parts[part].operations.firstIndex(where: \.isAdaptation) {
        guard case .adapt(let adaptation) = job.parts[part].operations[index] else { break }
        var before = job
        before.parts = Array(job.parts[...part])
        before.parts[part].operations.removeSubrange(index...)
        let (statistics, size) = try before.statistics(for: adaptation)
        job.parts[part].operations.replaceSubrange(
          index...index, with: adaptation.resolved(statistics, size: size))
      }
    }
    return job
  }

  /// Counts levels of what this job renders.
  private func statistics(
    for adaptation: Adaptation
  ) throws(RenderError) -> (PictureStatistics, PixelSize) {
    let size =
      isChain
      ? operations.reduce(picture.header.size) { $1.outputSize(of: $0) }
      : LoweredGraph(parts: parts).sizes(picture: picture.size).results[parts.count - 1]
    let (columns, rows) = adaptation.tiles
    let grid = TileGrid(columns: columns, rows: rows, size: size)
    let counts = Guarded(
      PictureStatistics(
        channels: Array(repeating: Histogram(), count: 3),
        luma: Array(repeating: Histogram(), count: columns * rows)))
    try deliverRows { strip, size, planes in
      var own = PictureStatistics(
        channels: Array(repeating: Histogram(), count: 3),
        luma: Array(repeating: Histogram(), count: columns * rows))
      for y in strip.rows {
        own.count(
          strip.row(y).assumingMemoryBound(to: Float.self), width: size.width, planes: planes,
          grid: grid, y: y)
      }
      counts.withLock { $0.add(own) }
    }
    return (counts.withLock { $0 }, size)
  }
}

extension FilterOperation {
  fileprivate var isAdaptation: Bool { if case .adapt = self { true } else { false } }
}

extension PictureStatistics {
  /// Counts a row of one or three planes.
  fileprivate mutating func count(
    _ row: UnsafePointer<Float>, width: Int, planes: Int, grid: TileGrid, y: Int
  ) {
    let columnCount = luma.count / (1 + (grid.rows.joined().max() ?? 0))
    for x in 0..<width {
      let r = row[x]
      let (g, b) = planes == 3 ? (row[width + x], row[2 * width + x]) : (r, r)
      for (channel, value) in [r, g, b].enumerated() {
        channels[channel].counts[Self.level(value)] += 1
      }
      let level = Self.level(planes == 3 ? 0.299 * r + 0.587 * g + 0.114 * b : r)
      for tileRow in grid.rows[y] {
        for tileColumn in grid.columns[x] {
          luma[tileRow * columnCount + tileColumn].counts[level] += 1
        }
      }
    }
  }

  /// The nearest of 256 levels, as the encoder rounds.
  private static func level(_ value: Float) -> Int {
    value > 0 ? min(Int(min(value, 1) * 255 + 0.5), 255) : 0
  }

  fileprivate mutating func add(_ other: PictureStatistics) {
    for index in channels.indices {
      for level in 0..<256 { channels[index].counts[level] += other.channels[index].counts[level] }
    }
    for index in luma.indices {
      for level in 0..<256 { luma[index].counts[level] += other.luma[index].counts[level] }
    }
  }
}

extension RenderJob {
  /// The job as it would be for a picture whose levels all occur equally often; nothing is decoded.
  func withSuppositions() -> RenderJob {
    var job = self
    for part in parts.indices {
      job.parts[part].operations = parts[part].operations.flatMap { operation in
        guard case .adapt(let adaptation) = operation else { return [operation] }
        let even = Histogram(Array(repeating: 1, count: 256))
        let (columns, rows) = adaptation.tiles
        return adaptation.resolved(
          PictureStatistics(
            channels: [even, even, even], luma: Array(repeating: even, count: columns * rows)),
          size: outputSize)
      }
    }
    return job
  }
}
