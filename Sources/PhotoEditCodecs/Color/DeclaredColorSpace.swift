// SPDX-License-Identifier: Apache-2.0

/// Color information of a file in addition to, or instead of, a profile.
package struct DeclaredColorSpace: Sendable, Hashable {
  /// The source of the information: "EXIF", or the names of chunks.
  package let origin: String
  /// The display name of the color space.
  package let name: String
  /// The primaries; ignored for grayscale images.
  package let primaries: ColorPrimaries
  /// The transfer function.
  package let transfer: TransferFunction
  /// Indicates whether this takes precedence over a profile.
  package let precedesProfile: Bool
  /// The reason why the image cannot be read; nil if it can.
  package let refusal: TransferFunction.Refusal?

  init(
    origin: String, name: String, primaries: ColorPrimaries, transfer: TransferFunction,
    precedesProfile: Bool = false, refusal: TransferFunction.Refusal? = nil
  ) {
    self.origin = origin
    self.name = name
    self.primaries = primaries
    self.transfer = transfer
    self.precedesProfile = precedesProfile
    self.refusal = refusal
  }

  /// Adobe RGB (1998), as marked by cameras.
  ///
  /// - Source: CIPA DC-010 (DCF 2.0 with the optional color space), DC-008 for the tags.
  static let exifAdobeRGB = DeclaredColorSpace(
    origin: "EXIF", name: "Adobe RGB (1998)", primaries: .adobeRGB,
    transfer: .gamma(2.199_218_75))

  /// The color space of the rendering: the same space, or its primaries with the sRGB curve if
  /// eight bits would be too coarse for its own curve.
  ///
  /// Only a profile requires its own curve; otherwise the same colors are sufficient.
  var rendered: DeclaredColorSpace {
    guard transfer.isCoarseInDarks else { return self }
    let name =
      primaries == .sRGB
      ? "sRGB" : primaries == .displayP3 ? "Display P3" : "\(name) with the sRGB curve"
    return DeclaredColorSpace(origin: origin, name: name, primaries: primaries, transfer: .sRGB)
  }

  /// Returns the equivalent profile.
  func profile(isGray: Bool) -> ICCProfile? {
    if isGray { return .gray(transfer: transfer, description: "Gray, \(name)") }
    if self == Self.exifAdobeRGB { return .adobeRGB }
    return .matrix(primaries: primaries, transfer: transfer, description: name)
  }
}
