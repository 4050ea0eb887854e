// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

extension LightroomConverter {
  /// Translates white balance, exposure, tonal ranges, local contrast, and curves.
  mutating func translateTones() {
    translateWhiteBalance()
    for name in ["Exposure2012", "Exposure"] {
      guard let stops = number(name, in: -5...5) else { continue }
      add(Exposure(ev: stops), for: [(name, ["ev"])])
    }
    translateRanges()
    let radii: [(name: String, radius: Double)] = [
      ("Texture", 0.004), ("Clarity2012", 0.015), ("Clarity", 0.015),
    ]
    for (name, radius) in radii {
      guard let amount = number(name, in: -100...100) else { continue }
      var filter = Clarity(amount: amount / 200)
      filter.radius = radius
      add(filter, for: [(name, ["amount", "radius"])])
    }
    translateParametricCurve()
    for (suffix, channel): (String, Curve.Target) in [
      ("", .master), ("Red", .r), ("Green", .g), ("Blue", .b),
    ] {
      translateCurve("ToneCurvePV2012" + suffix, channel)
      translateCurve("ToneCurve" + suffix, channel)
    }
  }

  /// Translates white balance, which is absolute for raw data and relative for other images.
  private mutating func translateWhiteBalance() {
    let isAsShot = edit.text("WhiteBalance")?.lowercased() == "as shot"
    let steps = ["IncrementalTemperature", "IncrementalTint"].filter(isActive)
    if !steps.isEmpty {
      let warmer = number("IncrementalTemperature", in: -100...100)
      let tint = number("IncrementalTint", in: -100...100)
      // Steps of one mired around daylight.
      let filter = WhiteBalance(temperature: 1e6 / (1e6 / 6500 - (warmer ?? 0)), tint: tint ?? 0)
      add(filter, for: steps.map { ($0, [$0.hasSuffix("Tint") ? "tint" : "temperature"]) })
    }
    if isAsShot {
      // The values are those that the camera chose and are already applied to the pixels.
      for name in ["Temperature", "Tint"] { discard(name) }
    } else if let temperature = number("Temperature", in: 2000...25000) {
      // Lightroom's daylight is 5500 K with a tint of 10.
      var filter = WhiteBalance(
        temperature: temperature, tint: number("Tint", in: -150...150) ?? 10)
      (filter.targetTemperature, filter.targetTint) = (5500, 10)
      add(
        filter,
        for: [
          ("Temperature", ["temperature", "targetTemperature"]), ("Tint", ["tint", "targetTint"]),
          ("WhiteBalance", ["temperature", "tint"]),
        ].filter { isActive($0.0) })
    } else {
      if isActive("Tint") { refuse("Tint", "has no effect without a temperature") }
      let isSpecified = !steps.isEmpty || value("WhiteBalance") == .text("Custom")
      if isSpecified {
        discard("WhiteBalance")
      } else if isActive("WhiteBalance") {
        refuse("WhiteBalance", "only Lightroom can compute it")
      }
    }
  }

  private mutating func translateRanges() {
    var tone = ParametricTone()
    var settings: [(name: String, parameters: [String])] = []
    for name in ["Contrast2012", "Contrast"] {
      guard let amount = number(name, in: -100...100) else { continue }
      tone.contrast = 1 + amount / 200
      settings.append((name, ["contrast"]))
    }
    if let amount = number("Whites2012", in: -100...100) {
      tone.whites = 1 + amount / 200
      settings.append(("Whites2012", ["whites"]))
    }
    if let amount = number("Blacks2012", in: -100...100) {
      tone.blacks = 1 + amount / 200
      settings.append(("Blacks2012", ["blacks"]))
    }
    if !settings.isEmpty { add(tone, for: settings) }

    var local = ShadowsHighlights()
    settings = []
    if let amount = number("Highlights2012", in: -100...100) {
      local.highlights = amount / 200
      settings.append(("Highlights2012", ["highlights"]))
    }
    if let amount = number("Shadows2012", in: -100...100) {
      local.shadows = amount / 200
      settings.append(("Shadows2012", ["shadows"]))
    }
    if !settings.isEmpty { add(local, for: settings) }
  }

  /// Translates the parametric curve, whose four ranges are bounded by black, three splits, and
  /// white.
  ///
  /// The midpoint of each range moves up or down by up to two fifths of its width, so the curve
  /// always rises.
  private mutating func translateParametricCurve() {
    let names = [
      "ParametricShadows", "ParametricDarks", "ParametricLights", "ParametricHighlights",
    ]
    let amounts = names.map { number($0, in: -100...100) }
    guard amounts.contains(where: { $0 != nil }) else { return }
    let splitNames = [
      "ParametricShadowSplit", "ParametricMidtoneSplit", "ParametricHighlightSplit",
    ]
    let splits = zip(splitNames, [25.0, 50, 75]).map { plain($0, in: 0...100, default: $1) / 100 }
    let edges = [0] + splits + [1]
    guard zip(edges, edges.dropFirst()).allSatisfy({ $0 < $1 }) else {
      for name in names where isActive(name) { refuse(name, "the splits are not ascending") }
      return
    }
    var points = [CurvePoint(0, 0)]
    for (index, amount) in amounts.enumerated() {
      let (low, high) = (edges[index], edges[index + 1])
      let middle = (low + high) / 2
      points.append(CurvePoint(middle, middle + (amount ?? 0) / 100 * 0.4 * (high - low)))
    }
    points.append(CurvePoint(1, 1))
    let activeNames = names.filter(isActive) + splitNames.filter(isActive)
    add(Curve(points), for: activeNames.map { ($0, ["points"]) })
  }

  private mutating func translateCurve(_ name: String, _ channel: Curve.Target) {
    guard isActive(name), let value = value(name) else { return }
    guard case .list(let items) = value, let points = Self.points(items) else {
      return refuse(name, "not a curve of 2 to 32 points from 0 to 255 with ascending x")
    }
    var curve = Curve(points)
    curve.target = channel
    add(curve, for: [(name, ["points", "channel"])])
  }

  /// Returns points "x, y" with coordinates from 0 to 255 and increasing x; nil for any other text.
  private static func points(_ items: [String]) -> [CurvePoint]? {
    guard (2...32).contains(items.count) else { return nil }
    var points: [CurvePoint] = []
    for item in items {
      let pair = item.split(separator: ",").map {
        LightroomEdit.Value.text(String($0.filter { $0 != " " })).number
      }
      guard pair.count == 2, let x = pair[0], let y = pair[1], (0...255).contains(x),
        (0...255).contains(y), points.last.map({ $0.x < x / 255 }) ?? true
      else { return nil }
      points.append(CurvePoint(x / 255, y / 255))
    }
    return points
  }

  /// Translates vibrance and saturation or gray, and the tints of tonal ranges.
  mutating func translateColors() {
    if isGray {
      for name in ["Vibrance", "Saturation"] where isActive(name) {
        refuse(name, "has no effect on a grayscale image")
      }
      let names = ["ConvertToGrayscale", "Treatment"].filter(isActive)
      add(Grayscale(.luma709), for: names.map { ($0, ["mode"]) })
    }
    if let amount = number("Vibrance", in: -100...100) {
      add(Vibrance(amount / 100), for: [("Vibrance", ["amount"])])
    }
    if let amount = number("Saturation", in: -100...100) {
      add(Saturate(1 + amount / 100), for: [("Saturation", ["amount"])])
    }
    translateSplitToning()
    translateColorGrading()
  }

  private mutating func translateSplitToning() {
    let shadow = number("SplitToningShadowSaturation", in: 0...100)
    let highlight = number("SplitToningHighlightSaturation", in: 0...100)
    guard shadow != nil || highlight != nil else { return }
    var filter = SplitTone()
    filter.shadowSaturation = (shadow ?? 0) / 100
    filter.highlightSaturation = (highlight ?? 0) / 100
    filter.shadowHue = plain("SplitToningShadowHue", in: 0...360, default: 0)
    filter.highlightHue = plain("SplitToningHighlightHue", in: 0...360, default: 0)
    filter.balance = plain("SplitToningBalance", in: -100...100, default: 0) / 100
    let settings: [(name: String, parameters: [String])] = [
      ("SplitToningShadowHue", ["shadowHue"]),
      ("SplitToningHighlightHue", ["highlightHue"]), ("SplitToningBalance", ["balance"]),
      ("SplitToningShadowSaturation", ["shadowSaturation"]),
      ("SplitToningHighlightSaturation", ["highlightSaturation"]),
    ].filter { isActive($0.name) }
    add(filter, for: settings)
  }

  /// Translates midtones by gamma, all tones by an offset, and brightness by the masters.
  private mutating func translateColorGrading() {
    let names = [
      "ColorGradeMidtoneSat", "ColorGradeGlobalSat", "ColorGradeShadowLum", "ColorGradeMidtoneLum",
      "ColorGradeHighlightLum", "ColorGradeGlobalLum",
    ]
    let numbers = names.map { number($0, in: $0.hasSuffix("Sat") ? 0...100 : -100...100) }
    guard numbers.contains(where: { $0 != nil }) else { return }
    let amounts = numbers.map { ($0 ?? 0) / 100 }
    let middle = Self.tint(plain("ColorGradeMidtoneHue", in: 0...360, default: 0))
    let all = Self.tint(plain("ColorGradeGlobalHue", in: 0...360, default: 0))
    var filter = LiftGammaGain()
    filter.gamma = middle.map { exp2(0.5 * amounts[0] * $0) }
    filter.offset = all.map { 0.1 * amounts[1] * $0 }
    filter.masterLift = 0.1 * amounts[2]
    filter.masterGamma = exp2(0.5 * (amounts[3] + amounts[5]))
    filter.masterGain = 1 + 0.1 * amounts[4]
    let settings: [(name: String, parameters: [String])] = [
      ("ColorGradeMidtoneHue", ["gamma"]), ("ColorGradeGlobalHue", ["offset"]),
      ("ColorGradeMidtoneSat", ["gamma"]), ("ColorGradeGlobalSat", ["offset"]),
      ("ColorGradeShadowLum", ["masterLift"]), ("ColorGradeMidtoneLum", ["masterGamma"]),
      ("ColorGradeHighlightLum", ["masterGain"]), ("ColorGradeGlobalLum", ["masterGamma"]),
    ].filter { isActive($0.name) }
    add(filter, for: settings)
  }

  /// Returns red, green, and blue of a hue as differences from their mean.
  private static func tint(_ hue: Double) -> [Double] {
    let channels = [0.0, 4, 2].map { min(max(abs(fmod(hue / 60 + $0, 6) - 3) - 1, 0), 1) }
    let mean = channels.reduce(0, +) / 3
    return channels.map { $0 - mean }
  }
}
