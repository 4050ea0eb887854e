// SPDX-License-Identifier: Apache-2.0

/// The level counts of a rendering, and the shares of its clipped pixels.
///
/// They are counted in the samples that the encoder receives, not in its JPEG. A shadow is clipped
/// if all channels are 0, a highlight if any is 255.
struct PreviewStatistics {
  private var channels = [[Int]](repeating: [Int](repeating: 0, count: 256), count: 4)
  private var clipped = (shadows: 0, highlights: 0)
  private let pixelCount: Int

  init(_ raster: Raster) {
    let image = raster.image(bytesPerSample: 1)
    let planes = raster.planes.count
    pixelCount = raster.size.pixelCount
    for index in 0..<pixelCount {
      let start = index * planes
      let red = Int(image.bytes[start])
      let (green, blue) =
        planes == 3 ? (Int(image.bytes[start + 1]), Int(image.bytes[start + 2])) : (red, red)
      channels[0][red] += 1
      channels[1][green] += 1
      channels[2][blue] += 1
      channels[3][(299 * red + 587 * green + 114 * blue + 500) / 1000] += 1
      if max(red, green, blue) == 0 { clipped.shadows += 1 }
      if max(red, green, blue) == 255 { clipped.highlights += 1 }
    }
  }

  var json: JSONValue {
    func share(_ count: Int) -> JSONValue { .real(Double(count) / Double(max(1, pixelCount))) }
    func levels(_ channel: Int) -> JSONValue { .array(channels[channel].map { .whole($0) }) }
    return .object([
      "levels": .object(["r": levels(0), "g": levels(1), "b": levels(2), "luma": levels(3)]),
      "clipped": .object([
        "shadows": share(clipped.shadows), "highlights": share(clipped.highlights),
      ]),
    ])
  }
}

/// An image of the clipped pixels of a rendering: shadows blue, highlights red, others transparent.
enum ClippingOverlay {
  static func png(of raster: Raster) throws(Problem) -> [UInt8] {
    let (image, planes) = (raster.image(bytesPerSample: 1), raster.planes.count)
    var overlay = ImageBuffer(
      size: raster.size, layout: RowLayout(channels: .rgba, bytesPerSample: 1))
    for index in 0..<raster.size.pixelCount {
      let largest = image.bytes[index * planes..<(index + 1) * planes].max() ?? 0
      guard largest == 0 || largest == 255 else { continue }
      overlay.bytes[4 * index + (largest == 0 ? 2 : 0)] = 255
      overlay.bytes[4 * index + 3] = 255
    }
    return try translating(
      { Problem(.internalError, "\($0 as CodecError)") }, PNGEncoder.encode(overlay))
  }
}

extension NormalizedRect {
  /// Reads the part of a rendering to show: its corner and size, as shares of the rendering.
  init(region value: JSONValue) throws(Problem) {
    guard case .object(let members) = value, members.count == 4,
      let x = members["x"]?.numberValue, let y = members["y"]?.numberValue,
      let width = members["w"]?.numberValue, let height = members["h"]?.numberValue,
      x >= 0, y >= 0, width > 0, height > 0, x + width <= 1.000001, y + height <= 1.000001
    else { throw Problem(.badRequest, "region must be {x, y, w, h} with fractions from 0 to 1") }
    self.init(x: x, y: y, width: min(width, 1 - x), height: min(height, 1 - y))
  }
}
