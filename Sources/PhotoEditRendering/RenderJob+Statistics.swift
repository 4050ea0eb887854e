// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage

extension RenderJob {
  /// Indicates whether a step needs statistics of the whole image.
  var needsStatistics: Bool { parts.adaptation != nil }

  /// Returns the job with every step that needs statistics of the whole image replaced by the
  /// resulting operations.
  ///
  /// The image is rendered up to such a step, counted, and discarded. Counts are integers, so the
  /// order of rows and the number of threads do not affect them.
  func adapted() throws(RenderError) -> RenderJob {
    var job = self
    while let found = job.parts.adaptation {
      var before = job
      before.parts = job.parts.measuring(found)
      let (statistics, size) = try before.statistics(for: found.step)
      job.parts.replace(found, with: found.step.resolved(statistics, size: size))
    }
    return job
  }

  /// Counts the levels of this job's result.
  func statistics(
    for adaptation: HistogramAdjustment
  ) throws(RenderError) -> (ImageStatistics, PixelSize) {
    let (columns, rows) = adaptation.tiles
    return try withSource(readsAgain: true) { source throws(RenderError) in
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

/// A step that needs statistics of the whole image, and its position.
struct Adaptation {
  let step: HistogramAdjustment
  let part: Int
  let index: Int
}

extension [LoweredGraph.Part] {
  /// The first step that needs statistics of the whole image; nil if no step does.
  var adaptation: Adaptation? {
    for part in indices {
      for (index, operation) in self[part].operations.enumerated() {
        if case .adapt(let step) = operation {
          return Adaptation(step: step, part: part, index: index)
        }
      }
    }
    return nil
  }

  /// Returns the parts up to a step, with those of its measurement instead of it.
  func measuring(_ found: Adaptation) -> [LoweredGraph.Part] {
    var parts = Array(self[...found.part])
    parts[found.part].operations.replaceSubrange(found.index..., with: found.step.measuredSteps)
    return parts
  }

  /// Replaces a step by the operations that follow from its statistics.
  mutating func replace(_ found: Adaptation, with operations: [FilterOperation]) {
    self[found.part].operations.replaceSubrange(found.index...found.index, with: operations)
  }

  /// Returns the parts as they would be for an image in which all levels occur equally often.
  func withSuppositions(size: PixelSize) -> [LoweredGraph.Part] {
    var parts = self
    while let found = parts.adaptation {
      let statistics = ImageStatistics.even(tiles: found.step.tiles)
      parts.replace(found, with: found.step.resolved(statistics, size: size))
    }
    return parts
  }
}

extension RenderJob {
  /// Returns the job as it would be for an image in which all levels occur equally often; nothing
  /// is decoded.
  func withSuppositions() -> RenderJob {
    var job = self
    job.parts = parts.withSuppositions(size: outputSize)
    return job
  }
}

extension ImageStatistics {
  /// Returns the statistics of an image in which all levels occur equally often.
  fileprivate static func even(tiles: (columns: Int, rows: Int)) -> ImageStatistics {
    let even = Histogram(Array(repeating: 1, count: 256))
    return ImageStatistics(
      channels: [even, even, even],
      luma: Array(repeating: even, count: tiles.columns * tiles.rows))
  }
}
