// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

extension RenderJob {
  /// Returns a plan with the measurements of its wavelet transforms.
  func measured(
    _ plan: RenderPlan, of source: PixelSource, pool: StripPool
  ) throws(RenderError) -> RenderPlan {
    let kept = levelsToKeep(of: plan, source)
    return try plan.measured(keeping: kept) { plan, level, end throws(RenderError) in
      // Kept rows are read from the source only once.
      let reading =
        kept.contains { $0 <= level }
        ? source : try PixelSource(self, usesRestartIntervals: source.readsParts)
      var pipeline = Pipeline()
      let samples = try append(reading, for: plan, nil, to: &pipeline, pool: pool)
      _ = append(plan.stages[..<level], reading: samples, to: &pipeline, pool: pool)
      pipeline.append(end)
      try run(pipeline, stripsAhead: stripsAhead)
    }
  }

  /// The levels of a plan whose rows are kept while its wavelet transforms are measured: those that
  /// take long to compute, if they take at most half of the memory limit.
  func levelsToKeep(of plan: RenderPlan, _ source: PixelSource) -> Set<Int> {
    plan.levelsToKeep(
      isCheap: source.isQuicklyRead, limit: options.limits.maximumMemoryBytes / 2)
  }
}
