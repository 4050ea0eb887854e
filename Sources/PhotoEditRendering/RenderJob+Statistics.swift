// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage

extension RenderJob {
  /// Indicates whether a step needs statistics of the whole image.
  var needsStatistics: Bool { parts.contains { $0.operations.contains(where: \.isAdaptation) } }

  /// Returns the job with every step that needs statistics of the whole image replaced by the
  /// resulting operations.
  ///
  /// The image is rendered up to such a step, counted, and discarded. Counts are integers, so the
  /// order of rows and the number of threads do not affect them.
  func adapted() throws(RenderError) -> RenderJob {
    var job = self
    for part in parts.indices {
      while let index = job.parts[part].operations.firstIndex(where: \.isAdaptation) {
        guard case .adapt(let adaptation) = job.parts[part].operations[index] else { break }
        var before = job
        before.parts = Array(job.parts[...part])
        before.parts[part].operations.replaceSubrange(index..., with: adaptation.measuredSteps)
        let (statistics, size) = try before.statistics(for: adaptation)
        job.parts[part].operations.replaceSubrange(
          index...index, with: adaptation.resolved(statistics, size: size))
      }
    }
    return job
  }

  /// Counts the levels of this job's result.
  func statistics(
    for adaptation: HistogramAdjustment
  ) throws(RenderError) -> (ImageStatistics, PixelSize) {
    let (columns, rows) = adaptation.tiles
    return try withSource { source throws(RenderError) in
      let plan = workingPlan(source.shape, result: .floats)
      let (size, planes) = (plan.outputSize, plan.outputPlanes)
      let grid = TileGrid(columns: columns, rows: rows, size: size)
      let counts = LockedValue(LevelHistogram(tiles: columns * rows))
      try deliver(plan, of: source) { strip in
        var own = LevelHistogram(tiles: columns * rows)
        own.count(strip, width: size.width, planes: planes, columns: columns, grid)
        counts.withLock { $0.add(own) }
      }
      return (counts.withLock { $0.statistics }, size)
    }
  }
}

extension FilterOperation {
  fileprivate var isAdaptation: Bool { if case .adapt = self { true } else { false } }
}

extension RenderJob {
  /// Returns the job as it would be for an image in which all levels occur equally often; nothing
  /// is decoded.
  func withSuppositions() -> RenderJob {
    var job = self
    let even = Histogram(Array(repeating: 1, count: 256))
    while job.needsStatistics {
      for part in parts.indices {
        job.parts[part].operations = job.parts[part].operations.flatMap { operation in
          guard case .adapt(let adaptation) = operation else { return [operation] }
          let (columns, rows) = adaptation.tiles
          return adaptation.resolved(
            ImageStatistics(
              channels: [even, even, even], luma: Array(repeating: even, count: columns * rows)),
            size: outputSize)
        }
      }
    }
    return job
  }
}
