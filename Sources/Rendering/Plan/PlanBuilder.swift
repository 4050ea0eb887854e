// SPDX-License-Identifier: Apache-2.0
import Filters
import Pixels

/// Lays operations out as passes: as many steps as possible on a row while it is in the cache.
struct PlanBuilder {
  var stages: [Stage] = []
  /// Colour planes of the picture that is worked on, one or three.
  private(set) var colorPlanes: Int
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
  private let parts: [PartResult]

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

  /// What it begins with.
  var source: PartResult {
    PartResult(
      level: current.level, shape: current.input, colorPlanes: colorPlanes, hasAlpha: hasAlpha)
  }

  /// Adds operations in order.
  mutating func add(_ operations: [FilterOperation]) {
    for (index, operation) in operations.enumerated() {
      add(operation, before: operations[(index + 1)...])
    }
  }

  /// Adds an operation; `rest` are the ones behind it, up to where a saved copy is merged again.
  mutating func add(_ operation: FilterOperation, before rest: ArraySlice<FilterOperation>) {
    switch operation {
    case .curves(let curves): add(curves)
    case .matrix(let matrix): add(matrix)
    case .extremum(let extremum):
      guard colorPlanes == 3 else { return }
      let givesOnePlane = savedPictures == 0
      current.steps.append(.extremum(extremum, givesOnePlane: givesOnePlane))
      if givesOnePlane { colorPlanes = 1 }
    case .map(let map): add(map)
    case .area(let area): add(area)
    case .shade(let shade): current.steps.append(.shade(shade, firstRow: current.firstRow))
    case .orient(let turn): add(turn)
    case .crop(let region): add(region)
    case .resample(let resampling): add(resampling)
    case .blur(let kernel):
      if let gaussian = CoarseGaussian(kernel) {
        add(gaussian)
      } else {
        add(kernel, before: rest.first)
      }
    case .save:
      if colorPlanes == 1 && !rest.keepsGrayUntilMerged { expand() }
      current.steps.append(.save)
      savedPictures += 1
    case .sharpen(let sharpening):
      current.steps.append(.sharpen(sharpening))
      savedPictures -= 1
    case .mix(let opacity):
      current.steps.append(.mix(opacity))
      savedPictures -= 1
    case .fade(let share):
      if !hasAlpha {
        current.steps.append(.addAlpha)
        hasAlpha = true
      }
      current.steps.append(.fade(share))
    case .merge(let merge): add(merge)
    case .layer, .adapt: preconditionFailure("these are other steps by now")
    }
  }

  private mutating func add(_ merge: Merge) {
    var step = MergeStep(merge, firstRow: current.firstRow)
    var needsColor = !merge.rule.keepsGray
    if case .part(let index) = merge.above {
      step.above = current.read(parts[index])
      needsColor = needsColor || parts[index].colorPlanes == 3
    } else {
      savedPictures -= 1
    }
    if let mask = merge.mask { step.mask = current.read(parts[mask]) }
    if colorPlanes == 1 && needsColor { expand() }
    current.steps.append(.merge(step))
  }

  private mutating func expand() {
    current.steps.append(.expandGray)
    colorPlanes = 3
  }

  private mutating func add(_ curves: ChannelCurves) {
    if colorPlanes == 1 && !curves.isUniform { expand() }
    let channels = Array(curves.channels.prefix(colorPlanes))
    // Neighbouring curves become one, so that a table can hold them all.
    if case .curves(let before)? = current.steps.last {
      current.steps[current.steps.count - 1] = .curves(
        zip(before, channels).map { $0.followed(by: $1) })
    } else if isCuttingBytes {
      // Bytes are loaded through a table anyway; curves in front of the cut get into it.
      current.steps.insert(.curves(channels), at: 0)
    } else {
      current.steps.append(.curves(channels))
    }
  }

  /// Whether nothing but a cut was done to rows of bytes so far.
  private var isCuttingBytes: Bool {
    guard current.gathering == .rows, case .packed(let layout) = current.input.format,
      layout.bytesPerSample == 1, case .cropColumns? = current.steps.first
    else { return false }
    return current.steps.count == 1
  }

  private mutating func add(_ matrix: ColorTransform) {
    if matrix == .identity { return }
    if colorPlanes == 1 {
      if let (scale, offset) = matrix.onGray {
        if scale == 1 && offset == 0 { return }
        return add(ChannelCurves(ToneCurve([.affine(scale: scale, offset: offset)])))
      }
      expand()
    }
    var matrix = matrix
    if case .matrix(let before)? = current.steps.last {
      matrix = before.followed(by: matrix)
      current.steps.removeLast()
    }
    if matrix.givesGray && savedPictures == 0 {
      current.steps.append(.weightedSum(matrix.rows[0], bias: matrix.bias[0]))
      colorPlanes = 1
    } else {
      current.steps.append(.matrix(matrix))
    }
  }

  private mutating func add(_ map: PixelMap) {
    if colorPlanes == 1 && !map.keepsGray { expand() }
    current.steps.append(.map(map, firstRow: current.firstRow))
  }

  private mutating func add(_ turn: Orientation) {
    precondition(savedPictures == 0, "a copy would not fit the turned picture")
    endStageUnlessEmpty()
    let turned = StripShape(size: turn.applied(to: size), format: current.input.format)
    appendStage(.turn(turn), output: turned)
  }

  /// Adds a step that is a pass of its own.
  private mutating func add(_ area: AreaOperation) {
    precondition(savedPictures == 0 || !area.movesPixels, "a copy would not fit the result")
    if colorPlanes == 1 && !area.keepsGray { expand() }
    if hasAlpha { current.steps.append(.premultiply) }
    endStage()
    let planes = stages[stages.count - 1].output
    begin(with: .rows, from: planes)
    let output = StripShape(size: area.outputSize(of: size), format: planes.format)
    appendStage(.area(area, fromPlane: savedPictures * planesPerPicture), output: output)
    if hasAlpha { current.steps.append(.unpremultiply) }
  }

  /// Adds a pass without row steps that reads what the current stage reads, which has done nothing.
  private mutating func appendStage(_ gathering: Stage.Gathering, output: StripShape) {
    var stage = current
    stage.gathering = gathering
    stage.output = output
    stages.append(stage)
    begin(with: .rows, from: output)
  }

  /// Ends the current stage unless it hands on what it reads.
  private mutating func endStageUnlessEmpty() {
    if current.steps.isEmpty, current.gathering == .rows, current.firstRow == 0,
      size == current.input.size
    {
      return
    }
    endStage()
    begin(with: .rows, from: stages[stages.count - 1].output)
  }

  private mutating func add(_ region: Region) {
    if region.width != size.width {
      current.steps.append(.cropColumns(region.x..<region.maxX))
    }
    current.firstRow += region.y
    size = region.size
  }

  private mutating func add(_ resampling: Resampling) {
    let (columns, rows) = resampling.weights(source: size)
    if hasAlpha { current.steps.append(.premultiply) }
    if let columns { current.steps.append(.resampleRow(columns)) }
    size.width = resampling.madeSize.width
    if let rows {
      endStage()
      begin(with: .resample(rows), from: stages[stages.count - 1].output)
      size.height = resampling.madeSize.height
    }
    if hasAlpha { current.steps.append(.unpremultiply) }
  }

  /// Adds a blur; a cut behind it leaves out columns between the two directions already.
  private mutating func add(_ kernel: BlurKernel, before next: FilterOperation?) {
    if hasAlpha { current.steps.append(.premultiply) }
    current.steps.append(.blurRow(kernel))
    if case .crop(let region)? = next, region.width != size.width {
      current.steps.append(.cropColumns(region.x..<region.maxX))
      size.width = region.width
    }
    endStage()
    begin(
      with: .blur(kernel, fromPlane: savedPictures * planesPerPicture),
      from: stages[stages.count - 1].output)
    if hasAlpha { current.steps.append(.unpremultiply) }
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
      if colorPlanes == 3 { add(.sum(LumaWeights.rec601)) }
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

extension ArraySlice<FilterOperation> {
  /// Whether a gray picture is still gray when the copy saved before is merged again.
  fileprivate var keepsGrayUntilMerged: Bool {
    var depth = 1
    for operation in self {
      switch operation {
      case .save: depth += 1
      case .sharpen, .mix: depth -= 1
      case .merge(let merge):
        if !merge.rule.keepsGray || !merge.parts.isEmpty { return false }
        depth -= 1
      case .layer, .adapt: return false
      case .curves(let curves): if !curves.isUniform { return false }
      case .matrix(let matrix): if matrix.onGray == nil { return false }
      case .map(let map): if !map.keepsGray { return false }
      case .area(let area): if !area.keepsGray { return false }
      case .extremum, .shade, .orient, .crop, .resample, .blur, .fade: break
      }
      if depth == 0 { return true }
    }
    return true
  }
}
