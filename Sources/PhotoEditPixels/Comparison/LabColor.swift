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
    self.lightness = lightness
    self.a = a
    self.b = b
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
}
