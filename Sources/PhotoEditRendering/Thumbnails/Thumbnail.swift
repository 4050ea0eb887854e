// SPDX-License-Identifier: Apache-2.0
public import PhotoEditCodecs
public import PhotoEditPixels

/// A small image in sRGB with its orientation applied: 8-bit gray or RGB, without transparency.
public struct Thumbnail: Sendable, Hashable {
  /// The default quality of its JPEG, on libjpeg's scale.
  public static let quality = 85

  /// The pixels.
  public let image: ImageBuffer
  /// Indicates whether it is a thumbnail that was already in the file: it can be smaller than
  /// requested, and need not match the image.
  public let isDegraded: Bool

  /// Creates a thumbnail from pixels in sRGB.
  package init(_ image: ImageBuffer, isDegraded: Bool = false) {
    self.image = image
    self.isDegraded = isDegraded
  }

  /// The width and height.
  public var size: PixelSize { image.size }
  /// Indicates whether it has no color.
  public var isGray: Bool { image.layout.channels == .gray }

  /// Returns the thumbnail as a JPEG with 4:2:0 chroma sampling.
  ///
  /// If it has color, it has an sRGB profile; it contains no metadata about location, date or
  /// author.
  ///
  /// - Parameter quality: From 1 to 100 on libjpeg's scale.
  /// - Throws: `CodecError.encoding` for more than 65,500 pixels in a row or column.
  public func jpeg(quality: Int = Thumbnail.quality) throws(CodecError) -> [UInt8] {
    precondition((1...100).contains(quality), "qualities run from 1 to 100")
    let settings = JPEGSettings(quality: quality, sampling: .s420, isGray: isGray)
    let encoder = try JPEGBandEncoder(
      width: image.size.width, settings: settings, layout: image.layout)
    let assembler = try JPEGAssembler(
      size: image.size, segments: isGray ? [] : Self.profileSegments)
    let bytesPerRow = image.layout.bytesPerRow(width: image.size.width)
    let bandHeight = JPEGStripEncoder.bandHeight(settings)
    for (index, first) in stride(from: 0, to: image.size.height, by: bandHeight).enumerated() {
      let rows = min(bandHeight, image.size.height - first)
      try encoder.begin(rows: rows)
      try image.bytes.withUnsafeBufferPointer { bytes throws(CodecError) in
        guard let base = bytes.baseAddress else { return }
        try encoder.write(
          rows: rows, from: base + first * bytesPerRow, bytesPerRow: bytesPerRow)
      }
      try encoder.end { band throws(CodecError) in try assembler.add(band, at: index) }
    }
    return try assembler.finish()
  }

  /// Returns the thumbnail as an 8-bit PNG in sRGB, without metadata.
  ///
  /// - Throws: `CodecError.encoding` if it cannot be encoded.
  public func png() throws(CodecError) -> [UInt8] {
    let encoder = try PNGRows(size: image.size, layout: image.layout)
    try encoder.write(image.bytes, rows: image.size.height)
    try encoder.finish()
    return encoder.readBytes()
  }

  private static let profileSegments: [JPEGSegment] =
    ICCProfile.sRGB.flatMap { ICCProfile.segments(for: $0.bytes) } ?? []
}
