// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage

/// Writes PNG files of every color type and depth from known samples.
struct PNGSamples {
  /// The color types of the standard.
  enum ColorType: Int, CaseIterable, Sendable {
    case gray = 0
    case rgb = 2
    case palette = 3
    case grayAlpha = 4
    case rgba = 6

    var samplesPerPixel: Int { [1, 0, 3, 1, 2, 0, 4][rawValue] }
    var depths: [Int] {
      switch self {
      case .gray: [1, 2, 4, 8, 16]
      case .palette: [1, 2, 4, 8]
      default: [8, 16]
      }
    }
  }

  var width = 13
  var height = 11
  let type: ColorType
  let depth: Int
  var isInterlaced = false
  /// The tRNS chunk, or empty.
  var transparency: [UInt8] = []
  /// The number of pieces of the compressed samples.
  var pieces = 1

  /// A sample as stored, of `depth` bits.
  func sample(x: Int, y: Int, channel: Int) -> Int {
    (x * 40_503 + y * 30_011 + channel * 9973 + x * y * 257) % (1 << depth)
  }

  /// The colors of the palette.
  var palette: [[UInt8]] {
    (0..<(1 << min(depth, 8))).map { i in (0..<3).map { UInt8((i * 37 + $0 * 91) % 256) } }
  }

  /// The first column and row of each pass, and the steps to the next ones.
  private var passes: [(x: Int, y: Int, dx: Int, dy: Int)] {
    isInterlaced
      ? [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
        (0, 1, 1, 2),
      ] : [(0, 0, 1, 1)]
  }

  /// The rows with their filter bytes, before compression.
  var raw: [UInt8] {
    var bytes: [UInt8] = []
    for pass in passes where pass.x < width {
      for y in stride(from: pass.y, to: height, by: pass.dy) {
        bytes.append(0)
        var bits = 0
        var count = 0
        for x in stride(from: pass.x, to: width, by: pass.dx) {
          for c in 0..<type.samplesPerPixel {
            bits = bits << depth | sample(x: x, y: y, channel: c)
            count += depth
            while count >= 8 {
              count -= 8
              bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
            bits &= 0xFF
          }
        }
        if count > 0 { bytes.append(UInt8(truncatingIfNeeded: bits << (8 - count))) }
      }
    }
    return bytes
  }

  /// The chunks of the file in order.
  var chunks: [(type: String, body: [UInt8])] {
    let header =
      MetadataFixture.big32(width) + MetadataFixture.big32(height)
      + [UInt8(depth), UInt8(type.rawValue), 0, 0, isInterlaced ? 1 : 0]
    var chunks = [("IHDR", header)]
    if type == .palette { chunks.append(("PLTE", palette.flatMap { $0 })) }
    if !transparency.isEmpty { chunks.append(("tRNS", transparency)) }
    let stream = MetadataFixture.stored(raw)
    let step = (stream.count + pieces - 1) / pieces
    for start in stride(from: 0, to: stream.count, by: step) {
      chunks.append(("IDAT", Array(stream[start..<min(start + step, stream.count)])))
    }
    return chunks + [("IEND", [])]
  }

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  static func file(_ chunks: [(type: String, body: [UInt8])]) -> [UInt8] {
    chunks.reduce(signature) { $0 + MetadataFixture.chunk($1.type, $1.body) }
  }

  var file: [UInt8] { Self.file(chunks) }

  /// The layout of the decoded rows.
  var layout: RowLayout {
    let hasAlpha = type == .grayAlpha || type == .rgba || !transparency.isEmpty
    let isGray = type == .gray || type == .grayAlpha
    let channels: ChannelLayout = isGray ? (hasAlpha ? .grayAlpha : .gray) : hasAlpha ? .rgba : .rgb
    return RowLayout(channels: channels, bytesPerSample: depth == 16 ? 2 : 1)
  }

  /// The image in the file.
  var image: ImageBuffer {
    var image = ImageBuffer(size: PixelSize(width: width, height: height), layout: layout)
    for y in 0..<height {
      for x in 0..<width {
        for (c, value) in pixel(x: x, y: y).enumerated() { image[x: x, y: y, channel: c] = value }
      }
    }
    return image
  }

  private func pixel(x: Int, y: Int) -> [Int] {
    let stored = (0..<type.samplesPerPixel).map { sample(x: x, y: y, channel: $0) }
    switch type {
    case .palette:
      let color = palette[stored[0]].map { Int($0) }
      guard !transparency.isEmpty else { return color }
      return color + [stored[0] < transparency.count ? Int(transparency[stored[0]]) : 255]
    case .gray, .rgb:
      let scale = depth < 8 ? 255 / ((1 << depth) - 1) : 1
      let values = stored.map { $0 * scale }
      guard !transparency.isEmpty else { return values }
      let clear = stride(from: 0, to: transparency.count, by: 2).map {
        Int(transparency[$0]) << 8 | Int(transparency[$0 + 1])
      }
      return values + [stored == clear ? 0 : depth == 16 ? 65_535 : 255]
    case .grayAlpha, .rgba: return stored
    }
  }
}
