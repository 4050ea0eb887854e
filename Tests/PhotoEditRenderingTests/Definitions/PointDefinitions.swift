// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPlatform

extension Definition {
  /// Every filter that changes each channel separately.
  static let curves: [Definition] = [
    Definition("exposure +1.5", make("exposure:ev=1.5,rolloff=0")) {
      encoded(linear($0) * exp2(1.5))
    },
    Definition("exposure 1 +0.7", make("exposure", version: 1, #""ev":0.7,"black":0"#)) {
      encoded(linear($0) * exp2(0.7))
    },
    Definition("exposure -2, black", make("exposure:ev=-2,black=0.02")) {
      encoded((linear($0) - 0.02) / (4 - 0.02))
    },
    Definition("brightness", make("brightness:amount=-0.3")) { $0 - 0.3 },
    Definition("contrast", make("contrast:amount=1.7,pivot=0.4")) { ($0 - 0.4) * 1.7 + 0.4 },
    Definition("contrast in linear light", make("contrast:amount=1.3,light=linear")) {
      encoded(0.18 * pow(linear($0) / 0.18, 1.3))
    },
    Definition("gamma", make("gamma:power=2.2")) { pow($0, 2.2) },
    Definition("gamma below one", make("gamma:power=0.45")) { pow($0, 0.45) },
    Definition(
      "levels", make("levels:inBlack=0.1,inWhite=0.8,gamma=1.6,outBlack=0.05,outWhite=0.9")
    ) { 0.05 + 0.85 * pow(min(max(($0 - 0.1) / 0.7, 0), 1), 1 / 1.6) },
    Definition("levels upside down", make("levels:inBlack=0.8,inWhite=0.1")) {
      min(max(($0 - 0.8) / -0.7, 0), 1)
    },
    Definition("levels of green", make("levels:inBlack=0.2,channel=g")) {
      SIMD3($0.x, min(max(($0.y - 0.2) / 0.8, 0), 1), $0.z)
    },
    Definition(
      "straight curve of blue", make("curve:points=0:0.2/0.5:0.4/1:0,channel=b,interp=linear")
    ) {
      SIMD3($0.x, $0.y, $0.z < 0.5 ? 0.2 + 0.4 * $0.z : 0.8 - 0.8 * $0.z)
    },
    Definition("invert", make("invert")) { 1 - $0 },
    Definition("half an invert", make("invert:amount=0.25")) { 0.25 + $0 * 0.5 },
  ]

  /// Every filter that mixes the channels of a pixel.
  static let colors: [Definition] =
    [
      Definition("saturate", make("saturate:amount=1.8")) { p in
        let l = sum([0.2126, 0.7152, 0.0722], p)
        return l + 1.8 * (p - l)
      },
      Definition("saturate with the weights of 601", make("saturate:amount=0.3,weights=rec601")) {
        p in
        let l = sum([0.299, 0.587, 0.114], p)
        return l + 0.3 * (p - l)
      },
      Definition("sepia", make("sepia:amount=0.6")) { p in
        let tint = SIMD3(
          sum([0.393, 0.769, 0.189], p), sum([0.349, 0.686, 0.168], p),
          sum([0.272, 0.534, 0.131], p))
        return 0.6 * tint + 0.4 * p
      },
      Definition("hue-rotate of CSS", make("hueRotate:angle=70")) { p in
        let (c, s) = (cos(70 * Double.pi / 180), sin(70 * Double.pi / 180))
        // Filter Effects 1: W + cos·(I − W) + sin·C with luminance coefficients of three digits.
        let w = sum([0.213, 0.715, 0.072], p)
        let rotation = SIMD3(
          sum([-0.213, -0.715, 0.928], p), sum([0.143, 0.140, -0.283], p),
          sum([-0.787, 0.715, 0.072], p))
        return w + c * (p - w) + s * rotation
      },
      Definition("hue of Oklch", make("hueRotate:angle=-40,method=oklch")) { p in
        oklab(p, degrees: -40)
      },
      Definition(
        "colorMatrix",
        make("colorMatrix:matrix=0.5:0.2:0.1:-0.3:1.2:0.4:0:0.9:-1,bias=0.1:-0.2:0.3")
      ) { p in
        SIMD3(
          sum([0.5, 0.2, 0.1], p) + 0.1, sum([-0.3, 1.2, 0.4], p) - 0.2, sum([0, 0.9, -1], p) + 0.3)
      },
      Definition(
        "colorMatrix to monochrome",
        make("colorMatrix:matrix=0.5:0.2:0.1:0:0:0:0:0:0,bias=0.1:9e-1:0,monochrome=true")
      ) { SIMD3(repeating: sum([0.5, 0.2, 0.1], $0) + 0.1) },
    ] + grays

  private static let grays: [Definition] = [
    gray("luma601") { sum([0.299, 0.587, 0.114], $0) },
    gray("luma709") { sum([0.2126, 0.7152, 0.0722], $0) },
    gray("average") { ($0.x + $0.y + $0.z) / 3 },
    gray("luminance") {
      encoded(sum([0.2126, 0.7152, 0.0722], SIMD3(linear($0.x), linear($0.y), linear($0.z))))
    },
    gray("max") { $0.max() },
    gray("min") { $0.min() },
  ].flatMap { $0 }

  /// A mode at its full amount and in part.
  private static func gray(
    _ mode: String, _ value: @escaping @Sendable (SIMD3<Double>) -> Double
  ) -> [Definition] {
    [
      Definition("grayscale \(mode)", make("grayscale:mode=\(mode)")) {
        SIMD3(repeating: value($0))
      },
      Definition("0.3 of grayscale \(mode)", make("grayscale:mode=\(mode),amount=0.3")) {
        0.7 * $0 + 0.3 * value($0)
      },
    ]
  }

  /// Ottosson 2020, with the published inverse matrices instead of computed inverses.
  static func oklab(
    _ p: SIMD3<Double>, lightness scale: Double = 1, chroma: Double = 1, degrees: Double
  ) -> SIMD3<Double> {
    let lab = oklab(p)
    let (c, n) = (chroma * cos(degrees * .pi / 180), chroma * sin(degrees * .pi / 180))
    return oklab(from: SIMD3(scale * lab.x, lab.y * c - lab.z * n, lab.y * n + lab.z * c))
  }

  /// Lightness and opponent axes of an encoded color.
  static func oklab(_ p: SIMD3<Double>) -> SIMD3<Double> {
    let rgb = SIMD3(linear(p.x), linear(p.y), linear(p.z))
    let l = cbrt(sum([0.4122214708, 0.5363325363, 0.0514459929], rgb))
    let m = cbrt(sum([0.2119034982, 0.6806995451, 0.1073969566], rgb))
    let s = cbrt(sum([0.0883024619, 0.2817188376, 0.6299787005], rgb))
    let lms = SIMD3(l, m, s)
    return SIMD3(
      sum([0.2104542553, 0.7936177850, -0.0040720468], lms),
      sum([1.9779984951, -2.4285922050, 0.4505937099], lms),
      sum([0.0259040371, 0.7827717662, -0.8086757660], lms))
  }

  /// The encoded color of lightness and opponent axes.
  static func oklab(from lab: SIMD3<Double>) -> SIMD3<Double> {
    func cube(_ v: Double) -> Double { v * v * v }
    let back = SIMD3(
      cube(sum([1, 0.3963377774, 0.2158037573], lab)),
      cube(sum([1, -0.1055613458, -0.0638541728], lab)),
      cube(sum([1, -0.0894841775, -1.2914855480], lab)))
    return SIMD3(
      encoded(sum([4.0767416621, -3.3077115913, 0.2309699292], back)),
      encoded(sum([-1.2684380046, 2.6097574011, -0.3413193965], back)),
      encoded(sum([-0.0041960863, -0.7034186147, 1.7076147010], back)))
  }
}
