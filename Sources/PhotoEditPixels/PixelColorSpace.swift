// SPDX-License-Identifier: Apache-2.0

/// A color space, identified by its name and its ICC profile.
public struct PixelColorSpace: Sendable, Hashable, CustomStringConvertible {
  /// The name of the color space, such as "sRGB" or "Display P3".
  public let name: String
  /// The profile, for color management by the caller; nil for sRGB, which needs none.
  public let icc: [UInt8]?

  /// sRGB; for gray, its transfer curve.
  public static let sRGB = PixelColorSpace(name: "sRGB", icc: nil)

  /// Creates a color space from its name and profile.
  public init(name: String, icc: [UInt8]?) {
    self.name = name
    self.icc = icc
  }

  /// The name.
  public var description: String { name }
}
