// SPDX-License-Identifier: Apache-2.0

extension HeldEdit.Preview {
  /// The level counts of the samples that the encoder received, and the shares of clipped pixels.
  var statistics: JSONValue {
    func share(_ count: Int) -> JSONValue {
      .real(Double(count) / Double(max(1, levels.pixelCount)))
    }
    let channels = levels.channels.map { JSONValue.array($0.map { .whole($0) }) }
    return .object([
      "preview": .string(id),
      "levels": ["r": channels[0], "g": channels[1], "b": channels[2], "luma": channels[3]],
      "clipped": ["shadows": share(levels.shadows), "highlights": share(levels.highlights)],
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

extension FieldType<NormalizedRect> {
  /// The part of a rendering to show: its corner and size, as shares of the rendering.
  static var region: Self {
    let schema: Schema = ["x": .number, "y": .number, "w": .number, "h": .number]
    return Self(schema) { (value, name) throws(Problem) in
      guard case .object(let members) = value, members.count == 4,
        let x = members["x"]?.numberValue, let y = members["y"]?.numberValue,
        let width = members["w"]?.numberValue, let height = members["h"]?.numberValue,
        x >= 0, y >= 0, width > 0, height > 0, x + width <= 1.000001, y + height <= 1.000001
      else { throw Problem(.badRequest, "\(name) must be {x, y, w, h} with fractions from 0 to 1") }
      return NormalizedRect(x: x, y: y, width: min(width, 1 - x), height: min(height, 1 - y))
    }
  }
}
