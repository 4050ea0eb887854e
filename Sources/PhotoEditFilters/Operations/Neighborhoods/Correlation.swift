// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels

/// A square of weights applied to the neighbors of each pixel without mirroring (correlation).
public struct Correlation: Sendable, Hashable {
  /// The weights row by row; their count is the square of an odd number.
  public let weights: [Double]
  /// The bias added to each sum.
  public let bias: Double

  /// Creates a kernel.
  public init(_ weights: [Double], bias: Double = 0) {
    let side = Self.side(weights.count)
    precondition(side * side == weights.count && side % 2 == 1, "a kernel is an odd square")
    self.weights = weights
    self.bias = bias
  }

  /// The number of neighbors on each side.
  public var reach: Int { Self.side(weights.count) / 2 }

  /// The sum of the weights; zero if only a rounding error remains.
  package var sum: Double {
    let sum = weights.reduce(0, +)
    return abs(sum) > 1e-12 * weights.reduce(0) { $0 + abs($1) } ? sum : 0
  }

  /// Returns the weight of a neighbor.
  package func weight(column: Int, row: Int) -> Double {
    weights[(row + reach) * (2 * reach + 1) + column + reach]
  }

  private static func side(_ count: Int) -> Int {
    var side = 1
    while side * side < count { side += 2 }
    return side
  }
}

extension Correlation: NeighborSummary {
  var margin: Int { reach }
  package var summary: String { "kernel of \(square)" }

  package func rotatedArea(by orientation: Orientation) -> AreaOperation? {
    let m = orientation.matrix
    let rotated = (-reach...reach).flatMap { y in
      (-reach...reach).map { x in
        weight(column: m.xx * x + m.xy * y, row: m.yx * x + m.yy * y)
      }
    }
    return .neighborhood(.correlation(Correlation(rotated, bias: bias)))
  }
}
