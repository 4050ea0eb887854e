// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels

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
  /// The same separately for luma and color differences.
  case patchesApart(LumaChromaMeans)
  /// A weighted sum; alpha is averaged, unless the weights sum to zero.
  case correlation(Correlation)
  /// The gradient of each plane; alpha is unchanged.
  case gradient(Gradient)
  /// Local contrast or local tone, by a guided filter of the luma.
  case guided(LocalToneMapping)
  /// The saved copy, a mask, filtered with the image as its guide.
  case guidedMask(GuidedMask)
  /// The measurement of haze.
  case haze(HazeMeasurement)
  /// The removal of haze.
  case dehaze(HazeRemoval)
  /// Changes by the hue of the surroundings.
  case hues(SmoothedHues)

  var facts: any NeighborSummary {
    switch self {
    case .box(let radius): SquareFacts(what: "mean", radius: radius)
    case .median(let radius): SquareFacts(what: "median", radius: radius)
    case .bilateral(let mean): mean
    case .patches(let mean): mean
    case .patchesApart(let means): means
    case .correlation(let correlation): correlation
    case .gradient(let gradient): gradient
    case .guided(let tone): tone
    case .guidedMask(let filter): filter
    case .haze(let measurement): measurement
    case .dehaze(let removal): removal
    case .hues(let hues): hues
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

/// A square of weights applied to the neighbors of each pixel without mirroring (correlation).
public struct Correlation: Sendable, Hashable, NeighborSummary {
  /// The weights row by row; their count is the square of an odd number.
  public let weights: [Double]
  /// The bias added to each sum.
  public let bias: Double

  /// Creates a kernel.
  public init(_ weights: [Double], bias: Double = 0) {
    let side = Self.side(weights.count)
    precondition(side * side == weights.count && side % 2 == 1, "a kernel is an odd square")
    (self.weights, self.bias) = (weights, bias)
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

/// The gradient of samples by Sobel's operator.
public struct Gradient: Sendable, Hashable, NeighborSummary {
  /// The component of the gradient.
  public enum Part: Sendable, Hashable {
    /// √(x² + y²).
    case magnitude
    /// The slope to the right.
    case x
    /// The slope downward.
    case y
  }

  /// The component that is output.
  public let part: Part
  /// The factor of the output.
  public let scale: Double

  /// Creates an operator.
  public init(_ part: Part, scale: Double) { (self.part, self.scale) = (part, scale) }

  private func rotated(by orientation: Orientation) -> Gradient {
    let m = orientation.matrix
    let (across, down) =
      switch part {
      case .magnitude: (0, 0)
      case .x: (m.xx, m.xy)
      case .y: (m.yx, m.yy)
      }
    if across != 0 { return Gradient(.x, scale: scale * Double(across)) }
    return down != 0 ? Gradient(.y, scale: scale * Double(down)) : self
  }

  var margin: Int { 1 }
  package var summary: String { "gradient" }

  package func rotatedArea(by orientation: Orientation) -> AreaOperation? {
    .neighborhood(.gradient(rotated(by: orientation)))
  }
}

/// A tone adjustment that separates large areas from detail by a guided filter of the luma.
///
/// The base B of the luma Y is the output of a guided filter with Y as its own guide: the mean over
/// the windows around a pixel of a·Y + b, with a = v/(v + ε), b = m·(1 − a), m and v being mean and
/// variance of a window. At the edges the image is mirrored, including its outermost pixels. Pixels
/// are weighted by their alpha.
///
/// - Source: K. He, J. Sun and X. Tang, "Guided Image Filtering", 2013; luma of Rec. 601.
public struct LocalToneMapping: Sendable, Hashable, NeighborSummary {
  /// The adjustment of base and detail.
  public enum Change: Sendable, Hashable {
    /// Every channel becomes x + amount·(Y − B).
    case detail(amount: Double)
    /// Every channel becomes x + amount·(1 − A)·(Y − M), with the means A of a and M of m, M weighted
    /// by 0.001 + (1 − a)⁴: beside a strong edge, the windows without it count.
    case smoothDetail(amount: Double)
    /// A curve f is applied to the base: with Z = f(B) + Y − B every channel becomes x·Z/Y.
    case tone(BaseTone)
  }

  /// The distance in pixels from the center of a window to its side.
  public let radius: Int
  /// The variance below which structures count as detail.
  public let epsilon: Double
  /// The adjustment of base and detail.
  public let change: Change

  /// Creates an adjustment.
  public init(radius: Int, epsilon: Double, change: Change) {
    precondition(radius >= 1 && epsilon > 0, "a guided filter needs a window")
    (self.radius, self.epsilon, self.change) = (radius, epsilon, change)
  }

  /// Indicates whether the base is that of the windows without a strong edge.
  package var avoidsEdges: Bool { if case .smoothDetail = change { true } else { false } }

  var margin: Int { 2 * radius }

  package var summary: String {
    "guided filter of \(2 * radius + 1)×\(2 * radius + 1) pixels"
  }

  package func rotatedArea(by orientation: Orientation) -> AreaOperation? {
    .neighborhood(.guided(self))
  }
}

/// A guided filter of a mask with another plane as its guide, so that the mask follows its edges.
///
/// In the window around each pixel, the mask is fitted by a line of the guide; the result is the mean
/// of the lines of all windows around a pixel. At the edges the image is mirrored, including its
/// outermost pixels.
///
/// - Source: K. He, J. Sun and X. Tang, "Guided Image Filtering", 2013.
public struct GuidedMask: Sendable, Hashable, NeighborSummary {
  /// The distance in pixels from the center of a window to its side.
  public let radius: Int

  /// Creates a filter.
  public init(radius: Int) {
    precondition(radius >= 1, "a guided filter needs a window")
    self.radius = radius
  }

  /// The variance below which structures of the guide do not appear in the mask.
  package static let epsilon = 0.0004

  var margin: Int { 2 * radius }

  package var summary: String {
    "guided filter of a mask by \(2 * radius + 1)×\(2 * radius + 1) pixels"
  }

  package func rotatedArea(by orientation: Orientation) -> AreaOperation? {
    .neighborhood(.guidedMask(self))
  }
}

/// The tone of the base layer of an image.
public struct BaseTone: Sendable, Hashable {
  /// A decrease of highlights.
  public struct Recovery: Sendable, Hashable {
    /// The share of the decrease, 0 to 1.
    let strength: Double
    /// The largest decrease.
    let most: Double
    /// The levels between which the decrease grows from 0.
    let start, end: Double
    /// The share by which white is darkened less, from a level on, so that it still looks bright.
    let shareOfWhite, nearWhite: Double

    /// Of version 2 of `shadowsHighlights`, which flattens the levels above the middle.
    static func broad(_ strength: Double) -> Recovery {
      Recovery(
        strength: strength, most: 0.17, start: 0.4, end: 0.85, shareOfWhite: 0.45, nearWhite: 0.92)
    }

    /// The slope is at least 0.43, and at most 1.35 near white.
    static func gentle(_ strength: Double) -> Recovery {
      Recovery(
        strength: strength, most: 0.14, start: 0.55, end: 0.92, shareOfWhite: 0.4, nearWhite: 0.78)
    }

    func callAsFunction(_ level: Double) -> Double {
      let whole =
        most * smoothStep(start, end, level) * (1 - shareOfWhite * smoothStep(nearWhite, 1, level))
      return strength * whole
    }
  }

  /// The decrease of highlights; nil for none.
  public var recovery: Recovery?
  /// The curve after it.
  public var curve: ToneCurve
  /// The level up to which the curve takes effect gradually, so that black stays black; 0 for none.
  public var anchor: Double
  /// The largest factor of the differences between channels; what exceeds it brightens them alike.
  public var mostGain: Double

  /// Creates a tone.
  public init(
    _ curve: ToneCurve, recovery: Recovery? = nil, anchor: Double = 0,
    mostGain: Double = Double(Float.greatestFiniteMagnitude)
  ) {
    (self.recovery, self.curve) = (recovery, curve)
    (self.anchor, self.mostGain) = (anchor, mostGain)
  }

  /// Returns the new level of the base.
  package func callAsFunction(_ base: Double) -> Double {
    let darkened = base - (recovery?(base) ?? 0)
    let toned = curve(darkened)
    return anchor > 0 ? darkened + (toned - darkened) * smoothStep(0, anchor, darkened) : toned
  }
}
