// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels

/// A graph as chains of operations: parts that start with the source image, an earlier part or a
/// generated layer.
///
/// The last part is the result.
package struct LoweredGraph: Sendable, Hashable {
  /// The input of a part.
  package enum Source: Sendable, Hashable {
    /// The source image, with its orientation applied.
    case image
    /// The result of an earlier part.
    case part(Int)
    /// The source of a layer.
    case layer(Layer.Source)
  }

  /// One chain.
  package struct Part: Sendable, Hashable {
    /// The input.
    package var source: Source
    /// The operations, in order.
    package var operations: [FilterOperation]
    /// Indicates whether the result is a mask of one plane, 0 to 1.
    package var isMask = false

    /// Creates a chain.
    package init(source: Source, operations: [FilterOperation], isMask: Bool = false) {
      (self.source, self.operations, self.isMask) = (source, operations, isMask)
    }
  }

  /// The parts; each uses only earlier ones.
  package var parts: [Part]

  /// Creates a graph from parts.
  package init(parts: [Part]) { self.parts = parts }

  /// Indicates whether it is a single chain that starts with the source image.
  package var isChain: Bool { parts.count == 1 && parts[0].source == .image }

  /// Returns the input and output sizes of each part.
  ///
  /// - Parameter image: Size of the source image with its orientation applied.
  package func sizes(image: PixelSize) -> (sources: [PixelSize], results: [PixelSize]) {
    var sources: [PixelSize] = []
    var results: [PixelSize] = []
    for part in parts {
      let source =
        switch part.source {
        case .image: image
        case .part(let index): results[index]
        case .layer(.image(let image)): image.storedSize
        case .layer(.mask(let mask)): mask.size
        case .layer(.input): preconditionFailure("each input layer must be a part")
        }
      sources.append(source)
      results.append(part.operations.reduce(source) { $1.outputSize(of: $0) })
    }
    return (sources, results)
  }
}

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
