// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// A step that computes each pixel from the surrounding pixels.
public enum NeighborhoodOperation: Sendable, Hashable {
  /// The mean of a square of 2r + 1 pixels a side; samples are clamped to −2048…2048.
  case box(radius: Int)
  /// The median of such a square, plane by plane; the radius is at most 15.
  case median(radius: Int)
  /// A mean of neighbors of similar color.
  case bilateral(BilateralFilter)
  /// A mean of pixels with similar surroundings.
  case patches(NonLocalMeans)
  /// A weighted sum; alpha is averaged, unless the weights sum to zero.
  case correlation(Correlation)
  /// The gradient of each plane; alpha is unchanged.
  case gradient(Gradient)
  /// Local contrast or local tone, by a guided filter of the luma.
  case guided(LocalToneMapping)

  var facts: any NeighborSummary {
    switch self {
    case .box(let radius): SquareFacts(what: "mean", radius: radius)
    case .median(let radius): SquareFacts(what: "median", radius: radius)
    case .bilateral(let mean): mean
    case .patches(let mean): mean
    case .correlation(let correlation): correlation
    case .gradient(let gradient): gradient
    case .guided(let tone): tone
    }
  }
}

/// The properties used for planning a step that depends on a fixed number of pixels on each side.
protocol NeighborSummary: AreaFacts {
  /// The number of pixels on each side that a pixel depends on.
  var margin: Int { get }
}

extension NeighborSummary {
  package var neighbors: Int? { margin }

  package func inputRows(for rows: Range<Int>, input: PixelSize) -> Range<Int> {
    max(0, rows.lowerBound - margin)..<min(input.height, rows.upperBound + margin)
  }

  package var rowsAtOnce: Int { min(max(16, 4 * margin), 256) }

  /// "5×5" for a margin of 2.
  var square: String { "\(2 * margin + 1)×\(2 * margin + 1)" }
}

/// A mean or a median of a square, which is invariant under rotation.
private struct SquareFacts: NeighborSummary {
  let what: String
  let radius: Int

  var margin: Int { radius }
  var summary: String { "\(what) of \(square) pixels" }

  func rotatedArea(by orientation: Orientation) -> AreaOperation? {
    .neighborhood(what == "mean" ? .box(radius: radius) : .median(radius: radius))
  }
}
