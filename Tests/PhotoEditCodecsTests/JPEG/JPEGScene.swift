// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage
import Testing

/// Encodes and patches small JPEG files.
enum JPEGScene {
  /// A photo-like image: smooth, with edges, and without repeated blocks.
  static func scene(width: Int, height: Int, channels: ChannelLayout = .rgb) -> ImageBuffer {
    var image = ImageBuffer(
      size: PixelSize(width: width, height: height), layout: RowLayout(channels: channels))
    for y in 0..<height {
      for x in 0..<width {
        let edge = (x / 11 + y / 7) % 3 == 0 ? 40 : 0
        for c in 0..<channels.count {
          let wave = (x * (3 + c) + y * (5 - c) + x * y / 16) % 300
          image[x: x, y: y, channel: c] = min(255, 30 + (wave < 150 ? wave : 300 - wave) + edge)
        }
      }
    }
    return image
  }

  static func settings(
    quality: Int = 90, sampling: ChromaSampling = .s420, isGray: Bool = false
  ) -> JPEGSettings {
    JPEGSettings(
      isGray: isGray, luma: .standardLuma(quality: quality),
      chroma: .standardChroma(quality: quality), sampling: sampling)
  }

  /// Encodes an image as one band, or as bands of the usual height.
  static func encode(
    _ image: ImageBuffer, _ settings: JPEGSettings, inBands: Bool = false,
    segments: [JPEGSegment] = []
  ) throws -> [UInt8] {
    let encoder = JPEGStripEncoder(width: image.size.width, settings: settings)
    let step = inBands ? JPEGStripEncoder.bandHeight(settings) : image.size.height
    let row = image.layout.bytesPerRow(width: image.size.width)
    let bands = try stride(from: 0, to: image.size.height, by: step).map { start in
      try image.bytes.withUnsafeBytes { bytes in
        try encoder.encode(
          rows: min(step, image.size.height - start), layout: image.layout,
          from: bytes.baseAddress! + start * row, bytesPerRow: row)
      }
    }
    return try JPEGAssembler.join(
      bands: bands, size: image.size, segments: segments, addsJFIF: false)
  }

  /// A segment of a file: the position of its marker and its end.
  struct Segment {
    let marker: UInt8
    let range: Range<Int>
  }

  /// The segments up to the end marker; a scan's range ends with its samples.
  static func segments(of jpeg: [UInt8]) -> [Segment] {
    var found: [Segment] = []
    var position = 2
    while position + 3 < jpeg.count, jpeg[position] == 0xFF {
      let marker = jpeg[position + 1]
      var end = position + 2 + (Int(jpeg[position + 2]) << 8 | Int(jpeg[position + 3]))
      if marker == 0xDA {
        while end + 1 < jpeg.count,
          jpeg[end] != 0xFF || jpeg[end + 1] == 0 || (0xD0...0xD7).contains(jpeg[end + 1])
        { end += 1 }
      }
      found.append(Segment(marker: marker, range: position..<min(end, jpeg.count)))
      position = end
    }
    return found
  }

  /// The first segment with a marker.
  static func segment(_ marker: UInt8, of jpeg: [UInt8]) throws -> Range<Int> {
    try #require(segments(of: jpeg).first { $0.marker == marker }).range
  }
}
