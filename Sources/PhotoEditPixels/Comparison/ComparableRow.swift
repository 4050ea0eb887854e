// SPDX-License-Identifier: Apache-2.0

/// One row of an image as three planes of 8-bit levels over white, regardless of its stored format.
///
/// Gray is repeated, 16-bit samples are divided by 257 and straight alpha is composited in
/// gamma-encoded values. Whole 8-bit levels stay exact, so equal images of different depth compare
/// as equal.
struct ComparableRow {
  var red: [Float]
  var green: [Float]
  var blue: [Float]
  /// 0 to 255; 255 if the image has no alpha.
  var alpha: [Float]

  init(width: Int) {
    red = [Float](repeating: 0, count: width)
    green = red
    blue = red
    alpha = [Float](repeating: 255, count: width)
  }

  /// Fills the planes from a row of an image of the same width.
  mutating func read(_ image: ImageBuffer, y: Int) {
    let bytesPerRow = image.layout.bytesPerRow(width: image.size.width)
    image.bytes.withUnsafeBytes { bytes in
      let row = UnsafeRawBufferPointer(rebasing: bytes[y * bytesPerRow..<(y + 1) * bytesPerRow])
      if image.layout.bytesPerSample == 1 {
        read(image.layout.channels) { Float(row[$0]) }
      } else {
        read(image.layout.channels) {
          Float(row.loadUnaligned(fromByteOffset: 2 * $0, as: UInt16.self)) / 257
        }
      }
    }
  }

  @inline(__always)
  private mutating func read(_ channels: ChannelLayout, sample: (Int) -> Float) {
    let step = channels.count
    let colors = channels.colorCount
    for x in red.indices {
      red[x] = sample(x * step)
      green[x] = colors == 3 ? sample(x * step + 1) : red[x]
      blue[x] = colors == 3 ? sample(x * step + 2) : red[x]
      guard channels.hasAlpha else { continue }
      let a = sample(x * step + colors)
      alpha[x] = a
      // Opaque samples are skipped: multiplying and dividing by 255 might change them.
      guard a < 255 else { continue }
      red[x] = (red[x] * a + 255 * (255 - a)) / 255
      green[x] = (green[x] * a + 255 * (255 - a)) / 255
      blue[x] = (blue[x] * a + 255 * (255 - a)) / 255
    }
  }

  /// Returns the BT.601 luma at a column, 0 to 255.
  @inline(__always)
  func luma(_ x: Int) -> Double {
    0.299 * Double(red[x]) + 0.587 * Double(green[x]) + 0.114 * Double(blue[x])
  }
}
