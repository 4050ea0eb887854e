// SPDX-License-Identifier: Apache-2.0

/// A curve of adjacent parabolas, some with a horizontal axis; defined everywhere.
public struct PiecewiseQuadratic: Sendable, Hashable {
  /// One parabola, defined by its start.
  public struct Piece: Sendable, Hashable {
    /// The start, at d = x − start = 0.
    public var start: Double
    /// The value at the start.
    public var y: Double
    /// The slope at the start; 1/slope for a horizontal axis.
    public var slope: Double
    /// Half the second derivative.
    public var bend: Double
    /// Indicates whether it is y + u with slope·u + bend·u² = d, instead of y + slope·d + bend·d².
    public var hasHorizontalAxis = false

    /// Creates a piece.
    public init(
      start: Double, y: Double, slope: Double, bend: Double = 0, hasHorizontalAxis: Bool = false
    ) {
      self.start = start
      self.y = y
      self.slope = slope
      self.bend = bend
      self.hasHorizontalAxis = hasHorizontalAxis
    }

    /// Returns the value of the whole parabola at x.
    func callAsFunction(_ x: Double) -> Double {
      let d = x - start
      guard hasHorizontalAxis else { return y + d * (slope + bend * d) }
      return y + 2 * d / (slope + max(0, slope * slope + 4 * bend * d).squareRoot())
    }
  }

  /// The pieces with increasing starts; the first one also covers everything before its start.
  public let pieces: [Piece]

  /// Creates a curve of at least one piece.
  public init(_ pieces: [Piece]) {
    precondition(!pieces.isEmpty, "a curve needs a piece")
    self.pieces = pieces
  }

  /// Returns the value of the curve at x.
  public func callAsFunction(_ x: Double) -> Double {
    (pieces.dropFirst().last { x > $0.start } ?? pieces[0])(x)
  }
}
