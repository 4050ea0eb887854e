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
      (self.start, self.y, self.slope, self.bend) = (start, y, slope, bend)
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

/// The curves of tonal ranges, as parabolas; nil if a value has no effect.
///
/// Every amount is 1 for no effect, and at least 0.01 as a slope, so that tones remain distinct.
///
/// - Source: OpenColorIO 2.6, GradingToneTransform with style video: mids, highlights, whites,
///   shadows, blacks and S-contrast with their default positions.
enum GradingTone {
  typealias Piece = PiecewiseQuadratic.Piece

  /// The range of tones that the parameters refer to.
  private static let range = (black: 0.0, white: 1.0)
  private static let leastSlope = 0.01

  /// Returns a line, parabolas between positions with given slopes, and a line.
  ///
  /// The value at the first position is given; the values at the others follow from the slopes.
  private static func smooth(
    from y: Double, _ points: [(x: Double, slope: Double)]
  ) -> [Piece] {
    var pieces = [Piece(start: points[0].x, y: y, slope: points[0].slope)]
    var y = y
    for (left, right) in zip(points, points.dropFirst()) {
      let width = right.x - left.x
      pieces.append(
        Piece(
          start: left.x, y: y, slope: left.slope, bend: (right.slope - left.slope) / 2 / width))
      y += (left.slope + right.slope) / 2 * width
    }
    let last = points[points.count - 1]
    pieces.append(Piece(start: last.x, y: y, slope: last.slope))
    return pieces
  }

  // MARK: Midtones

  /// Returns a curve whose slope increases on one side of the middle and decreases equally on the
  /// other; black and white are fixed.
  static func midtones(_ value: Double) -> PiecewiseQuadratic? {
    if value == 1 { return nil }
    let (center, width) = (0.4, 0.7)
    let x = [
      range.black, center - width / 2, center - width / 4, center + width / 4, center + width / 2,
      range.white,
    ]
    // Slopes in the middle stay above one tenth, and those of the flanks change by two fifths as
    // much.
    let rise = (value - 1) * 0.9
    let (inner, outer, flank) = (1 + rise, 1 - rise, 1 + 0.4 * rise)
    /// The height of the curve above the diagonal at the center.
    let gained =
      (x[1] - x[0]) * (flank - 1) / 2 + (x[2] - x[1]) * ((flank - 1) + (inner - flank) / 2)
      + (center - x[2]) * (inner - 1) / 2
    // The last slope compensates for the gain, so that the curve reaches white again.
    let back =
      ((x[4] - x[3]) * (outer / 2 - 1) - (x[5] - x[4]) / 2 + (x[3] - center) * (outer - 1) / 2
        + gained) / ((x[3] - x[5]) / 2)
    return PiecewiseQuadratic(
      smooth(
        from: x[0],
        [(x[0], 1), (x[1], flank), (x[2], inner), (x[3], outer), (x[4], back), (x[5], 1)]))
  }

  // MARK: Highlights and shadows

  /// Returns a curve whose slope changes from 0.2 to white, which is fixed.
  static func highlights(_ value: Double) -> PiecewiseQuadratic? {
    highlightCurve(value, from: 0.2)
  }

  /// Returns a curve whose slope changes from a start to white, which is fixed.
  static func highlightCurve(_ value: Double, from start: Double) -> PiecewiseQuadratic? {
    // The slope at white decreases as highlights increase.
    joinedParabolas(from: start, to: range.white, slope: 2 - value, isAtEnd: true)
  }

  /// Returns a curve whose slope changes from 0.6 down to black, which is fixed.
  static func shadows(_ value: Double) -> PiecewiseQuadratic? { shadowCurve(value, from: 0.6) }

  /// Returns a curve whose slope changes from a start down to black, which is fixed.
  static func shadowCurve(_ value: Double, from start: Double) -> PiecewiseQuadratic? {
    joinedParabolas(from: range.black, to: start, slope: value, isAtEnd: false)
  }

  /// Returns two parabolas that join in the middle of x₀…x₂; both ends are fixed.
  ///
  /// - Parameter slope: The slope at one end; the slope at the other end is 1. Above 1, the curve
  ///   of the slope 2 − s is mirrored at the diagonal.
  private static func joinedParabolas(
    from x0: Double, to x2: Double, slope: Double, isAtEnd: Bool
  ) -> PiecewiseQuadratic? {
    if slope == 1 { return nil }
    let end = max(leastSlope, slope < 1 ? slope : 2 - slope)
    let (m0, m2) = isAtEnd ? (1, end) : (end, 1)
    let x1 = (x0 + x2) / 2
    // The slope in the middle for which the curve reaches the height x₂ again.
    let m1 = 2 - (m0 + m2) / 2
    let pieces = smooth(from: x0, [(x0, m0), (x1, m1), (x2, m2)])
    return PiecewiseQuadratic(slope < 1 ? pieces : pieces.map(\.mirrored))
  }

  // MARK: Whites and blacks

  /// Returns a curve whose slope changes from 0.5, as moved by highlights, to white, and continues
  /// above it.
  static func whites(_ value: Double, highlights: Double) -> PiecewiseQuadratic? {
    if value == 1 { return nil }
    let x0 = Self.highlights(highlights)?(0.5) ?? 0.5
    let x1 = range.white
    if value < 1 {
      return PiecewiseQuadratic(smooth(from: x0, [(x0, 1), (x1, max(leastSlope, value))]))
    }
    let m1 = max(leastSlope, 2 - value)
    let gain = (1 + m1) / 2
    let bend = (m1 - 1) / 2 / (x1 - x0) * gain
    // Above white the slope keeps increasing as it did over the last hundredth.
    let near = 1 / (1 + 0.99 * (m1 - 1))
    let rise = (1 / m1 - near) / 2 / ((x1 - x0) * 0.01)
    return PiecewiseQuadratic([
      Piece(start: x0, y: x0, slope: 1),
      Piece(start: x0, y: x0, slope: 1, bend: bend, hasHorizontalAxis: true),
      Piece(start: x1, y: x0 + (x1 - x0) / gain, slope: 1 / m1, bend: rise),
    ])
  }

  /// Returns a curve whose slope changes from 0.4, as moved by shadows, down to black; below, it is
  /// a line.
  static func blacks(_ value: Double, shadows: Double) -> PiecewiseQuadratic? {
    if value == 1 { return nil }
    let x0 = range.black
    let x1 = Self.shadows(shadows)?(0.4) ?? 0.4
    let m0 = max(leastSlope, value > 1 ? 2 - value : value)
    let gain = (1 + m0) / 2
    if value > 1 {
      return PiecewiseQuadratic(smooth(from: x1 - gain * (x1 - x0), [(x0, m0), (x1, 1)]))
    }
    let y0 = x1 - (x1 - x0) / gain
    let bend = (1 - m0) / 2 / (x1 - x0) * gain
    return PiecewiseQuadratic([
      Piece(start: x0, y: y0, slope: m0, hasHorizontalAxis: true),
      Piece(start: x0, y: y0, slope: m0, bend: bend, hasHorizontalAxis: true),
      Piece(start: x1, y: x1, slope: 1),
    ])
  }

  // MARK: Contrast

  /// Returns a line through 0.4 that bends before it reaches black and white, which are fixed.
  static func contrast(_ value: Double) -> PiecewiseQuadratic? {
    if value == 1 { return nil }
    let pivot = 0.4
    // Slopes range from 0.288 to 5.13: at the ends they are the inverse, and the order of tones
    // must be preserved.
    let slope = value > 1 ? 1 / (1.8125 - 0.8125 * value) : 0.28125 + 0.71875 * value
    let bottom = shoulder(of: slope, height: pivot - range.black)
    let top = shoulder(of: slope, height: range.white - pivot)
    // The upper shoulder unchanged; the lower one is point-symmetric about the pivot.
    return PiecewiseQuadratic(
      smooth(
        from: pivot - bottom.height,
        [
          (pivot - bottom.end, bottom.slope), (pivot - bottom.start, slope),
          (pivot + top.start, slope), (pivot + top.end, top.slope),
        ]))
  }

  /// Returns the start and end of the bend of a line through the origin, and the slope and height
  /// at its end.
  ///
  /// - Parameter height: The height at which the curve meets the diagonal again.
  private static func shoulder(
    of slope: Double, height: Double
  ) -> (start: Double, end: Double, slope: Double, height: Double) {
    // The bend starts at a quarter of the height and ends where it reaches the inverse slope; it is
    // centered on the intersection of both lines.
    let start = height / 4 / slope
    let meeting = height / (slope + 1)
    var last = 1 / slope
    var end = 2 * meeting - start
    let least = (height - start) * 0.3
    if end - start < least {
      end = start + least
      last = (height - (start + end) / 2 * slope) / (height - (start + end) / 2)
    }
    return (start, end, last, start * slope + (slope + last) / 2 * (end - start))
  }
}

extension PiecewiseQuadratic.Piece {
  /// The piece mirrored at the diagonal, starting at its height.
  fileprivate var mirrored: Self {
    Self(start: y, y: start, slope: slope, bend: bend, hasHorizontalAxis: !hasHorizontalAxis)
  }
}
