// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

/// The executable form of a graph for one picture: passes in order, nothing left to decide.
///
/// A plan is pure: the same operations and the same source give the same plan.
struct RenderPlan: Sendable, Hashable {
  /// What the decoder delivers.
  var source: StripShape
  /// The recipe that the passes carry out.
  var operations: [FilterOperation]
  /// What alpha is composited over at the end, as numbers of what the last operation leaves.
  var background: SIMD3<Double>
  /// Passes, each fed by the one before; the first one is fed by the decoder.
  var stages: [Stage]
  /// Whether each pass reads the one before it and nothing else.
  var isChain: Bool
  /// Colour planes of the result, one or three; alpha is gone.
  var outputPlanes: Int

  /// Size of the result.
  var outputSize: PixelSize { stages.last?.output.size ?? source.size }

  /// What the last stage gives.
  enum Result: Sendable, Hashable {
    /// 8-bit samples for the encoder, three channels even for a gray picture if so wanted.
    case bytes(expandingGray: Bool)
    /// What those samples are made of, before they are cut.
    case floats
  }

  /// Makes a plan.
  ///
  /// - Parameters:
  ///   - operations: What the graph was lowered to, with all turns first.
  ///   - source: Size and layout as the decoder delivers them.
  ///   - background: What alpha is composited over at the end.
  ///   - isSimplified: Whether the operations may be joined and change places where that is exact.
  init(
    _ operations: [FilterOperation], source: StripShape, background: SIMD3<Double>, result: Result,
    isSimplified: Bool = true
  ) {
    let picture = PartResult(decoded: source)
    let operations = isSimplified ? operations.simplified(for: picture) : operations
    var builder = PlanBuilder(source: picture)
    builder.add(operations)
    self.source = source
    self.operations = operations
    self.background = background
    isChain = true
    stages = builder.finished(background: background, result: result)
    outputPlanes = builder.colorPlanes
  }

  /// Makes a plan for several chains.
  ///
  /// - Parameters:
  ///   - parts: What a graph was lowered to; in each, turns come before what they need not wait for.
  ///   - orientation: How the source lies; every part reads it upright.
  init(
    _ parts: [LoweredGraph.Part], source: StripShape, orientation: Orientation,
    background: SIMD3<Double>, result: Result, isSimplified: Bool = true
  ) {
    var stages: [Stage] = []
    var picture = PartResult(decoded: source)
    if orientation != .up {
      var builder = PlanBuilder(source: picture)
      builder.add([.orient(orientation)])
      stages = builder.stages
      picture = PartResult(
        decoded: StripShape(size: orientation.applied(to: source.size), format: source.format),
        level: stages.count)
    }
    var results: [PartResult] = []
    var last: PlanBuilder?
    for part in parts {
      let level = stages.count + 1
      var builder =
        switch part.source {
        case .picture: PlanBuilder(source: picture, firstLevel: level, parts: results)
        case .part(let index):
          PlanBuilder(source: results[index], firstLevel: level, parts: results)
        case .layer(let layer): PlanBuilder(making: layer, firstLevel: level, parts: results)
        }
      let operations =
        isSimplified ? part.operations.simplified(for: builder.source) : part.operations
      builder.add(operations)
      if results.count == parts.count - 1 {
        stages += builder.finished(background: background, result: result)
        last = builder
      } else {
        let made = builder.finishedPart(isMask: part.isMask)
        stages += made.stages
        results.append(made.result)
      }
    }
    self.source = source
    operations = parts.last?.operations ?? []
    self.background = background
    isChain = false
    self.stages = stages
    outputPlanes = last?.colorPlanes ?? picture.colorPlanes
  }
}

extension Stage {
  /// Whether a narrow part of the pass is a pass of the same kind.
  var canBeTiled: Bool {
    // A grid is made of the whole picture.
    if gridSpacing != nil { return false }
    return switch gathering {
    case .turn, .area, .source: false
    case .rows, .blur, .resample: true
    }
  }
}

extension RenderPlan {
  /// The passes behind a turn, which is a pass of its own.
  var stagesAfterTurn: [Stage] {
    if case .turn? = stages.first?.gathering { Array(stages.dropFirst()) } else { stages }
  }

  /// The plan of some columns of the result, for a turned source that begins at `firstColumn`.
  func tile(
    _ columns: Range<Int>, result: Result
  ) -> (plan: RenderPlan, firstColumn: Int) {
    var recipe = operations
    var shape = source
    if case .orient(let turn)? = recipe.first {
      recipe.removeFirst()
      shape.size = turn.applied(to: shape.size)
    }
    recipe.append(
      .crop(Region(x: columns.lowerBound, y: 0, width: columns.count, height: outputSize.height)))
    recipe = recipe.withCropsFirst(source: shape.size)
    var firstColumn = 0
    if case .crop(let region)? = recipe.first, region.y == 0, region.height == shape.size.height {
      recipe.removeFirst()
      firstColumn = region.x
      shape.size = region.size
    }
    return (
      RenderPlan(
        recipe, source: shape, background: background, result: result, isSimplified: false),
      firstColumn
    )
  }
}
