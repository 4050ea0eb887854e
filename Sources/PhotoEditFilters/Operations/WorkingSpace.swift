// SPDX-License-Identifier: Apache-2.0

/// The meaning of the numbers that filters work on: the primaries and the white of the source, with
/// the transfer curve of sRGB.
///
/// What means color goes through it: linear luminance, Oklab, the white balance, colors that are
/// written as `#rrggbb`, and pictures that are laid over. White is white in every space, so that a
/// gray means the same in all of them.
public struct WorkingSpace: Sendable, Hashable {
  /// The matrix from linear red, green and blue to X, Y and Z under D65; white has Y = 1.
  public let toXYZ: ColorTransform

  /// Makes a space of the matrix from its linear light to X, Y and Z.
  ///
  /// - Parameter toXYZ: Leads (1, 1, 1) to D65, and has an inverse.
  public init(toXYZ: ColorTransform) { self.toXYZ = toXYZ }

  /// The space of what states nothing.
  public static let sRGB = WorkingSpace(toXYZ: ChromaticAdaptation.sRGBToXYZ)

  /// The share of red, green and blue in linear luminance.
  var luminance: [Double] { toXYZ.rows[1] }

  /// The matrix that makes linear light of this space of that of another one; nil for the same.
  ///
  /// Relative colorimetric: nothing is cut.
  func matrix(from other: WorkingSpace) -> ColorTransform? {
    other == self ? nil : other.toXYZ.followed(by: toXYZ.inverse)
  }

  /// The numbers of a color of sRGB; what lies outside of the space is below 0 or above 1.
  public func numbers(of color: SIMD3<Double>) -> SIMD3<Double> {
    guard !color.hasEqualChannels, let matrix = matrix(from: .sRGB) else {
      return color
    }
    let light = matrix.applied(
      to: SIMD3(
        SRGBTransfer.decode(color.x), SRGBTransfer.decode(color.y), SRGBTransfer.decode(color.z)))
    return SIMD3(
      SRGBTransfer.encode(light.x), SRGBTransfer.encode(light.y), SRGBTransfer.encode(light.z))
  }
}

extension Background {
  /// The levels as shares of the largest one, red, green and blue.
  public var levels: SIMD3<Double> { SIMD3(Double(red), Double(green), Double(blue)) / 255 }
}

extension LoweringContext {
  /// The numbers of a color of sRGB in the picture that is worked on.
  func numbers(of color: Background) -> SIMD3<Double> {
    space?.numbers(of: color.levels) ?? color.levels
  }
}
