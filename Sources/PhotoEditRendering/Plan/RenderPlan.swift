// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

/// The executable form of a graph for one image: all passes, in order.
///
/// A plan is pure: the same operations and the same source give the same plan.
struct RenderPlan: Sendable, Hashable {
  /// The size and format of the decoded samples.
  var source: StripShape
  /// The operations that the passes execute.
  var operations: [FilterOperation]
  /// The background that alpha is composited over at the end, in the color space of the last
  /// operation's result.
  var background: SIMD3<Double>
  /// The passes, each fed by the previous one; the first one is fed by the decoder.
  var stages: [Stage]
  /// Indicates whether each pass reads only the previous one.
  var isChain: Bool
  /// The number of color planes of the result, one or three, without alpha.
  var outputPlanes: Int

  /// The size of the result.
  var outputSize: PixelSize { stages.last?.output.size ?? source.size }

  /// The output of the last stage.
  enum Result: Sendable, Hashable {
    /// 8-bit samples for the encoder, optionally with three channels even for a gray image.
    case bytes(expandingGray: Bool)
    /// The values of those samples before clamping.
    case floats
  }

  /// Creates a plan.
  ///
  /// - Parameters:
  ///   - operations: The operations of the lowered graph, with all rotations first.
  ///   - source: The size and layout of the decoded samples.
  ///   - background: The background that alpha is composited over at the end.
  ///   - isSimplified: Whether the operations may be merged and reordered where that is exact.
  init(
    _ operations: [FilterOperation], source: StripShape, background: SIMD3<Double>, result: Result,
    isSimplified: Bool = true
  ) {
    let image = SubgraphResult(decoded: source)
    let operations = isSimplified ? operations.simplified(for: image) : operations
    var builder = PlanBuilder(source: image)
    builder.add(operations)
    (self.source, self.operations, self.background) = (source, operations, background)
    isChain = true
    stages = builder.finished(background: background, result: result)
    outputPlanes = builder.colorPlanes
  }

  /// Creates a plan for several chains.
  ///
  /// - Parameters:
  ///   - parts: The parts of the lowered graph; in each, rotations are moved before operations
  ///     they do not depend on.
  ///   - orientation: The orientation of the source; every part reads the source with it applied.
  init(
    _ parts: [LoweredGraph.Part], source: StripShape, orientation: Orientation,
    background: SIMD3<Double>, result: Result, isSimplified: Bool = true
  ) {
    var stages: [Stage] = []
    var image = SubgraphResult(decoded: source)
    if orientation != .up {
      var builder = PlanBuilder(source: image)
      builder.add([.orient(orientation)])
      stages = builder.stages
      image = SubgraphResult(
        decoded: StripShape(size: orientation.applied(to: source.size), format: source.format),
        level: stages.count)
    }
    var results: [SubgraphResult] = []
    var last: PlanBuilder?
    for part in parts {
      let level = stages.count + 1
      var builder =
        switch part.source {
        case .image: PlanBuilder(source: image, firstLevel: level, parts: results)
        case .part(let index):
          PlanBuilder(source: results[index], firstLevel: level, parts: results)
        case .layer(let layer): PlanBuilder(generating: layer, firstLevel: level, parts: results)
        }
      let operations =
        isSimplified ? part.operations.simplified(for: builder.source) : part.operations
      builder.add(operations)
      if results.count == parts.count - 1 {
        stages += builder.finished(background: background, result: result)
        last = builder
      } else {
        let finished = builder.finishedPart(isMask: part.isMask)
        stages += finished.stages
        results.append(finished.result)
      }
    }
    self.source = source
    operations = parts.last?.operations ?? []
    self.background = background
    isChain = false
    self.stages = stages
    outputPlanes = last?.colorPlanes ?? image.colorPlanes
  }

  /// The passes after a rotation, which is a separate pass.
  var stagesAfterRotation: [Stage] {
    if case .rotation? = stages.first?.inputMapping { Array(stages.dropFirst()) } else { stages }
  }

  /// Returns the plan of some columns of the result, for a rotated source that starts at
  /// `firstColumn`.
  func tile(
    _ columns: Range<Int>, result: Result
  ) -> (plan: RenderPlan, firstColumn: Int) {
    var tileOperations = operations
    var shape = source
    if case .orient(let rotation)? = tileOperations.first {
      tileOperations.removeFirst()
      shape.size = rotation.applied(to: shape.size)
    }
    tileOperations.append(
      .crop(Region(x: columns.lowerBound, y: 0, width: columns.count, height: outputSize.height)))
    tileOperations = tileOperations.withCropsFirst(source: shape.size)
    var firstColumn = 0
    if case .crop(let region)? = tileOperations.first, region.y == 0,
      region.height == shape.size.height
    {
      tileOperations.removeFirst()
      firstColumn = region.x
      shape.size = region.size
    }
    return (
      RenderPlan(
        tileOperations, source: shape, background: background, result: result, isSimplified: false),
      firstColumn
    )
  }
}

extension Stage {
  /// Indicates whether a narrow part of the pass is a pass of the same kind.
  var canBeTiled: Bool {
    // A grid is computed from the whole image.
    if gridSpacing != nil { return false }
    return switch inputMapping {
    case .rotation, .area, .source: false
    case .rows, .blur, .resample: true
    }
  }
}
