// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

extension RenderedImageProperties {
  /// A thumbnail of a rendering, as 8-bit gray or RGB without gaps between rows.
  public struct Thumbnail: Hashable, Sendable {
    /// The longest side allowed for a thumbnail in EXIF.
    ///
    /// - Source: JEITA CP-3461 (DCF 2.0), 3.3.5.
    public static let maximumSide = 160

    /// Width and height, each from 1 to `maximumSide`.
    public let size: PixelSize
    /// Indicates whether a pixel has one byte (gray) rather than three.
    public let isGray: Bool
    /// The pixels, starting at the top left.
    public let pixels: [UInt8]

    /// Creates a thumbnail; nil if the size is out of range or the number of bytes does not match.
    public init?(size: PixelSize, isGray: Bool, pixels: [UInt8]) {
      guard (1...Self.maximumSide).contains(size.width),
        (1...Self.maximumSide).contains(size.height),
        pixels.count == size.pixelCount * (isGray ? 1 : 3)
      else { return nil }
      self.size = size
      self.isGray = isGray
      self.pixels = pixels
    }
  }
}

extension RenderedImageProperties.Thumbnail {
  /// Returns the size of an image's thumbnail: at most `maximumSide`, and never larger than the
  /// image.
  package static func size(of image: PixelSize) -> PixelSize {
    let longest = max(1, image.width, image.height)
    guard longest > maximumSide else { return image }
    func side(_ side: Int) -> Int { max(1, (side * maximumSide + longest / 2) / longest) }
    return PixelSize(width: side(image.width), height: side(image.height))
  }

  /// Returns a JPEG of the thumbnail with 4:2:0 chroma subsampling; nil if it does not fit in
  /// `limit` bytes at any usable quality.
  func jpeg(atMost limit: Int) -> [UInt8]? {
    for quality in [80, 65, 50, 35, 20, 10] {
      guard let bytes = try? jpeg(quality: quality) else { return nil }
      if bytes.count <= limit { return bytes }
    }
    return nil
  }

  private func jpeg(quality: Int) throws(CodecError) -> [UInt8] {
    let settings = JPEGSettings(quality: quality, sampling: .s420, isGray: isGray)
    let encoder = JPEGStripEncoder(width: size.width, settings: settings)
    let layout = RowLayout(channels: isGray ? .gray : .rgb, bytesPerSample: 1)
    let bytesPerRow = layout.bytesPerRow(width: size.width)
    var bands: [[UInt8]] = []
    for first in stride(from: 0, to: size.height, by: JPEGStripEncoder.bandHeight(settings)) {
      let rows = min(JPEGStripEncoder.bandHeight(settings), size.height - first)
      let band = Array(pixels[(first * bytesPerRow)..<((first + rows) * bytesPerRow)])
      bands.append(
        try band.withUnsafeBufferPointer { bytes throws(CodecError) in
          guard let base = bytes.baseAddress else { return [] }
          return try encoder.encode(
            rows: rows, layout: layout, from: base, bytesPerRow: bytesPerRow)
        })
    }
    return try JPEGAssembler.join(bands: bands, size: size, addsJFIF: false)
  }
}
