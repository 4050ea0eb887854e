// SPDX-License-Identifier: Apache-2.0

/// How a container describes the colours of pictures.
public struct MovieColour: Sendable, Hashable {
  /// Primaries by ITU-T H.273: 1 is BT.709, 9 BT.2020, 12 Display P3; 2 is unspecified.
  public var primaries = 2
  /// Transfer by ITU-T H.273: 1 is BT.709, 16 PQ, 18 HLG; 2 is unspecified.
  public var transfer = 2
  /// Matrix by ITU-T H.273: 1 is BT.709, 9 BT.2020; 2 is unspecified.
  public var matrix = 2
  /// Whether luma uses 0 to 255; nil when the container leaves that to the packets.
  public var isFullRange: Bool?
  /// Whether there is an ICC profile.
  public var hasProfile = false
  /// Whether the display of the mastering is described (mdcv).
  public var hasMasteringDisplay = false
  /// The brightest pixel and the brightest average of a frame, in cd/m² (clli).
  public var lightLevel: LightLevel?
  /// The profile of Dolby Vision; nil without.
  public var dolbyVisionProfile: Int?

  /// The brightest of a movie.
  public struct LightLevel: Sendable, Hashable {
    /// Of all pixels, cd/m².
    public var pixel: Int
    /// Of the averages of all frames, cd/m².
    public var frameAverage: Int
  }

  /// Whether it is of high dynamic range.
  public var isHDR: Bool { transfer == 16 || transfer == 18 || dolbyVisionProfile != nil }

  /// Reads the boxes of a video sample description; nil when none is about colours.
  init?(_ boxes: [Box], in reader: BoxReader) {
    var isSaid = false
    for box in boxes {
      do throws(MovieError) {
        isSaid = try read(reader.reader(box), box.type) || isSaid
      } catch {
        // A description that ends early describes nothing; the packets are copied as they are.
        continue
      }
    }
    guard isSaid else { return nil }
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
      lightLevel = LightLevel(pixel: Int(try cursor.u16()), frameAverage: Int(try cursor.u16()))
    case "dvcC", "dvvC", "dvwC":
      try cursor.skip(2)
      dolbyVisionProfile = Int(try cursor.u8() >> 1)
    default: return false
    }
    return true
  }
}
