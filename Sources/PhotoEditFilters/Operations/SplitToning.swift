// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditPlatform

/// A tint for dark pixels and another one for bright pixels.
///
/// With c = clamp(x), the luma y = 0.299 R + 0.587 G + 0.114 B, t = clamp(y + balance/2) and h =
/// t²·(3 − 2t): x + (1 − h)·(S(c, shadow) − c) + h·(S(c, highlight) − c), where S is the soft-light
/// of W3C Compositing and Blending 1. A tint is the color of its hue at the distance from gray 0.5
/// given by its saturation; that gray changes nothing.
public struct SplitToning: Sendable, Hashable, PixelMapping {
  /// 2·tint − 1 for red, green and blue: −1 darkens most, 1 brightens most.
  public let shadow: SIMD3<Double>
  /// The same for bright pixels.
  public let highlight: SIMD3<Double>
  /// The offset added to luma before it is used for weighting.
  public let shift: Double

  /// Creates tints.
  ///
  /// - Parameters:
  ///   - shadow: Hue in degrees and saturation, 0 to 1.
  ///   - highlight: The same for bright pixels.
  ///   - balance: −1 to 1; above zero more pixels count as bright.
  ///   - space: The color space of the image; tints are sRGB colors. Nil uses their values
  ///     unconverted.
  public init(
    shadow: (hue: Double, saturation: Double), highlight: (hue: Double, saturation: Double),
    balance: Double, in space: WorkingSpace? = nil
  ) {
    func pull(_ tint: (hue: Double, saturation: Double)) -> SIMD3<Double> {
      let pull = Self.pull(tint.hue, tint.saturation)
      guard let space, space != .sRGB else { return pull }
      return 2 * space.numbers(of: (pull + 1) / 2) - 1
    }
    self.shadow = pull(shadow)
    self.highlight = pull(highlight)
    shift = balance / 2
  }

  private static func pull(_ hue: Double, _ saturation: Double) -> SIMD3<Double> {
    func channel(_ offset: Double) -> Double {
      let position = fmod(hue / 60 + offset, 6)
      return 2 * min(max(abs(position - 3) - 1, 0), 1) - 1
    }
    return saturation * SIMD3(channel(0), channel(4), channel(2))
  }

  /// Returns the tinted color of a pixel.
  public func callAsFunction(
    _ color: SIMD3<Double>, x: Int = 0, y: Int = 0
  ) -> SIMD3<Double> {
    let bright = smoothStep(min(max(PixelMap.luma(color) + shift, 0), 1))
    var result = color
    for i in 0..<3 {
      let c = min(max(color[i], 0), 1)
      result[i] +=
        (1 - bright) * Self.change(c, shadow[i]) + bright * Self.change(c, highlight[i])
    }
    return result
  }

  /// Returns the change that soft light makes to a level.
  private static func change(_ c: Double, _ pull: Double) -> Double {
    if pull <= 0 { return pull * c * (1 - c) }
    let d = c <= 0.25 ? ((16 * c - 12) * c + 4) * c : c.squareRoot()
    return pull * (d - c)
  }

  package var preservesGray: Bool { false }

  package var kernel: PixelKernel { pe_split_tone }

  package func constants(in memory: any KernelMemory) -> UnsafeRawPointer {
    func floats(_ v: SIMD3<Double>) -> (Float, Float, Float) {
      (Float(v.x), Float(v.y), Float(v.z))
    }
    let tints = pe_tints(
      shadow: floats(shadow), highlight: floats(highlight), shift: Float(shift))
    return UnsafeRawPointer(memory.store([tints]))
  }
}
