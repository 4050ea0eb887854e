// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// A step that makes each pixel of the pixels around it.
public enum Neighbourhood: Sendable, Hashable {
  /// The mean of a square of 2r + 1 pixels a side; samples count from −2048 to 2048.
  case box(radius: Int)
  /// The median of such a square, plane by plane; the radius is at most 15.
  case median(radius: Int)
  /// A mean of neighbours of like colour.
  case bilateral(BilateralMean)
  /// A mean of pixels whose surroundings look alike.
  case patches(PatchMean)
  /// A weighted sum; alpha is averaged, unless the weights sum to zero.
  case correlation(Correlation)
  /// The slope of each plane; alpha stays.
  case gradient(Gradient)
  /// Local contrast or local tone, by a guided filter of the luma.
  case guided(GuidedTone)

  var facts: any NeighborFacts {
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

/// What planning asks of a step that makes each pixel of so many on each side.
protocol NeighborFacts: AreaFacts {
  /// Pixels on each side that one depends on.
  var margin: Int { get }
}

extension NeighborFacts {
  package var neighbors: Int? { margin }

  package func inputRows(for rows: Range<Int>, input: PixelSize) -> Range<Int> {
    max(0, rows.lowerBound - margin)..<min(input.height, rows.upperBound + margin)
  }

  package var rowsAtOnce: Int { min(max(16, 4 * margin), 256) }

  /// "5×5" for a margin of 2.
  var square: String { "\(2 * margin + 1)×\(2 * margin + 1)" }
}

/// A mean or a median of a square, which looks the same from every side.
private struct SquareFacts: NeighborFacts {
  let what: String
  let radius: Int

  var margin: Int { radius }
  var summary: String { "\(what) of \(square) pixels" }

  func turnedArea(by turn: Orientation) -> AreaOperation? {
    .neighbourhood(what == "mean" ? .box(radius: radius) : .median(radius: radius))
  }
}
