// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// A color in CIE L*a*b* under D65, where equal distances look about equally large.
///
/// - Source: CIE 15:2018 §8.2.1; sRGB from IEC 61966-2-1.
package struct LabColor: Hashable, Sendable {
  /// Lightness, 0 to 100.
  package var lightness: Double
  /// Green (negative) to red.
  package var a: Double
  /// Blue (negative) to yellow.
  package var b: Double

  /// Creates a color from its coordinates.
  package init(lightness: Double, a: Double, b: Double) {
    (self.lightness, self.a, self.b) = (lightness, a, b)
  }

  /// Converts encoded sRGB in 8-bit levels, 0 to 255; values between whole levels are allowed.
  package init(red: Float, green: Float, blue: Float) {
    let r = Self.linear(red)
    let g = Self.linear(green)
    let b = Self.linear(blue)
    // Each row is divided by its sum, the white point, so that gray has exactly zero chroma.
    let x = Self.response((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505)
    let y = Self.response(0.2126 * r + 0.7152 * g + 0.0722 * b)
    let z = Self.response((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.0890)
    self.init(lightness: 116 * y - 16, a: 500 * (x - y), b: 200 * (y - z))
  }

  private static func linear(_ level: Float) -> Double {
    let whole = level.rounded()
    if whole == level, whole >= 0, whole <= 255 { return linearLevels[Int(whole)] }
    return decoded(Double(level) / 255)
  }

  private static let linearLevels: [Double] = (0...255).map { decoded(Double($0) / 255) }

  private static func decoded(_ v: Double) -> Double {
    v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)
  }

  private static func response(_ t: Double) -> Double {
    t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116
  }

  /// Returns the CIEDE2000 color difference; 1 is about the smallest visible difference, 2.3 a
  /// noticeable one.
  ///
  /// - Source: Sharma, Wu and Dalal, *The CIEDE2000 color-difference formula*, Color Research and
  ///   Application 30 (2005), with kL = kC = kH = 1 and the paper's rules for hue at zero chroma.
  package func difference2000(from other: LabColor) -> Double {
    let meanChroma = (chroma(a, b) + chroma(other.a, other.b)) / 2
    let aScale = 1 + 0.5 * (1 - chromaRatio(meanChroma))
    let a1 = a * aScale
    let a2 = other.a * aScale
    let c1 = chroma(a1, b)
    let c2 = chroma(a2, other.b)
    let h1 = hue(a1, b)
    let h2 = hue(a2, other.b)

    // The shorter arc around the circle, and the hue at its midpoint; gray has no hue.
    var hueDifference = 0.0
    var h = h1 + h2
    if c1 * c2 != 0 {
      hueDifference = h2 - h1
      h /= 2
      if hueDifference.magnitude > .pi {
        hueDifference += hueDifference > 0 ? -2 * .pi : 2 * .pi
        h += h < .pi ? .pi : -.pi
      }
    }
    let dL = other.lightness - lightness
    let dC = c2 - c1
    let dH = 2 * (c1 * c2).squareRoot() * sin(hueDifference / 2)

    let l = (lightness + other.lightness) / 2 - 50
    let c = (c1 + c2) / 2
    let degree = Double.pi / 180
    let t =
      1 - 0.17 * cos(h - 30 * degree) + 0.24 * cos(2 * h) + 0.32 * cos(3 * h + 6 * degree)
      - 0.20 * cos(4 * h - 63 * degree)
    let blueness = (h / degree - 275) / 25
    let rotation = -sin(60 * degree * exp(-blueness * blueness)) * 2 * chromaRatio(c)
    let sL = 1 + 0.015 * l * l / (20 + l * l).squareRoot()
    let sC = 1 + 0.045 * c
    let sH = 1 + 0.015 * c * t
    let (kL, kC, kH) = (dL / sL, dC / sC, dH / sH)
    // Rounding can leave a tiny negative number when the difference is zero.
    return max(0, kL * kL + kC * kC + kH * kH + rotation * kC * kH).squareRoot()
  }
}

private func chroma(_ a: Double, _ b: Double) -> Double { (a * a + b * b).squareRoot() }

/// Returns √(C⁷ / (C⁷ + 25⁷)).
private func chromaRatio(_ chroma: Double) -> Double {
  let c3 = chroma * chroma * chroma
  let c7 = c3 * c3 * chroma
  return (c7 / (c7 + 6_103_515_625)).squareRoot()
}

/// Returns the hue angle from 0 to 2π; 0 for gray.
private func hue(_ a: Double, _ b: Double) -> Double {
  if a == 0 && b == 0 { return 0 }
  let angle = atan2(b, a)
  return angle < 0 ? angle + 2 * .pi : angle
}
