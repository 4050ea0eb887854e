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
      self.source = source
      self.operations = operations
      self.isMask = isMask
    }
  }

  /// The parts; each uses only earlier ones.
  package var parts: [Part]

  /// Creates a graph from parts.
  package init(parts: [Part]) { self.parts = parts }

  /// Indicates whether it is a single chain that starts with the source image.
  package var isChain: Bool { parts.count == 1 && parts[0].source == .image }
}

extension LoweredGraph {
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
