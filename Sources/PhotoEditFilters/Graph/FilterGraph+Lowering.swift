// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels

extension FilterGraph {
  /// Converts the graph to engine operations, with lengths scaled and positions unscaled.
  ///
  /// - Parameters:
  ///   - size: Size of the image that the graph is rendered for, with its orientation applied.
  ///   - assets: The contents of the attachments, by name.
  ///   - placeScale: Pixels of the image per pixel of the one that rectangles and sizes in whole
  ///     pixels refer to.
  ///   - space: The color space of the image.
  ///   - scale: Rendered pixels per pixel of that image, after the given operations.
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
  /// Returns the size of the rendered image.
  ///
  /// - Parameter size: Size of the image with its orientation applied.
  /// - Throws: `GraphObstacle` for the first node that cannot be rendered.
  package func resultSize(
    of size: PixelSize, assets: [String: AssetContent] = [:]
  ) throws(GraphObstacle) -> PixelSize {
    try lowered(size: size, assets: assets).sizes(picture: size).results.last ?? size
  }
}

extension FilterOperation {
  /// Returns the size of the image after this step.
  package func outputSize(of size: PixelSize) -> PixelSize {
    switch self {
    case .orient(let orientation): orientation.applied(to: size)
    case .crop(let region): region.size
    case .resample(let resampling): resampling.madeSize
    case .area(let area): area.facts.outputSize(of: size)
    default: size
    }
  }

  /// Indicates whether pixels may move.
  package var movesPixels: Bool {
    switch self {
    case .orient, .crop, .resample: true
    case .area(let area): area.facts.movesPixels
    default: false
    }
  }
}
