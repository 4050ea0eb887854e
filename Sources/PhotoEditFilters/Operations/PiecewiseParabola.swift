// SPDX-License-Identifier: Apache-2.0

/// A curve of parabolas side by side, some of them lying on their side; defined everywhere.
public struct PiecewiseParabola: Sendable, Hashable {
  /// One parabola, given where it begins.
  public struct Piece: Sendable, Hashable {
    /// Where it begins, at d = x − start = 0.
    public var start: Double
    /// The value there.
    public var y: Double
    /// The slope there; 1/slope where it lies on its side.
    public var slope: Double
    /// Half of the second derivative.
    public var bend: Double
    /// Whether it is y + u with slope·u + bend·u² = d, instead of y + slope·d + bend·d².
    public var liesOnItsSide = false

    /// Makes a piece.
    public init(
      start: Double, y: Double, slope: Double, bend: Double = 0, liesOnItsSide: Bool = false
    ) {
      self.start = start
      self.y = y
      self.slope = slope
      self.bend = bend
      self.liesOnItsSide = liesOnItsSide
    }

    /// The value of the whole parabola at x.
    func callAsFunction(_ x: Double) -> Double {
      let d = x - start
      guard liesOnItsSide else { return y + d * (slope + bend * d) }
      return y + 2 * d / (slope + max(0, slope * slope + 4 * bend * d).squareRoot())
    }
  }

  /// The pieces with rising starts; the first one also holds everything below its own.
  public let pieces: [Piece]

  /// Makes a curve of at least one piece.
  public init(_ pieces: [Piece]) {
    precondition(!pieces.isEmpty, "a curve needs a piece")
    self.pieces = pieces
  }

  /// The height of the curve at x.
  public func callAsFunction(_ x: Double) -> Double {
    (pieces.dropFirst().last { x > $0.start } ?? pieces[0])(x)
  }
}
