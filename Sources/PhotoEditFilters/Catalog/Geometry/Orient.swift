// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

public struct Orient: Filter {
  public static let schema = FilterSchema<Self>(
    "orient", "Rotates or flips the image to an EXIF orientation.",
    aliases: ["autoOrient"],
    equivalents: "Core Image imageByApplyingCGOrientation; ImageMagick -orient; libvips autorot",
    formula: "the pixel at (x, y) comes from the position defined by the tag value",
    source: "CIPA DC-008 (Exif 2.32), tag 0x0112", dependency: .geometry, tolerance: "E1",
    parameters: [
      Parameter("exif", \.exif, in: 1...8, identity: 1, "EXIF orientation to apply.")
    ])

  /// An EXIF orientation, 1 to 8.
  public var exif = 1

  public init() {}

  /// Creates the filter.
  public init(_ orientation: Orientation) { exif = orientation.rawValue }

  public func lowered(in context: LoweringContext) -> [FilterOperation] {
    guard let orientation = Orientation(rawValue: exif), orientation != .up else { return [] }
    return [.orient(orientation)]
  }
}
