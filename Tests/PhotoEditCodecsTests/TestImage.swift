// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage

@testable import PhotoEditCodecs

/// Images and files created by the tests of this module.
enum TestImage {
  /// Ramps with a checkerboard on the last channel; adjacent rows and columns differ.
  static func make(
    _ width: Int, _ height: Int, _ channels: ChannelLayout = .rgb, bytesPerSample: Int = 1
  ) -> ImageBuffer {
    var image = ImageBuffer(
      size: PixelSize(width: width, height: height),
      layout: RowLayout(channels: channels, bytesPerSample: bytesPerSample))
    for y in 0..<height {
      for x in 0..<width {
        for c in 0..<channels.count {
          let value =
            switch c {
            case 0: x * 5 + y
            case 1: 250 - y * 3 + x / 2
            case 2: (x / 8 + y / 8) % 2 * 200 + x % 8
            default: x * 7 + y * 2 + 1
            }
          let byte = (value % 256 + 256) % 256
          image[x: x, y: y, channel: c] = bytesPerSample == 1 ? byte : byte * 257 ^ 0x35
        }
      }
    }
    return image
  }

  /// Encodes an image as JPEG, in bands of the given height.
  static func jpeg(
    _ image: ImageBuffer, _ settings: JPEGSettings, rowsPerBand: Int? = nil,
    segments: [JPEGSegment] = []
  ) throws -> [UInt8] {
    let encoder = JPEGStripEncoder(width: image.size.width, settings: settings)
    let bytesPerRow = image.layout.bytesPerRow(width: image.size.width)
    let height = image.size.height
    var bands: [[UInt8]] = []
    for y in stride(from: 0, to: height, by: rowsPerBand ?? height) {
      let rows = min(rowsPerBand ?? height, height - y)
      let band = try image.bytes.withUnsafeBytes { memory in
        try encoder.encode(
          rows: rows, layout: image.layout, from: memory.baseAddress! + y * bytesPerRow,
          bytesPerRow: bytesPerRow)
      }
      bands.append(band)
    }
    return try JPEGAssembler.join(bands: bands, size: image.size, segments: segments)
  }

  /// Decodes some rows per call into memory filled with `poison`; returns the image and notices.
  static func decode(
    _ bytes: [UInt8], _ options: DecoderOptions = DecoderOptions(), rowsPerCall: Int = 16,
    poison: UInt8 = 0xAA
  ) throws(CodecError) -> (image: ImageBuffer, notices: [DecoderWarning]) {
    let decoder = try ImageDecoders.open(FileBytes(bytes), options: options)
    let (size, layout) = (decoder.header.size, decoder.header.layout)
    let bytesPerRow = layout.bytesPerRow(width: size.width)
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: bytesPerRow * (size.height + rowsPerCall), alignment: 16)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: poison)
    var rows = 0
    while true {
      let count = try decoder.readRows(
        rowsPerCall, into: memory.baseAddress! + rows * bytesPerRow, bytesPerRow: bytesPerRow)
      rows += count
      if count < rowsPerCall { break }
    }
    let image = ImageBuffer(
      size: size, layout: layout, bytes: Array(memory.prefix(rows * bytesPerRow)))
    return (image, decoder.notices)
  }

  /// The largest difference between two samples.
  static func distance(_ a: ImageBuffer, _ b: ImageBuffer) -> Int {
    guard a.size == b.size, a.layout == b.layout, a.layout.bytesPerSample == 1 else { return .max }
    return zip(a.bytes, b.bytes).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
  }

  /// The image with the orientation applied.
  static func rotated(_ image: ImageBuffer, _ orientation: Orientation) -> ImageBuffer {
    var result = ImageBuffer(size: orientation.applied(to: image.size), layout: image.layout)
    for y in 0..<result.size.height {
      for x in 0..<result.size.width {
        let from = orientation.storedPosition(x: x, y: y, stored: image.size)
        for c in 0..<image.layout.channels.count {
          result[x: x, y: y, channel: c] = image[x: from.x, y: from.y, channel: c]
        }
      }
    }
    return result
  }

  /// A part of an image.
  static func cropped(_ image: ImageBuffer, _ region: Region) -> ImageBuffer {
    var result = ImageBuffer(size: region.size, layout: image.layout)
    for y in 0..<region.height {
      for x in 0..<region.width {
        for c in 0..<image.layout.channels.count {
          result[x: x, y: y, channel: c] =
            image[x: region.x + x, y: region.y + y, channel: c]
        }
      }
    }
    return result
  }
}

/// The error thrown by a closure, or nil.
func codecError(_ body: () throws -> Void) -> CodecError? {
  do {
    try body()
    return nil
  } catch {
    return error as? CodecError
  }
}

/// The offset of the first marker of a kind in a JPEG.
func markerOffset(_ marker: UInt8, in bytes: [UInt8]) throws -> Int {
  for i in 0..<bytes.count - 1 where bytes[i] == 0xFF && bytes[i + 1] == marker { return i }
  throw CodecError.encoding("there is no marker \(marker)")
}
