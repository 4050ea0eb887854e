// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPlatform

extension Definition {
  /// Color filters that mix the channels of a pixel, in addition to the first ones.
  static let grades: [Definition] = [
    Definition("threshold", make("threshold:level=0.4371")) {
      SIMD3(repeating: sum([0.299, 0.587, 0.114], $0) > 0.4371 ? 1 : 0)
    },
    Definition(
      "asccdl",
      make("asccdl:slope=1.2:0.9:1.1,offset=-0.05:0.02:0.1,power=0.8:1.3:1,saturation=1.4")
    ) { p in
      let graded = cdl(p) { pow(min(max($0, 0), 1), $1) }
      return saturated(graded, 1.4).clamped(lowerBound: .zero, upperBound: .one)
    },
    Definition(
      "asccdl without clamps",
      make(
        "asccdl:slope=1.2:0.9:1.1,offset=-0.05:0.02:0.1,power=0.8:1.3:1,saturation=1.4,"
          + "style=noClamp")
    ) { p in
      saturated(cdl(p) { $0 < 0 ? $0 : pow($0, $1) }, 1.4)
    },
    Definition("asccdl without saturation", make("asccdl:slope=2:1:1,style=clamp")) { p in
      SIMD3(min(2 * p.x, 1), p.y, p.z)
    },
    Definition(
      "liftGammaGain",
      make(
        "liftGammaGain:lift=0.05:-0.02:0,gamma=1.2:0.9:1,gain=1.1:1:0.8,masterLift=0.01,"
          + "masterGamma=1.1,masterGain=0.9,offset=0.02:0:-0.03,saturation=1.3,pivotBlack=0.05,"
          + "pivotWhite=0.9")
    ) { p in
      let lift = SIMD3(0.05, -0.02, 0) + 0.01
      let gain = 0.9 * SIMD3(1.1, 1, 0.8)
      let slope = (0.9 - 0.05) / (0.9 / gain + lift - 0.05)
      let y = (p + SIMD3(0.02, 0, -0.03) + lift - 0.05) * slope
      func bent(_ y: Double, _ gamma: Double) -> Double {
        copysign(pow(abs(y) / 0.85, 1 / (1.1 * gamma)), y) * 0.85 + 0.05
      }
      return saturated(SIMD3(bent(y.x, 1.2), bent(y.y, 0.9), bent(y.z, 1)), 1.3)
    },
    Definition("a gain of nothing", make("liftGammaGain:gain=0:1:1,offset=0.2:0:0")) {
      SIMD3(0, $0.y, $0.z)
    },
    Definition("oklch", make("oklch:lightness=0.9,chroma=1.3,hue=25")) {
      oklab($0, lightness: 0.9, chroma: 1.3, degrees: 25)
    },
    Definition(
      "gradientMap",
      make("gradientMap:stops=0.1:#102030/0.5:#ff8000/0.9:#ffffe0")
    ) { p in
      let stops: [(Double, SIMD3<Double>)] = [
        (0.1, SIMD3(16, 32, 48)), (0.5, SIMD3(255, 128, 0)), (0.9, SIMD3(255, 255, 224)),
      ]
      let y = min(max(sum([0.299, 0.587, 0.114], p), 0.1), 0.9)
      let (left, right) = y < 0.5 ? (stops[0], stops[1]) : (stops[1], stops[2])
      return (left.1 + (right.1 - left.1) * (y - left.0) / (right.0 - left.0)) / 255
    },
  ]

  /// Color filters that are maps.
  static let maps: [Definition] =
    [0.6, -0.6, 1].map { amount in
      Definition(
        "vibrance 1 \(amount)", make("vibrance", version: 1, "\"amount\":\(amount)")
      ) { p in
        let strength = 1 - (amount > 0 ? 1 : -1) * (p.max() - p.min())
        return luma(p) + (p - luma(p)) * (1 + amount * strength)
      }
    } + [
      Definition(
        "colorCrossPolynomial",
        make(
          "colorCrossPolynomial:red=1:0.2:0:-0.3:0:0.1:0.5:0:-0.2:0.1,"
            + "green=0:1:-0.1:0:0.2:0:-0.4:0.3:0:0,blue=0.1:0:0.5:0:0:0.5:0:-1:1:-0.05")
      ) { p in
        let (r, g, b) = (p.x, p.y, p.z)
        let red: Double = r + 0.2 * g - 0.3 * r * r + 0.1 * b * b + 0.5 * r * g - 0.2 * b * r + 0.1
        let green: Double = g - 0.1 * b + 0.2 * g * g - 0.4 * r * g + 0.3 * g * b
        let blue: Double = 0.1 * r + 0.5 * b + 0.5 * b * b - g * b + b * r - 0.05
        return SIMD3(red, green, blue)
      },
      // Blue at 240 degrees, and halfway to orange at 30.
      Definition(
        "splitTone",
        make(
          "splitTone:shadowHue=240,shadowSaturation=0.8,highlightHue=30,highlightSaturation=0.5,"
            + "balance=0.3")
      ) { p in
        let (shadow, highlight) = (SIMD3(0.1, 0.1, 0.9), SIMD3(0.75, 0.5, 0.25))
        let t = min(max(sum([0.299, 0.587, 0.114], p) + 0.15, 0), 1)
        let share = t * t * (3 - 2 * t)
        return (1 - share) * BlendMode.softLight(backdrop: p, source: shadow)
          + share * BlendMode.softLight(backdrop: p, source: highlight)
      },
    ]

  /// Chains of other definitions, applied in part.
  static let looks: [Definition] = [
    look("tonal", luma),
    look("mono") { (luma($0) - 0.5) * 0.85 + 0.5 },
    look("fade") { 0.06 + 0.9 * saturated($0, 0.75).clamped(lowerBound: .zero, upperBound: .one) },
    look("transfer") {
      0.04 + 0.93
        * ($0 * SIMD3(1.06, 1, 0.92)).clamped(lowerBound: .zero, upperBound: .one)
    },
  ].flatMap { $0 }

  private static func look(
    _ name: String, _ formula: @escaping @Sendable (SIMD3<Double>) -> SIMD3<Double>
  ) -> [Definition] {
    [
      Definition("look \(name)", make("look.\(name)"), formula),
      Definition("0.3 of look \(name)", make("\(name):amount=0.3")) {
        0.7 * $0 + 0.3 * formula($0)
      },
    ]
  }

  @Sendable private static func luma(_ p: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(repeating: sum([0.2126, 0.7152, 0.0722], p))
  }

  private static func saturated(_ p: SIMD3<Double>, _ amount: Double) -> SIMD3<Double> {
    let l = luma(p)
    return l + amount * (p - l)
  }

  private static func cdl(
    _ p: SIMD3<Double>, _ power: (Double, Double) -> Double
  ) -> SIMD3<Double> {
    let y = p * SIMD3(1.2, 0.9, 1.1) + SIMD3(-0.05, 0.02, 0.1)
    return SIMD3(power(y.x, 0.8), power(y.y, 1.3), power(y.z, 1))
  }
}
