// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditRendering
import PhotoEditTestSupport
import Testing

extension Definition {
  /// Filters that change colors by hue or by tone.
  static let selective: [Definition] = [
    Definition(
      "colorMixer 1",
      make(
        "colorMixer", version: 1,
        #""redHue":1,"greenHue":-0.6,"blueLightness":-1,"yellowLightness":0.5,"#
          + #""orangeSaturation":-0.7,"range":4"#)
    ) { p in
      var lab = oklab(p)
      let (chroma, hue) = polar(lab)
      let gate = smooth(0.01, 0.05, chroma)
      func weighted(_ values: [Double]) -> Double { banded(values, hue - 4) }
      // From 20 to 55 degrees, and from 142 to 105.
      let turn = weighted([1 * 35 * 2 / 3, 0, 0, -0.6 * 37 * 2 / 3, 0, 0, 0, 0]) * gate
      lab.x += gate * weighted([0, 0, 0.5, 0, 0, -1, 0, 0]) * 0.35 * chroma / (chroma + 0.06)
      let muted = chroma * (1 + weighted([0, -0.7, 0, 0, 0, 0, 0, 0]))
      let angle = (hue + turn) * .pi / 180
      return oklab(from: SIMD3(lab.x, muted * cos(angle), muted * sin(angle)))
    },
    Definition(
      "blackWhite 1 bands",
      make("blackWhite", version: 1, #""red":-0.4,"orange":0.3,"aqua":0.8,"blue":-1"#)
    ) { p in
      let lab = oklab(p)
      let (chroma, hue) = polar(lab)
      let mix = banded([-0.4, 0.3, 0, 0, 0.8, -1, 0, 0], hue)
      let lightness = min(max(lab.x + mix * 0.5 * chroma / (chroma + 0.1), 0), 1)
      return SIMD3(repeating: encoded(lightness * lightness * lightness))
    },
    Definition(
      "blackWhite channels",
      make("blackWhite:mode=channels,redWeight=1.2,greenWeight=0.5,blueWeight=-0.3")
    ) { p in
      let light = SIMD3(linear(p.x), linear(p.y), linear(p.z))
      return SIMD3(repeating: encoded(sum([1.2, 0.5, -0.3], light)))
    },
    Definition(
      "blackWhite channels, luminance preserved",
      make(
        "blackWhite:mode=channels,redWeight=1,greenWeight=2,blueWeight=1,preserveLuminance=true")
    ) { p in
      SIMD3(
        repeating: encoded(sum([0.25, 0.5, 0.25], SIMD3(linear(p.x), linear(p.y), linear(p.z)))))
    },
    Definition("blackWhite tinted", make("blackWhite:tintAmount=0.5,tintHue=80")) { p in
      let lightness = min(max(oklab(p).x, 0), 1)
      let chroma = 0.5 * 0.08 * 4 * lightness * (1 - lightness)
      let angle = 80 * Double.pi / 180
      return oklab(from: SIMD3(lightness, chroma * cos(angle), chroma * sin(angle)))
    },
    Definition(
      "colorGrade",
      make("colorGrade:shadowAmount=0.6,shadowHue=240,highlightLightness=-0.5,balance=0.5")
    ) { p in
      let pull = SIMD3(1 - 0.15, 1 - 0.15, 1 + 0.3)
      let values = pull / sum([0.2126, 0.7152, 0.0722], pull)
      func graded(_ x: Double, _ shadow: Double) -> Double {
        // 0.1 above the starts of parametricTone: more tones are highlights.
        bent(bent(x, from: 0.1, to: 1, slopes: (1, 1.45)), from: 0, to: 0.5, slopes: (shadow, 1))
      }
      return SIMD3(graded(p.x, values.x), graded(p.y, values.y), graded(p.z, values.z))
    },
  ]

  /// Two parabolas that join in the middle of a range, both ends of which are fixed, with the given
  /// slopes there; for a slope above 1, the inverse of those with the slope 2 − s.
  private static func bent(
    _ x: Double, from x0: Double, to x2: Double, slopes: (Double, Double)
  ) -> Double {
    let isInverse = slopes.0 > 1 || slopes.1 > 1
    // Above 1 at the end, the curve itself rises less there.
    let m0 = slopes.0 > 1 ? 2 - slopes.0 : slopes.0
    let m2 = slopes.1 > 1 ? 2 - slopes.1 : slopes.1
    let (half, m1) = ((x2 - x0) / 2, 2 - (m0 + m2) / 2)
    func forward(_ x: Double) -> Double {
      if x <= x0 { return x0 + m0 * (x - x0) }
      if x >= x2 { return x2 + m2 * (x - x2) }
      if x < x0 + half { return x0 + m0 * (x - x0) + (m1 - m0) / 2 / half * (x - x0) * (x - x0) }
      let rest = x2 - x
      return x2 - m2 * rest - (m1 - m2) / 2 / half * rest * rest
    }
    guard isInverse else { return forward(x) }
    var (low, high) = (-1.0, 2.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if forward(middle) < x { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// The value of a hue between those of eight bands.
  static func banded(_ values: [Double], _ hue: Double) -> Double {
    let ends = [20, 55, 105, 142, 198, 252, 300, 345, 380].map { Double($0) }
    let rotated = hue < 20 ? hue + 360 : hue
    let right = ends.firstIndex { rotated < $0 } ?? 8
    let share = smooth(ends[right - 1], ends[right], rotated)
    return values[right - 1] * (1 - share) + values[right % 8] * share
  }

  /// A smooth step from 0 to 1.
  static func smooth(_ low: Double, _ high: Double, _ x: Double) -> Double {
    let t = min(max((x - low) / (high - low), 0), 1)
    return t * t * (3 - 2 * t)
  }

  /// The chroma and the hue in degrees, 0 to 360.
  static func polar(_ lab: SIMD3<Double>) -> (chroma: Double, hue: Double) {
    let hue = atan2(lab.z, lab.y) * 180 / .pi
    return ((lab.y * lab.y + lab.z * lab.z).squareRoot(), hue < 0 ? hue + 360 : hue)
  }
}

@Suite("Adjustments by hue and tone")
struct SelectiveTests {
  private static let colors = [
    "red", "orange", "yellow", "green", "aqua", "blue", "purple", "magenta",
  ]

  /// 3600 hues at a lightness and chroma that are inside the gamut, and before and after them another
  /// hundred, so that those at the ends have the same surroundings.
  private static func ramp(chroma: Double) -> ImageBuffer {
    let colors = (-100..<3700).map { step in
      let angle = Double(step) / 1800 * .pi
      return Definition.oklab(from: SIMD3(0.72, chroma * cos(angle), chroma * sin(angle)))
    }
    return Charts.image(3800, 1, .rgb, bytesPerSample: 2) { x, _, channel in
      Int((colors[x][channel] * 65535).rounded())
    }
  }

  @Test(arguments: colors, [-1.0, -0.5, 1])
  func `a single hue slider keeps the order of hues without steps`(
    color: String, value: Double
  ) throws {
    let filter = try FilterCatalog.filter(argument: "colorMixer:\(color)Hue=\(value)")
    let planes = try raster(Charts.source(Self.ramp(chroma: 0.1)), [filter]).rgb
    let hues = (100..<3700).map { x in
      Definition.polar(
        Definition.oklab(
          SIMD3(Double(planes[0][x]), Double(planes[1][x]), Double(planes[2][x])))
      ).hue
    }
    for (before, after) in zip(hues, hues.dropFirst() + [hues[0]]) {
      let step = (after - before + 540).truncatingRemainder(dividingBy: 360) - 180
      #expect(step > -0.01 && step < 0.27, "\(before) \(after)")
    }
  }

  @Test(arguments: colors, ["Saturation", "Lightness"])
  func `a slider has no steps`(color: String, name: String) throws {
    for value in [-1, 1] {
      let filter = try FilterCatalog.filter(argument: "colorMixer:\(color)\(name)=\(value)")
      for plane in try raster(Charts.source(Self.ramp(chroma: 0.1)), [filter]).rgb {
        let largest = zip(plane, plane.dropFirst()).map { abs($0 - $1) * 255 }.max() ?? 0
        #expect(largest < 1, "\(value)")
      }
    }
  }

  @Test func `the same value for all colors is one global slider`() throws {
    let all = Self.colors.map { "\($0)Saturation=-0.4" }.joined(separator: ",")
    let image = try Charts.source(Charts.noise(31, 23))
    let mixed = try raster(image, [FilterCatalog.filter(argument: "colorMixer:" + all)])
    let global = try raster(image, [Oklch(chroma: 0.6)])
    #expect(try difference(mixed.rgb, global.rgb) < 0.05)
  }

  @Test func `grays stay gray, and saturation stays inside the gamut`() throws {
    var mixer = ColorMixer()
    let bands: [WritableKeyPath<ColorMixer, ColorMixer.Band>] = [
      \.red, \.orange, \.yellow, \.green, \.aqua, \.blue, \.purple, \.magenta,
    ]
    for band in bands {
      mixer[keyPath: band] = ColorMixer.Band(hue: 0.8, saturation: 1, lightness: 0.7)
    }
    let grays = Charts.image(256, 1, .rgb, bytesPerSample: 2) { x, _, _ in x * 257 }
    for filter: any Filter in [mixer, BlackWhite()] {
      for plane in try raster(Charts.source(grays), [filter]).rgb {
        for (x, sample) in plane.enumerated() {
          #expect((sample * 65535).rounded() == Float(x * 257), "\(filter) \(x)")
        }
      }
    }
    let saturated = Self.colors.map { "\($0)Saturation=1" }.joined(separator: ",")
    let filter = try FilterCatalog.filter(argument: "colorMixer:" + saturated)
    for plane in try raster(Charts.source(Charts.noise(61, 47)), [filter]).rgb {
      #expect(plane.allSatisfy { $0 > -0.008 && $0 < 1.008 })
    }
  }

  @Test func `a color that is brightened in black and white is brighter than its gray`() throws {
    let colors = [[200, 60, 50], [40, 90, 200]]
    let chart = Charts.image(2, 1, .rgb) { x, _, channel in colors[x][channel] }
    func grays(_ arguments: String) throws -> [Float] {
      try raster(Charts.source(chart), [FilterCatalog.filter(argument: arguments)]).rgb[0]
    }
    let (plain, filtered) = (try grays("blackWhite"), try grays("blackWhite:red=0.6,blue=-0.6"))
    #expect(filtered[0] > plain[0] + 0.1 && filtered[1] < plain[1] - 0.1)
  }

  @Test func `a wheel changes color and not brightness, and leaves black and white`() throws {
    let ramp = Charts.image(256, 1, .rgb) { x, _, _ in x }
    for hue in [0, 60, 120, 240, 300] {
      for range in ["shadow", "midtone", "highlight", "global"] {
        let filter = try FilterCatalog.filter(
          argument: "colorGrade:\(range)Amount=0.5,\(range)Hue=\(hue)")
        let planes = try raster(Charts.source(ramp), [filter]).rgb
        var strongest: Float = 0
        for x in 0..<256 {
          let color = planes.map { $0[x] }
          let luma = 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2]
          #expect(abs(luma - Float(x) / 255) < 0.035, "\(range) \(hue) \(x)")
          strongest = max(strongest, (color.max() ?? 0) - (color.min() ?? 0))
          if x == 0 || x == 255 {
            #expect(color.allSatisfy { abs($0 - Float(x) / 255) < 1e-5 })
          }
        }
        #expect(strongest > 0.03, "\(range) \(hue)")
      }
    }
  }

  @Test func `a wheel without an amount changes nothing`() throws {
    let image = try Charts.source(Charts.noise(9, 9))
    let plain = try raster(image, [])
    for argument in [
      "colorGrade:shadowHue=200,balance=0.4", "colorMixer:redHue=0,range=9",
    ] {
      #expect(try raster(image, [FilterCatalog.filter(argument: argument)]) == plain)
    }
  }
}
