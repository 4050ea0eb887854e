// SPDX-License-Identifier: Apache-2.0
public import Pixels

/// A rendering before it becomes bytes: encoded floats, unclamped, 0 black and 1 white.
public struct Raster: Sendable, Hashable {
  /// Width and height.
  public let size: PixelSize
  /// One plane for gray, three for red, green and blue; rows from the top.
  public let planes: [[Float]]

  /// The raster as a portable float map: rows from the bottom, little-endian.
  public var pfm: [UInt8] {
    let kind = planes.count == 1 ? "Pf" : "PF"
    var bytes = Array("\(kind)\n\(size.width) \(size.height)\n-1.0\n".utf8)
    bytes.reserveCapacity(bytes.count + size.pixelCount * planes.count * 4)
    for y in (0..<size.height).reversed() {
      for x in 0..<size.width {
        for plane in planes {
          withUnsafeBytes(of: plane[y * size.width + x].bitPattern.littleEndian) {
            bytes.append(contentsOf: $0)
          }
        }
      }
    }
    return bytes
  }

  /// The raster cut to 8 or 16 bits, rounded half up.
  public func image(bytesPerSample: Int) -> SampleImage {
    let layout = RowLayout(
      channels: planes.count == 1 ? .gray : .rgb, bytesPerSample: bytesPerSample)
    var image = SampleImage(size: size, layout: layout)
    let maximum = Float(image.maximum)
    for (channel, plane) in planes.enumerated() {
      for y in 0..<size.height {
        for x in 0..<size.width {
          let value = plane[y * size.width + x] * maximum + 0.5
          // A NaN fails both comparisons and becomes black.
          image[x: x, y: y, channel: channel] =
            value > 0 ? (value < maximum ? Int(value) : image.maximum) : 0
        }
      }
    }
    return image
  }
}
