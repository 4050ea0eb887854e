// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers
import PhotoEditPlatform

/// The filters that improve an image according to a measurement of its pixels.
///
/// They are ordinary filters with plain numbers of four significant digits, so that a stored edit
/// renders the same after the measurement has changed.
public struct AutomaticAdjustment: Sendable {
  /// A group of properties that are adjusted together.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Exposure, black and white, contrast and shadows.
    case light
    /// The saturation of muted colors.
    case color
    /// The color of the light source.
    case whiteBalance = "white-balance"
    /// The angle of the horizon.
    case straighten
    /// The distortion, the color fringes and the vignetting of a lens that is in the database.
    case lens
  }

  /// A group that needs no change, or is not measured well enough for one.
  public struct Unchanged: Sendable, Hashable {
    /// The group.
    public let kind: Kind
    /// The reason, as a clause.
    public let reason: String
  }

  /// The filters in their order; empty if nothing is needed.
  public internal(set) var filters: [any Filter] = []
  /// The requested groups without a filter.
  public internal(set) var unchanged: [Unchanged] = []
  /// Indicates that the filters of an earlier adjustment stay.
  var keepsEarlier = false

  init() {}

  /// Derives the adjustment of white balance, light and color.
  ///
  /// Each step is measured on the colors that the steps before it give.
  package init(
    _ cells: ColorCells, isGray: Bool, in space: WorkingSpace, kinds: Set<Kind>
  ) throws(ParameterError) {
    var colors = cells.colors
    // Neither is needed for the light alone.
    lazy var light = isGray ? nil : SceneLight(cells, in: space)
    lazy var isBrightestGray = Self.isBrightestGray(in: cells.colors, space)
    if kinds.contains(.whiteBalance) {
      let before = filters.count
      addWhiteBalance(light, isBrightestGray: isBrightestGray)
      colors = try colors.applying(Array(filters[before...]), in: space)
    }
    if kinds.contains(.light) {
      let before = filters.count
      let range = colors.lumaLevels
      let isFlat = range.quantile(0.998) - range.quantile(0.002) < 0.1
      for step in AutomaticLight.steps {
        guard !isFlat, let filter = step(colors, space) else { continue }
        filters.append(filter)
        colors = try colors.applying([filter], in: space)
      }
      if filters.count == before { leave(.light, isFlat ? "of one brightness" : "well exposed") }
    }
    if kinds.contains(.color) {
      let chroma = isGray ? nil : colors.chroma(in: space)
      // A cast that stays, of a sunset or under water, would become stronger.
      let isBalanced = isBrightestGray || filters.contains { $0 is WhiteBalance }
      let cast = isBalanced ? 0 : light?.cast ?? 0
      // The few colors of fog, of paper and of a night are a cast or noise.
      let amount =
        chroma.map {
          min(max((0.13 - $0.average) * 3, 0), 0.25) * smoothStep(0.05, 0.4, $0.share)
            * (1 - 0.7 * smoothStep(0.008, 0.02, cast))
        } ?? 0
      if amount >= 0.02 {
        filters.append(Vibrance(amount.rounded(significantDigits: 4)))
      } else {
        let hasFewColors = chroma.map { $0.share < 0.4 } ?? true
        leave(.color, hasFewColors ? "without colors" : "colorful enough")
      }
    }
  }

  /// Indicates that the brightest colors, of walls or paper, are those of a neutral light; they show
  /// it better than the average does.
  private static func isBrightestGray(in colors: WeightedColors, _ space: WorkingSpace) -> Bool {
    colors.chromaOfBrightest(in: space).map { $0 < 0.012 } ?? false
  }

  private mutating func addWhiteBalance(_ light: SceneLight?, isBrightestGray: Bool) {
    guard let light else { return leave(.whiteBalance, "without colors") }
    if isBrightestGray { return leave(.whiteBalance, "neutral") }
    let kelvin = light.illuminant.temperatureAndTint.temperature
    // A little warmth pleases; the same amount of blue does not.
    guard light.cast > (kelvin < 6500 ? 0.01 : 0.004) else {
      return leave(.whiteBalance, "neutral")
    }
    // A strong cast may be the color of the subject, such as a leaf.
    let required = 0.3 + 6 * max(0, light.cast - 0.04)
    guard light.confidence >= required else {
      let numbers = [light.confidence, required].map {
        jsonNumber($0.rounded(significantDigits: 2))
      }
      return leave(
        .whiteBalance,
        "the light is uncertain (confidence \(numbers[0]), required: \(numbers[1]))")
    }
    // The light of an evening is kept in part, that of a lamp is not.
    let warmth = kelvin < 6500 ? 0.5 + 0.5 * (1 - smoothStep(3600, 4800, kelvin)) : 1
    let (temperature, tint) = SceneLight.correction(
      of: light.illuminant, strength: 0.7 * min(1, light.confidence / 0.6) * warmth, tint: 0.5)
    filters.append(WhiteBalance(temperature: temperature, tint: tint))
  }

  /// Adds an exposure of at most three stops; none if it would not be visible.
  ///
  /// - Parameters:
  ///   - stops: The exposure; nil if it cannot be measured.
  ///   - reason: The reason for adding nothing.
  mutating func expose(by stops: Double?, unless reason: String) {
    let ev = min(max(stops ?? 0, -3), 3).rounded(significantDigits: 4)
    if abs(ev) >= 0.02 {
      filters.append(Exposure(ev: ev, rolloff: ev > 0 ? 0.35 : 0))
    } else {
      leave(.light, stops == nil ? "only black or white" : reason)
    }
  }

  /// Adds the correction of a lens, which comes first of all.
  ///
  /// - Parameter isAlone: True if nothing else was requested.
  package mutating func add(_ lens: Lens, isAlone: Bool) {
    filters.insert(lens, at: 0)
    keepsEarlier = isAlone
  }

  /// Leaves the lens as it is, for a reason.
  package mutating func leaveLens(_ reason: String, isAlone: Bool) {
    leave(.lens, reason)
    keepsEarlier = isAlone
  }

  /// Indicates whether the noise of a dark image becomes visible.
  package var amplifiesNoise: Bool {
    filters.contains { filter in
      if let exposure = filter as? Exposure { return exposure.ev >= 0.3 }
      return (filter as? ShadowsHighlights).map { $0.shadows >= 0.15 } ?? false
    }
  }

  /// Adds a reduction of color noise before all other filters, if an image has noise.
  ///
  /// Luma is hardly changed: its noise looks like grain, and its texture like noise.
  ///
  /// - Parameter statistics: Those of the measurement of noise.
  package mutating func addNoiseReduction(_ statistics: ImageStatistics) {
    let sigma = MeasuredNoise(statistics).sigma
    // A larger deviation is that of texture.
    guard (0.006...0.05).contains(sigma) else { return }
    var reduction = DenoiseNLM(h: (0.45 * sigma).rounded(significantDigits: 4))
    reduction.chroma = 2
    filters.insert(reduction, at: 0)
  }

  mutating func leave(_ kind: Kind, _ reason: String) {
    unchanged.append(Unchanged(kind: kind, reason: reason))
  }
}

/// The steps of the adjustment of light, each derived from the colors that it receives.
enum AutomaticLight {
  /// In the order of the filters; a step without a filter leaves the image as it is.
  static let steps: [@Sendable (WeightedColors, WorkingSpace) -> (any Filter)?] = [
    { exposure($0, in: $1) }, { colors, _ in endPoints(colors) },
    { colors, _ in contrast(colors) }, { colors, _ in shadows(colors) },
  ]

  /// Brings the average luma of the middle of the image into a range, but not a night to day.
  private static func exposure(
    _ colors: WeightedColors, in space: WorkingSpace
  ) -> (any Filter)? {
    guard let key = colors.key else { return nil }
    let levels = colors.lumaLevels
    func stops(to target: Double) -> Double {
      log2(SRGBTransfer.decode(target) / SRGBTransfer.decode(key))
    }
    var ev = 0.0
    if key < 0.48 {
      ev = 0.6 * stops(to: 0.48)
    } else if key > 0.62 {
      ev = 0.5 * stops(to: 0.62) * (1 - smoothStep(0.1, 0.4, levels.share(0.9..<1.1)))
      // Snow and paper are bright without being overexposed.
      let chroma = colors.chromaOfBrightest(in: space) ?? 0
      if levels.share(0.985..<1.1) < 0.005, chroma < 0.03 { ev = 0 }
    }
    ev *= 1 - smoothStep(0.3, 0.6, levels.share(0..<0.08))
    ev = min(max(ev, -0.4), 0.65).rounded(significantDigits: 4)
    guard abs(ev) >= 0.08 else { return nil }
    return Exposure(ev: ev, rolloff: ev > 0 ? 0.35 : 0)
  }

  private static func endPoints(_ colors: WeightedColors) -> (any Filter)? {
    let black = 0.8 * min(colors.lumaLevels.quantile(0.002), 0.05)
    let white = 1 - 0.8 * (1 - max(colors.levels { $0.max() }.quantile(0.998), 0.88))
    if black < 0.01 && white > 0.985 { return nil }
    return BlackWhitePoint(
      black: black.rounded(significantDigits: 4),
      white: min(white, 1).rounded(significantDigits: 4))
  }

  private static func contrast(_ colors: WeightedColors) -> (any Filter)? {
    let levels = colors.lumaLevels
    let amount = min(6 * (0.62 - (levels.quantile(0.9) - levels.quantile(0.1))), 1.5)
    guard amount >= 0.4 else { return nil }
    let mid = min(max(levels.quantile(0.5), 0.4), 0.6)
    return SigmoidalContrast(
      amount.rounded(significantDigits: 4), mid: mid.rounded(significantDigits: 4))
  }

  private static func shadows(_ colors: WeightedColors) -> (any Filter)? {
    let levels = colors.lumaLevels
    var lift = min(max((levels.share(0..<0.15) - 0.12) * 1.2, 0), 0.3)
    // A subject against the light: the middle is dark, and much is bright.
    let backlight = smoothStep(0.25, 0.45, levels.share(0.6..<1.1))
    let middle = colors.centralLevels.share(0..<0.25) - 0.25
    lift = max(lift, min(max(middle * 1.5, 0), 0.5) * backlight)
    let amount = lift * (1 - smoothStep(0.3, 0.6, levels.share(0..<0.03)))
    guard amount >= 0.02 else { return nil }
    return ShadowsHighlights(shadows: amount.rounded(significantDigits: 4), highlights: 0)
  }
}

/// The exposure and the white balance of a photo, which other photos can match.
public struct SceneMatch: Sendable, Hashable {
  let light: SceneLight?
  let key: Double?

  package init(_ cells: ColorCells, isGray: Bool, in space: WorkingSpace) {
    light = isGray ? nil : SceneLight(cells, in: space)
    key = cells.colors.key
  }

  /// Returns the filters that give another image this exposure and white balance.
  package func adjustment(
    of cells: ColorCells, isGray: Bool, in space: WorkingSpace
  ) throws(ParameterError) -> AutomaticAdjustment {
    var adjustment = AutomaticAdjustment()
    var colors = cells.colors
    if let light, let own = isGray ? nil : SceneLight(cells, in: space) {
      let (from, to) = (
        SceneLight.correction(of: own.illuminant), SceneLight.correction(of: light.illuminant)
      )
      if from != to {
        var balance = WhiteBalance(temperature: from.temperature, tint: from.tint)
        (balance.targetTemperature, balance.targetTint) = to
        adjustment.filters.append(balance)
        colors = try colors.applying([balance], in: space)
      }
    }
    if !adjustment.filters.contains(where: { $0 is WhiteBalance }) {
      adjustment.leave(
        .whiteBalance, light == nil || isGray ? "without colors" : "that of the reference")
    }
    let stops = key.flatMap { key in
      colors.key.map { log2(SRGBTransfer.decode(key) / SRGBTransfer.decode($0)) }
    }
    adjustment.expose(by: stops, unless: "that of the reference")
    return adjustment
  }

  /// The photos on either side that the exposure of one in a series follows, as the standard
  /// deviation of their weights.
  private static let neighbors = 6.0

  /// Returns the exposures that even out a series of photos, such as the frames of a time lapse.
  ///
  /// Each photo gets the brightness of a line through those around it, weighted by a Gaussian, so
  /// that a dawn stays one. Photos that are only black or white get nothing.
  ///
  /// - Source: Cleveland, "Robust Locally Weighted Regression and Smoothing Scatterplots", 1979.
  public static func evening(_ series: [SceneMatch]) -> [AutomaticAdjustment] {
    let stops = series.map { $0.key.map { log2(SRGBTransfer.decode($0)) } }
    return stops.indices.map { index in
      var adjustment = AutomaticAdjustment()
      let ahead = Int(4 * neighbors)
      // A few photos say little about a slope.
      var (w, wx, wy, wxx, wxy) = (0.0, 0.0, 0.0, neighbors * neighbors, 0.0)
      for other in max(0, index - ahead)..<min(stops.count, index + ahead + 1) {
        guard let y = stops[other] else { continue }
        let x = Double(other - index)
        let weight = exp(-x * x / (2 * neighbors * neighbors))
        (w, wx, wy) = (w + weight, wx + weight * x, wy + weight * y)
        (wxx, wxy) = (wxx + weight * x * x, wxy + weight * x * y)
      }
      let level = (wy * wxx - wx * wxy) / (w * wxx - wx * wx)
      adjustment.expose(by: stops[index].map { level - $0 }, unless: "that of the series")
      return adjustment
    }
  }
}

extension WhiteBalance {
  /// Creates the filter by which a linear color becomes gray; nil if it has no chromaticity.
  package init?(gray linear: SIMD3<Double>, in space: WorkingSpace) {
    guard linear.min() > 0 else { return nil }
    // The adaptation to 6500 K is not exactly that to D65, so that a rest of the color remains.
    var (mired, tint) = (1e6 / 6500, 0.0)
    for _ in 0..<8 {
      let matrix = ChromaticAdaptation.matrix(
        from: Illuminant(temperature: 1e6 / mired, tint: tint),
        to: Illuminant(temperature: 6500, tint: 0), in: space)
      let rest = SceneLight.correction(
        of: SceneLight.illuminant(matrix.applied(to: linear), in: space), digits: 9)
      mired = min(max(mired + 1e6 / rest.temperature - 1e6 / 6500, 40), 500)
      tint = min(max(tint + rest.tint, -150), 150)
    }
    self.init(
      temperature: (1e6 / mired).rounded(significantDigits: 4),
      tint: tint.rounded(significantDigits: 4))
  }
}
