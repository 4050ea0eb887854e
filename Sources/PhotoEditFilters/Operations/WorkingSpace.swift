// SPDX-License-Identifier: Apache-2.0

/// The color space in which filters work: the primaries and the white point of the source, with the
/// transfer curve of sRGB.
///
/// It is used wherever colors have an absolute meaning: linear luminance, Oklab, the white balance,
/// colors written as `#rrggbb`, and composited images. White is the same in every color space, so a
/// gray has the same meaning in all of them.
public struct WorkingSpace: Sendable, Hashable {
  /// The matrix from linear red, green and blue to X, Y and Z under D65; white has Y = 1.
  public let toXYZ: ColorTransform

  /// Creates a color space from the matrix from its linear values to X, Y and Z.
  ///
  /// - Parameter toXYZ: An invertible matrix that maps (1, 1, 1) to D65.
  public init(toXYZ: ColorTransform) { self.toXYZ = toXYZ }

  /// The color space of images that specify none.
  public static let sRGB = WorkingSpace(toXYZ: ChromaticAdaptation.sRGBToXYZ)

  /// The weights of red, green and blue in linear luminance.
  var luminance: [Double] { toXYZ.rows[1] }

  /// Returns the matrix from linear values of another color space to this one; nil if they are the
  /// same.
  ///
  /// Relative colorimetric: nothing is clamped.
  func matrix(from other: WorkingSpace) -> ColorTransform? {
    other == self ? nil : other.toXYZ.followed(by: toXYZ.inverse)
  }

  /// Returns the values of an sRGB color; colors outside the color space are below 0 or above 1.
  public func numbers(of color: SIMD3<Double>) -> SIMD3<Double> {
    guard !color.hasEqualChannels, let matrix = matrix(from: .sRGB) else {
      return color
    }
    let linear = matrix.applied(
      to: SIMD3(
        SRGBTransfer.decode(color.x), SRGBTransfer.decode(color.y), SRGBTransfer.decode(color.z)))
    return SIMD3(
      SRGBTransfer.encode(linear.x), SRGBTransfer.encode(linear.y), SRGBTransfer.encode(linear.z))
  }
}

extension Background {
  /// The levels as fractions of the maximum, red, green and blue.
  public var levels: SIMD3<Double> { SIMD3(Double(red), Double(green), Double(blue)) / 255 }
}

extension LoweringContext {
  /// Returns the values of an sRGB color in the current image.
  func numbers(of color: Background) -> SIMD3<Double> {
    space?.numbers(of: color.levels) ?? color.levels
  }
}
