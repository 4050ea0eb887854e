// SPDX-License-Identifier: Apache-2.0

/// What a file says about its colours besides, or instead of, a profile.
package struct StatedColor: Sendable, Hashable {
  /// Where it says so: "EXIF", or the names of chunks.
  package let origin: String
  /// The name of the space, for people.
  package let name: String
  /// Its lights; of no account in a picture without colour.
  package let primaries: ColorPrimaries
  /// Its curve.
  package let transfer: TransferFunction
  /// Whether it counts although there is a profile.
  package let precedesProfile: Bool
  /// Why the picture cannot be read; nil when it can.
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

  /// Adobe RGB (1998), as cameras state it.
  ///
  /// - Source: CIPA DC-010 (DCF 2.0 with the optional colour space), DC-008 for the tags.
  static let exifAdobeRGB = StatedColor(
    origin: "EXIF", name: "Adobe RGB (1998)", primaries: .adobeRGB,
    transfer: .gamma(2.199_218_75))

  /// The space of the rendering: the same one, or, where eight bits would be too coarse for its
  /// curve, its lights with the curve of sRGB.
  ///
  /// Only a profile demands its curve; a statement is met by the same colours.
  var rendered: StatedColor {
    guard transfer.isCoarseInDarks else { return self }
    let name =
      primaries == .sRGB
      ? "sRGB" : primaries == .displayP3 ? "Display P3" : "\(name) with the curve of sRGB"
    return StatedColor(origin: origin, name: name, primaries: primaries, transfer: .sRGB)
  }

  /// The profile that says the same.
  func profile(isGray: Bool) -> ICCProfile? {
    if isGray { return .gray(transfer: transfer, description: "Gray, \(name)") }
    if self == Self.exifAdobeRGB { return .adobeRGB }
    return .matrix(primaries: primaries, transfer: transfer, description: name)
  }
}
