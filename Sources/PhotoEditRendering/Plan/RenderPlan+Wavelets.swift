// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension RenderPlan {
  /// Runs the passes up to a level of a plan and, from its rows, another one at the end.
  typealias MeasuringRun =
    (_ plan: RenderPlan, _ level: Int, _ end: WaveletPass) throws(RenderError) -> Void

  /// Indicates whether a pass needs measurements of its whole input.
  var needsMeasurements: Bool { stages.contains { $0.needsMeasurement } }

  /// Returns the plan with the measurements of all wavelet transforms.
  ///
  /// The image is rendered up to such a transform several times, measured, and discarded, so that
  /// no pass needs the whole image.
  ///
  /// - Parameter kept: The levels whose rows are kept, because computing them again takes longer.
  func measured(
    keeping kept: Set<Int> = [], _ run: MeasuringRun
  ) throws(RenderError) -> RenderPlan {
    var plan = self
    for index in stages.indices where stages[index].needsMeasurement {
      guard let input = WaveletInput(stages[index]) else { continue }
      let level = stages[index].level
      let keptRows = kept.contains(level) ? KeptRows() : nil
      plan.stages[index].measurement = try WaveletMeasurement(input) {
        planes, work throws(RenderError) in
        let isKept = plan.stages[level - 1].keptRows != nil
        let end = WaveletPass(
          input.shape, planes: planes, keepingIn: isKept ? nil : keptRows, work)
        try run(plan, level, end)
        plan.stages[level - 1].keptRows = keptRows
      }
    }
    return plan
  }

  /// Returns the levels whose rows wavelet transforms should keep, within a limit in bytes.
  ///
  /// - Parameter isCheap: Whether the source is quickly read again.
  func levelsToKeep(isCheap: Bool, limit: Int) -> Set<Int> {
    // A branch may read the source again, which only chains can avoid.
    guard isChain else { return [] }
    var (levels, bytes) = (Set<Int>(), 0)
    for stage in stages where stage.needsMeasurement {
      let before = stages[..<stage.level]
      if isCheap, before.allSatisfy(\.isCheap) { continue }
      let size = stage.input.size.height * stage.input.bytesPerRow
      if bytes + size <= limit {
        bytes += size
        levels.insert(stage.level)
      }
    }
    return levels
  }
}

extension Stage {
  fileprivate var needsMeasurement: Bool {
    if case .area(.wavelet, _) = inputMapping { measurement == nil } else { false }
  }

  /// Indicates whether its rows are quickly computed again.
  fileprivate var isCheap: Bool {
    switch inputMapping {
    case .rows, .rotation, .source: true
    case .blur, .resample, .area: false
    }
  }
}

extension Pipeline {
  /// Adds the end of a pipeline that measures the rows of the last level.
  mutating func append(_ end: WaveletPass) {
    append(end, stripHeight: levels[levels.count - 1].stripHeight)
  }
}
