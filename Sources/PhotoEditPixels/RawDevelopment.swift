// SPDX-License-Identifier: Apache-2.0

/// The way in which a camera raw file is developed; edits record it.
///
/// Another version of the library can give other pixels for the same file.
public struct RawDevelopment: Sendable, Hashable {
  /// The library and its version: "libraw 0.20.2".
  public var decoder: String
  /// The way in which missing colors are interpolated: "ahd" or "xtrans"; "none" if each pixel has
  /// all colors.
  public var demosaic: String
  /// The treatment of clipped highlights: "blend" keeps the light of channels that are not clipped.
  public var highlights: String
  /// The factors of red, green and blue for the white balance of the camera, relative to green;
  /// empty if the file does not record them, and daylight is assumed.
  public var whiteBalance: [Double]

  /// Creates a description from its parts.
  public init(decoder: String, demosaic: String, highlights: String, whiteBalance: [Double]) {
    (self.decoder, self.demosaic) = (decoder, demosaic)
    (self.highlights, self.whiteBalance) = (highlights, whiteBalance)
  }
}
