// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

/// Lays operations out as passes: as many steps as possible on a row while it is in the cache.
struct PlanBuilder {
  var stages: [Stage] = []
  /// The number of color planes of the current image, one or three.
  var colorPlanes: Int
  var hasAlpha: Bool
  /// The number of images on the stack in addition to the current one.
  var savedImages = 0
  var current: Stage
  /// The size of the image after the steps of the current stage.
  var size: PixelSize

  /// The level of the next stage.
  var nextLevel: Int { firstLevel + stages.count }
  /// The level of the first stage of this part.
  private let firstLevel: Int
  /// The results of the earlier parts.
  let parts: [SubgraphResult]

  /// Starts with an image from another level.
  ///
  /// - Parameters:
  ///   - source: The source and the format of the rows.
  ///   - firstLevel: The level of the first stage.
  ///   - parts: The results of the earlier parts.
  init(source: SubgraphResult, firstLevel: Int = 1, parts: [SubgraphResult] = []) {
    colorPlanes = source.colorPlanes
    hasAlpha = source.hasAlpha
    size = source.shape.size
    (self.firstLevel, self.parts) = (firstLevel, parts)
    current = Stage(
      inputMapping: .rows, steps: [], input: source.shape, output: source.shape,
      imagePlanes: source.planes, hasAlpha: source.hasAlpha, level: source.level)
  }

  init(source: StripShape) { self.init(source: SubgraphResult(decoded: source)) }

  /// Starts with a source that needs no input rows.
  init(generating source: Layer.Source, firstLevel: Int, parts: [SubgraphResult]) {
    let generated = SubgraphResult(source, level: firstLevel)
    self.init(source: generated, firstLevel: firstLevel, parts: parts)
    var stage = current
    stage.inputMapping = .source(source)
    stages.append(stage)
  }

  private var planesPerImage: Int { colorPlanes + (hasAlpha ? 1 : 0) }

  /// The number of planes of the images on the stack in addition to the current one.
  var savedPlanes: Int { savedImages * planesPerImage }

  /// The input of the current stage.
  var source: SubgraphResult {
    SubgraphResult(
      level: current.level, shape: current.input, colorPlanes: colorPlanes, hasAlpha: hasAlpha)
  }

  /// Adds operations in order.
  mutating func add(_ operations: [FilterOperation]) {
    for (index, operation) in operations.enumerated() {
      operation.planned.plan(in: &self, before: operations[(index + 1)...])
    }
  }

  /// Expands one plane to three.
  mutating func expand() {
    current.steps.append(.expandGray)
    colorPlanes = 3
  }

  /// Adds a pass without row steps that takes over the input of the current stage, which is still
  /// empty.
  mutating func appendStage(_ inputMapping: Stage.InputMapping, output: StripShape) {
    var stage = current
    stage.inputMapping = inputMapping
    stage.output = output
    stages.append(stage)
    begin(with: .rows, from: output)
  }

  /// Ends the current stage unless it passes its input on unchanged.
  mutating func endStageUnlessEmpty() {
    if current.steps.isEmpty, current.inputMapping == .rows, current.firstRow == 0,
      size == current.input.size
    {
      return
    }
    endStage()
    begin(with: .rows, from: stages[stages.count - 1].output)
  }

  /// Ends the current stage unless its input is already the planes that the next one reads.
  mutating func endStageBeforePlanes() {
    guard case .packed = current.input.format else { return endStageUnlessEmpty() }
    endStage()
    begin(with: .rows, from: stages[stages.count - 1].output)
  }

  /// Ends the current stage with rows of planes.
  mutating func endStage() {
    current.output = StripShape(
      size: size, format: .planes((savedImages + 1) * planesPerImage))
    stages.append(current)
  }

  mutating func begin(with inputMapping: Stage.InputMapping, from input: StripShape) {
    current = Stage(
      inputMapping: inputMapping, steps: [], input: input, output: input,
      imagePlanes: planesPerImage, hasAlpha: hasAlpha, level: nextLevel - 1)
    size = input.size
  }

  /// Ends a part that others read, as rows of planes.
  mutating func finishedPart(isMask: Bool) -> (stages: [Stage], result: SubgraphResult) {
    keepSavedImages()
    if isMask {
      if hasAlpha {
        current.steps.append(.dropAlpha)
        hasAlpha = false
      }
      if colorPlanes == 3 { add([.matrix(.sum(LumaWeights.rec601))]) }
    }
    if case .packed = current.input.format { endStage() } else { endStageUnlessEmpty() }
    guard let last = stages.last else {
      // The result of the part is its unchanged input.
      return ([], result(level: current.level, shape: current.input))
    }
    return (stages, result(level: nextLevel - 1, shape: last.output))
  }

  private func result(level: Int, shape: StripShape) -> SubgraphResult {
    SubgraphResult(level: level, shape: shape, colorPlanes: colorPlanes, hasAlpha: hasAlpha)
  }

  /// Drops copies that are no longer merged.
  private mutating func keepSavedImages() {
    guard savedImages > 0 else { return }
    current.steps.append(.keepTop)
    savedImages = 0
  }

  /// Ends the plan and returns its stages.
  mutating func finished(background: SIMD3<Double>, result: RenderPlan.Result) -> [Stage] {
    keepSavedImages()
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
