// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels

/// A graph as chains of operations: parts that begin with the picture, with an earlier part or with
/// something made for them, and of which the last one is the result.
package struct LoweredGraph: Sendable, Hashable {
  /// What a part begins with.
  package enum Source: Sendable, Hashable {
    /// The picture, upright.
    case picture
    /// The result of an earlier part.
    case part(Int)
    /// What a layer begins with.
    case layer(Layer.Source)
  }

  /// One chain.
  package struct Part: Sendable, Hashable {
    /// What it begins with.
    package var source: Source
    /// What is done, in order.
    package var operations: [FilterOperation]
    /// Whether the result is one plane of coverage, 0 to 1.
    package var isMask = false

    /// Makes a chain.
    package init(source: Source, operations: [FilterOperation], isMask: Bool = false) {
      self.source = source
      self.operations = operations
      self.isMask = isMask
    }
  }

  /// The parts; each uses only earlier ones.
  package var parts: [Part]

  /// Makes a graph of parts.
  package init(parts: [Part]) { self.parts = parts }

  /// Whether there is nothing but a chain that begins with the picture.
  package var isChain: Bool { parts.count == 1 && parts[0].source == .picture }
}

extension LoweredGraph {
  /// What each part begins and ends with.
  ///
  /// - Parameter picture: Size of the upright picture.
  package func sizes(picture: PixelSize) -> (sources: [PixelSize], results: [PixelSize]) {
    var sources: [PixelSize] = []
    var results: [PixelSize] = []
    for part in parts {
      let source =
        switch part.source {
        case .picture: picture
        case .part(let index): results[index]
        case .layer(.picture(let picture)): picture.storedSize
        case .layer(.coverage(let coverage)): coverage.size
        case .layer(.input): preconditionFailure("a layer of the input is a part")
        }
      sources.append(source)
      results.append(part.operations.reduce(source) { $1.outputSize(of: $0) })
    }
    return (sources, results)
  }
}
