// SPDX-License-Identifier: Apache-2.0

/// The color description of a video in its container.
public struct VideoColorProperties: Sendable, Hashable {
  /// Color primaries as in ITU-T H.273: 1 is BT.709, 9 BT.2020, 12 Display P3; 2 is unspecified.
  public var primaries = 2
  /// Transfer characteristics as in ITU-T H.273: 1 is BT.709, 16 PQ, 18 HLG; 2 is unspecified.
  public var transfer = 2
  /// Matrix coefficients as in ITU-T H.273: 1 is BT.709, 9 BT.2020; 2 is unspecified.
  public var matrix = 2
  /// Indicates whether luma uses 0 to 255; nil if the container leaves that to the packets.
  public var isFullRange: Bool?
  /// Indicates whether there is an ICC profile.
  public var hasProfile = false
  /// Indicates whether the mastering display is described (mdcv).
  public var hasMasteringDisplay = false
  /// The maximum pixel and frame-average light levels, in cd/m² (clli).
  public var lightLevel: ContentLightLevel?
  /// The Dolby Vision profile; nil if absent.
  public var dolbyVisionProfile: Int?

  /// The maximum light levels of a video.
  public struct ContentLightLevel: Sendable, Hashable {
    /// The maximum of all pixels, in cd/m².
    public var pixel: Int
    /// The maximum of all frame averages, in cd/m².
    public var frameAverage: Int
  }

  /// Indicates whether the video has high dynamic range.
  public var isHDR: Bool { transfer == 16 || transfer == 18 || dolbyVisionProfile != nil }

  /// Reads the boxes of a video sample description; nil if none describes color.
  init?(_ boxes: [Box], in reader: BoxReader) {
    var isSpecified = false
    for box in boxes {
      do throws(MovieError) {
        isSpecified = try read(reader.reader(box), box.type) || isSpecified
      } catch {
        // A truncated description is ignored; the packets are copied unchanged.
        continue
      }
    }
    guard isSpecified else { return nil }
  }

  private mutating func read(_ reader: BoxReader, _ type: FourCC) throws(MovieError) -> Bool {
    var cursor = reader
    switch type {
    case "colr":
      let form = try cursor.fourCC()
      if form == "prof" || form == "rICC" { hasProfile = true }
      guard form == "nclc" || form == "nclx" else { return hasProfile }
      primaries = Int(try cursor.u16())
      transfer = Int(try cursor.u16())
      matrix = Int(try cursor.u16())
      if form == "nclx" { isFullRange = try cursor.u8() >> 7 == 1 }
    case "mdcv": hasMasteringDisplay = true
    case "clli":
      lightLevel = ContentLightLevel(
        pixel: Int(try cursor.u16()), frameAverage: Int(try cursor.u16()))
    case "dvcC", "dvvC", "dvwC":
      try cursor.skip(2)
      dolbyVisionProfile = Int(try cursor.u8() >> 1)
    default: return false
    }
    return true
  }
}
