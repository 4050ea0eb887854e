// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage
import PhotoEditTestSupport

/// Computed JPEG files, and properties of finished ones.
enum JPEGs {
  /// A photo-like chart encoded with given tables and sampling.
  static func encode(
    _ image: ImageBuffer, luma: QuantizationTable, chroma: QuantizationTable,
    sampling: ChromaSampling, segments: [JPEGSegment] = []
  ) throws -> FileBytes {
    let settings = JPEGSettings(
      isGray: image.layout.channels == .gray, luma: luma, chroma: chroma, sampling: sampling)
    let encoder = JPEGStripEncoder(width: image.size.width, settings: settings)
    let height = JPEGStripEncoder.bandHeight(settings)
    let stride = image.layout.bytesPerRow(width: image.size.width)
    var bands: [[UInt8]] = []
    for first in Swift.stride(from: 0, to: image.size.height, by: height) {
      let rows = min(height, image.size.height - first)
      bands.append(
        try image.bytes.withUnsafeBytes {
          try encoder.encode(
            rows: rows, layout: image.layout, from: $0.baseAddress! + first * stride,
            bytesPerRow: stride)
        })
    }
    return FileBytes(try JPEGAssembler.join(bands: bands, size: image.size, segments: segments))
  }

  /// Smooth waves, which JPEG encodes well.
  static func waves(_ width: Int, _ height: Int, _ channels: ChannelLayout = .rgb) -> ImageBuffer {
    Charts.image(width, height, channels) { x, y, channel in
      let phase = (x * (channel + 2) + y * (3 - channel)) % 256
      return phase < 128 ? phase * 2 : 510 - phase * 2
    }
  }

  static func frame(_ bytes: FileBytes) throws -> JPEGFrame { try JPEGDecoder(bytes).frame }

  /// The frame of a rendering.
  static func frame(_ rendering: Rendering) throws -> JPEGFrame {
    try frame(FileBytes(rendering.jpeg))
  }

  /// "4:2:0" and the like, or "gray"; sampling factors of one component have no meaning.
  static func sampling(_ frame: JPEGFrame) -> String {
    guard frame.components.count == 3 else { return "gray" }
    let (y, c) = (frame.components[0], frame.components[1])
    return ChromaSampling.name(
      y.horizontalSampling / c.horizontalSampling, y.verticalSampling / c.verticalSampling)
  }
}

extension ChromaSampling {
  fileprivate static func name(_ horizontal: Int, _ vertical: Int) -> String {
    [s444, s422, s420].first { $0.horizontal == horizontal && $0.vertical == vertical }?.description
      ?? "\(horizontal)×\(vertical)"
  }
}
