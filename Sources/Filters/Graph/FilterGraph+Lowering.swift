// SPDX-License-Identifier: Apache-2.0
package import Pixels

extension FilterGraph {
  /// Turns the recipe into engine operations for a picture of some upright size.
  ///
  /// - Throws: `GraphObstacle` for the first node that cannot be rendered.
  package func lowered(size: PixelSize) throws(GraphObstacle) -> [FilterOperation] {
    try lowered(size: size) { _ in 1 }
  }

  /// Turns the recipe into engine operations whose lengths are scaled and whose places are not.
  ///
  /// - Parameters:
  ///   - size: Size of the upright picture that the recipe is for.
  ///   - scale: Rendered pixels per pixel of that picture, behind the operations it is given.
  package func lowered(
    size: PixelSize, scale: ([FilterOperation]) -> Double
  ) throws(GraphObstacle) -> [FilterOperation] {
    if let obstacle = obstacles.first { throw obstacle }
    var size = size
    var operations: [FilterOperation] = []
    for node in chain where node.isEnabled && node.opacity > 0 {
      let filter = try node.resolved()
      let steps: [FilterOperation]
      do {
        steps = try filter.lowered(in: LoweringContext(size: size, scale: scale(operations)))
      } catch {
        throw GraphObstacle(node: node.id, .parameter(error))
      }
      if node.opacity == 1 {
        operations += steps
      } else if !steps.isEmpty {
        guard steps.allSatisfy({ !$0.movesPixels }) else {
          throw GraphObstacle(node: node.id, .unsupported("opacity on a filter that moves pixels"))
        }
        operations += [.save] + steps + [.mix(opacity: node.opacity)]
      }
      for step in steps { size = step.outputSize(of: size) }
    }
    return operations
  }
}

extension FilterOperation {
  /// The size of the picture after this step.
  package func outputSize(of size: PixelSize) -> PixelSize {
    switch self {
    case .orient(let orientation): orientation.applied(to: size)
    case .crop(let region): region.size
    case .resample(let resampling): resampling.madeSize
    case .area(let area): area.outputSize(of: size)
    default: size
    }
  }

  /// Whether a pixel may end up somewhere else.
  var movesPixels: Bool {
    switch self {
    case .orient, .crop, .resample: true
    case .area(let area): area.movesPixels
    default: false
    }
  }
}
