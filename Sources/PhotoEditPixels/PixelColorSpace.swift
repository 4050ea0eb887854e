// SPDX-License-Identifier: Apache-2.0

/// The color space of some numbers, by its name and its ICC profile.
public struct PixelColorSpace: Sendable, Hashable, CustomStringConvertible {
  /// The name of the space, such as "sRGB" or "Display P3".
  public let name: String
  /// The profile, for color management of the caller's own; nil for sRGB, which needs none.
  public let icc: [UInt8]?

  /// sRGB; for gray, its transfer curve.
  public static let sRGB = PixelColorSpace(name: "sRGB", icc: nil)

  /// Makes a color space of its parts.
  public init(name: String, icc: [UInt8]?) {
    self.name = name
    self.icc = icc
  }

  /// The name.
  public var description: String { name }
}
