// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

/// Lays operations out as passes: as many steps as possible on a row while it is in the cache.
struct PlanBuilder {
  var stages: [Stage] = []
  /// Colour planes of the picture that is worked on, one or three.
  var colorPlanes: Int
  var hasAlpha: Bool
  /// Pictures on the stack besides the one that is worked on.
  var savedPictures = 0
  var current: Stage
  /// Size of the picture after the steps of the current stage.
  var size: PixelSize

  /// The level that the next stage will be.
  var nextLevel: Int { firstLevel + stages.count }
  /// What the first stage of this part is.
  private let firstLevel: Int
  /// What the earlier parts give.
  let parts: [PartResult]

  /// Begins with a picture that a level gives.
  ///
  /// - Parameters:
  ///   - source: Where rows come from, and what they hold.
  ///   - firstLevel: The level that the first stage will be.
  ///   - parts: What the earlier parts give.
  init(source: PartResult, firstLevel: Int = 1, parts: [PartResult] = []) {
    colorPlanes = source.colorPlanes
    hasAlpha = source.hasAlpha
    size = source.shape.size
    self.firstLevel = firstLevel
    self.parts = parts
    current = Stage(
      gathering: .rows, steps: [], input: source.shape, output: source.shape,
      picturePlanes: source.planes, hasAlpha: source.hasAlpha, level: source.level)
  }

  init(source: StripShape) { self.init(source: PartResult(decoded: source)) }

  /// Begins with something that is made without any rows.
  init(making source: Layer.Source, firstLevel: Int, parts: [PartResult]) {
    let made = PartResult(source, level: firstLevel)
    self.init(source: made, firstLevel: firstLevel, parts: parts)
    var stage = current
    stage.gathering = .source(source)
    stages.append(stage)
  }

  private var planesPerPicture: Int { colorPlanes + (hasAlpha ? 1 : 0) }

  /// Planes of the pictures on the stack besides the one that is worked on.
  var savedPlanes: Int { savedPictures * planesPerPicture }

  /// What it begins with.
  var source: PartResult {
    PartResult(
      level: current.level, shape: current.input, colorPlanes: colorPlanes, hasAlpha: hasAlpha)
  }

  /// Adds operations in order.
  mutating func add(_ operations: [FilterOperation]) {
    for (index, operation) in operations.enumerated() {
      operation.planned.plan(in: &self, before: operations[(index + 1)...])
    }
  }

  /// Makes three planes of one.
  mutating func expand() {
    current.steps.append(.expandGray)
    colorPlanes = 3
  }

  /// Adds a pass without row steps that reads what the current stage reads, which has done nothing.
  mutating func appendStage(_ gathering: Stage.Gathering, output: StripShape) {
    var stage = current
    stage.gathering = gathering
    stage.output = output
    stages.append(stage)
    begin(with: .rows, from: output)
  }

  /// Ends the current stage unless it hands on what it reads.
  mutating func endStageUnlessEmpty() {
    if current.steps.isEmpty, current.gathering == .rows, current.firstRow == 0,
      size == current.input.size
    {
      return
    }
    endStage()
    begin(with: .rows, from: stages[stages.count - 1].output)
  }

  /// Ends the current stage with rows of planes.
  mutating func endStage() {
    current.output = StripShape(
      size: size, format: .planes((savedPictures + 1) * planesPerPicture))
    stages.append(current)
  }

  mutating func begin(with gathering: Stage.Gathering, from input: StripShape) {
    current = Stage(
      gathering: gathering, steps: [], input: input, output: input,
      picturePlanes: planesPerPicture, hasAlpha: hasAlpha, level: nextLevel - 1)
    size = input.size
  }

  /// Ends a part that others read, as rows of planes.
  mutating func finishedPart(isMask: Bool) -> (stages: [Stage], result: PartResult) {
    leaveSavedPictures()
    if isMask {
      if hasAlpha {
        current.steps.append(.dropAlpha)
        hasAlpha = false
      }
      if colorPlanes == 3 { add([.matrix(.sum(LumaWeights.rec601))]) }
    }
    if case .packed = current.input.format { endStage() } else { endStageUnlessEmpty() }
    guard let last = stages.last else {
      // The part is the very picture that it begins with.
      return ([], result(level: current.level, shape: current.input))
    }
    return (stages, result(level: nextLevel - 1, shape: last.output))
  }

  private func result(level: Int, shape: StripShape) -> PartResult {
    PartResult(level: level, shape: shape, colorPlanes: colorPlanes, hasAlpha: hasAlpha)
  }

  /// Copies that nobody merges any more are left behind.
  private mutating func leaveSavedPictures() {
    guard savedPictures > 0 else { return }
    current.steps.append(.keepTop)
    savedPictures = 0
  }

  /// Ends the plan and gives its stages.
  mutating func finished(background: SIMD3<Double>, result: RenderPlan.Result) -> [Stage] {
    leaveSavedPictures()
    if hasAlpha {
      if colorPlanes == 1 && !background.hasEqualChannels { expand() }
      current.steps.append(.flatten(background))
      hasAlpha = false
    }
    if result == .bytes(expandingGray: true) && colorPlanes == 1 { expand() }
    let format: StripShape.Format =
      switch result {
      case .bytes: .packed(RowLayout(channels: colorPlanes == 1 ? .gray : .rgb))
      case .floats: .planes(colorPlanes)
      }
    current.output = StripShape(size: size, format: format)
    return stages + [current]
  }
}
