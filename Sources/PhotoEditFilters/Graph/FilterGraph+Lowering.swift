// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels

extension FilterGraph {
  /// Turns the recipe into engine operations whose lengths are scaled and whose places are not.
  ///
  /// - Parameters:
  ///   - size: Size of the upright picture that the recipe is for.
  ///   - assets: What the assets hold, by their names.
  ///   - placeScale: Pixels of the picture per pixel of the one that rectangles and sizes in whole
  ///     pixels are meant for.
  ///   - space: What the numbers of the picture mean.
  ///   - scale: Rendered pixels per pixel of that picture, behind the operations it is given.
  /// - Throws: `GraphObstacle` for the first node that cannot be rendered.
  package func lowered(
    size: PixelSize, assets: [String: AssetContent] = [:], placeScale: Double = 1,
    space: WorkingSpace = .sRGB, scale: @escaping ([FilterOperation]) -> Double = { _ in 1 }
  ) throws(GraphObstacle) -> LoweredGraph {
    if let obstacle = obstacles.first { throw obstacle }
    var lowering = GraphLowering(
      self, size: size, assets: assets, placeScale: placeScale, space: space, scale: scale)
    return try lowering.lowered()
  }
}

extension FilterGraph {
  /// The size of what the recipe makes of a picture.
  ///
  /// - Parameter size: Size of the upright picture.
  /// - Throws: `GraphObstacle` for the first node that cannot be rendered.
  package func resultSize(
    of size: PixelSize, assets: [String: AssetContent] = [:]
  ) throws(GraphObstacle) -> PixelSize {
    try lowered(size: size, assets: assets).sizes(picture: size).results.last ?? size
  }
}

extension FilterOperation {
  /// The size of the picture after this step.
  package func outputSize(of size: PixelSize) -> PixelSize {
    switch self {
    case .orient(let orientation): orientation.applied(to: size)
    case .crop(let region): region.size
    case .resample(let resampling): resampling.madeSize
    case .area(let area): area.facts.outputSize(of: size)
    default: size
    }
  }

  /// Whether a pixel may end up somewhere else.
  package var movesPixels: Bool {
    switch self {
    case .orient, .crop, .resample: true
    case .area(let area): area.facts.movesPixels
    default: false
    }
  }
}
