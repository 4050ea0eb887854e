// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels

extension FilterGraph {
  /// Converts the graph to engine operations, with lengths scaled and positions unscaled.
  ///
  /// - Parameters:
  ///   - size: Size of the image that the graph is rendered for, with its orientation applied.
  ///   - assets: The contents of the attachments, by name.
  ///   - coordinateScale: Pixels of the image per pixel of the one that rectangles and sizes in whole
  ///     pixels refer to.
  ///   - space: The color space of the image.
  ///   - scale: Rendered pixels per pixel of that image, after the given operations.
  /// - Throws: `UnsupportedNode` for the first node that cannot be rendered.
  package func lowered(
    size: PixelSize, assets: [String: AttachmentContent] = [:], coordinateScale: Double = 1,
    space: WorkingSpace = .sRGB, scale: @escaping ([FilterOperation]) -> Double = { _ in 1 }
  ) throws(UnsupportedNode) -> LoweredGraph {
    if let unsupported = blockingReasons.first { throw unsupported }
    var lowering = GraphLowering(
      self, size: size, assets: assets, coordinateScale: coordinateScale, space: space, scale: scale
    )
    return try lowering.lowered()
  }
}

extension FilterGraph {
  /// Returns the size of the rendered image.
  ///
  /// - Parameter size: Size of the image with its orientation applied.
  /// - Throws: `UnsupportedNode` for the first node that cannot be rendered.
  package func resultSize(
    of size: PixelSize, assets: [String: AttachmentContent] = [:]
  ) throws(UnsupportedNode) -> PixelSize {
    try lowered(size: size, assets: assets).sizes(image: size).results.last ?? size
  }
}

extension FilterOperation {
  /// Returns the size of the image after this step.
  package func outputSize(of size: PixelSize) -> PixelSize {
    switch self {
    case .orient(let orientation): orientation.applied(to: size)
    case .crop(let region): region.size
    case .resample(let resampling): resampling.computedSize
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
