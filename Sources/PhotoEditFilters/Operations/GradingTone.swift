// SPDX-License-Identifier: Apache-2.0

/// The curves of tonal ranges, as parabolas; nil where a value changes nothing.
///
/// Every amount is 1 where nothing changes, and at least 0.01 as a slope, so that tones stay apart.
///
/// - Source: OpenColorIO 2.6, GradingToneTransform with style video: mids, highlights, whites,
///   shadows, blacks and S-contrast with their default places.
enum GradingTone {
  typealias Piece = PiecewiseParabola.Piece

  /// The range of tones that the parameters speak of.
  private static let range = (black: 0.0, white: 1.0)
  private static let leastSlope = 0.01

  /// A line, parabolas between places whose slopes are given, and a line.
  ///
  /// The height at the first place is given; heights at the others follow from the slopes.
  private static func smooth(
    from y: Double, _ places: [(x: Double, slope: Double)]
  ) -> [Piece] {
    var pieces = [Piece(start: places[0].x, y: y, slope: places[0].slope)]
    var y = y
    for (left, right) in zip(places, places.dropFirst()) {
      let width = right.x - left.x
      pieces.append(
        Piece(
          start: left.x, y: y, slope: left.slope, bend: (right.slope - left.slope) / 2 / width))
      y += (left.slope + right.slope) / 2 * width
    }
    let last = places[places.count - 1]
    pieces.append(Piece(start: last.x, y: y, slope: last.slope))
    return pieces
  }

  // MARK: Midtones

  /// Slopes rise on one side of the middle as much as they fall on the other; black and white stay.
  static func midtones(_ value: Double) -> PiecewiseParabola? {
    if value == 1 { return nil }
    let (center, width) = (0.4, 0.7)
    let x = [
      range.black, center - width / 2, center - width / 4, center + width / 4, center + width / 2,
      range.white,
    ]
    // Slopes of the middle stay above a tenth, and those of its flanks follow by two fifths.
    let rise = (value - 1) * 0.9
    let (inner, outer, flank) = (1 + rise, 1 - rise, 1 + 0.4 * rise)
    /// How much higher the curve lies at the centre than the diagonal.
    let gained =
      (x[1] - x[0]) * (flank - 1) / 2 + (x[2] - x[1]) * ((flank - 1) + (inner - flank) / 2)
      + (center - x[2]) * (inner - 1) / 2
    // The last slope takes back what was gained, so that white is met again.
    let back =
      ((x[4] - x[3]) * (outer / 2 - 1) - (x[5] - x[4]) / 2 + (x[3] - center) * (outer - 1) / 2
        + gained) / ((x[3] - x[5]) / 2)
    return PiecewiseParabola(
      smooth(
        from: x[0],
        [(x[0], 1), (x[1], flank), (x[2], inner), (x[3], outer), (x[4], back), (x[5], 1)]))
  }

  // MARK: Highlights and shadows

  /// From 0.2 on slopes change until white, which stays.
  static func highlights(_ value: Double) -> PiecewiseParabola? {
    // The slope at white falls as highlights rise.
    halves(from: 0.2, to: range.white, slope: 2 - value, isAtEnd: true)
  }

  /// From 0.6 down slopes change until black, which stays.
  static func shadows(_ value: Double) -> PiecewiseParabola? {
    halves(from: range.black, to: 0.6, slope: value, isAtEnd: false)
  }

  /// Two parabolas that meet in the middle of x₀…x₂, both of which stay where they are.
  ///
  /// - Parameter slope: The slope at one end, that at the other being 1; above 1 the curve of the
  ///   slope 2 − s is mirrored at the diagonal.
  private static func halves(
    from x0: Double, to x2: Double, slope: Double, isAtEnd: Bool
  ) -> PiecewiseParabola? {
    if slope == 1 { return nil }
    let end = max(leastSlope, slope < 1 ? slope : 2 - slope)
    let (m0, m2) = isAtEnd ? (1, end) : (end, 1)
    let x1 = (x0 + x2) / 2
    // The slope in the middle that leads to the height x₂ again.
    let m1 = 2 - (m0 + m2) / 2
    let pieces = smooth(from: x0, [(x0, m0), (x1, m1), (x2, m2)])
    return PiecewiseParabola(slope < 1 ? pieces : pieces.map(\.mirrored))
  }

  // MARK: Whites and blacks

  /// From 0.5 on, as highlights move it, slopes change until white; they go on behind.
  static func whites(_ value: Double, highlights: Double) -> PiecewiseParabola? {
    if value == 1 { return nil }
    let x0 = Self.highlights(highlights)?(0.5) ?? 0.5
    let x1 = range.white
    if value < 1 {
      return PiecewiseParabola(smooth(from: x0, [(x0, 1), (x1, max(leastSlope, value))]))
    }
    let m1 = max(leastSlope, 2 - value)
    let gain = (1 + m1) / 2
    let bend = (m1 - 1) / 2 / (x1 - x0) * gain
    // Beyond white the slope goes on rising as it did over the last hundredth.
    let near = 1 / (1 + 0.99 * (m1 - 1))
    let rise = (1 / m1 - near) / 2 / ((x1 - x0) * 0.01)
    return PiecewiseParabola([
      Piece(start: x0, y: x0, slope: 1),
      Piece(start: x0, y: x0, slope: 1, bend: bend, liesOnItsSide: true),
      Piece(start: x1, y: x0 + (x1 - x0) / gain, slope: 1 / m1, bend: rise),
    ])
  }

  /// From 0.4 down, as shadows move it, slopes change until black; a line goes on below.
  static func blacks(_ value: Double, shadows: Double) -> PiecewiseParabola? {
    if value == 1 { return nil }
    let x0 = range.black
    let x1 = Self.shadows(shadows)?(0.4) ?? 0.4
    let m0 = max(leastSlope, value > 1 ? 2 - value : value)
    let gain = (1 + m0) / 2
    if value > 1 {
      return PiecewiseParabola(smooth(from: x1 - gain * (x1 - x0), [(x0, m0), (x1, 1)]))
    }
    let y0 = x1 - (x1 - x0) / gain
    let bend = (1 - m0) / 2 / (x1 - x0) * gain
    return PiecewiseParabola([
      Piece(start: x0, y: y0, slope: m0, liesOnItsSide: true),
      Piece(start: x0, y: y0, slope: m0, bend: bend, liesOnItsSide: true),
      Piece(start: x1, y: x1, slope: 1),
    ])
  }

  // MARK: Contrast

  /// A line through 0.4 that bends before it meets black and white, which stay.
  static func contrast(_ value: Double) -> PiecewiseParabola? {
    if value == 1 { return nil }
    let pivot = 0.4
    // Slopes from 0.288 to 5.13: at the ends they are the inverse, and tones must not turn round.
    let slope = value > 1 ? 1 / (1.8125 - 0.8125 * value) : 0.28125 + 0.71875 * value
    let bottom = shoulder(of: slope, height: pivot - range.black)
    let top = shoulder(of: slope, height: range.white - pivot)
    // The upper shoulder as it is; the lower one is the same thing turned about the pivot.
    return PiecewiseParabola(
      smooth(
        from: pivot - bottom.height,
        [
          (pivot - bottom.end, bottom.slope), (pivot - bottom.start, slope),
          (pivot + top.start, slope), (pivot + top.end, top.slope),
        ]))
  }

  /// Where a line through the origin begins to bend, where that ends, the slope and height there.
  ///
  /// - Parameter height: Where the curve meets the diagonal again.
  private static func shoulder(
    of slope: Double, height: Double
  ) -> (start: Double, end: Double, slope: Double, height: Double) {
    // The bend begins at a quarter of the height and ends where it leads to the inverse slope; it
    // lies about the place where both lines meet.
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

extension PiecewiseParabola.Piece {
  /// The piece mirrored at the diagonal, where it begins at its height.
  fileprivate var mirrored: Self {
    Self(start: y, y: start, slope: slope, bend: bend, liesOnItsSide: !liesOnItsSide)
  }
}
