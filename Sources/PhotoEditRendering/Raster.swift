// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// A rendering before encoding: gamma-encoded floats, unclamped, 0 black and 1 white.
public struct Raster: Sendable, Hashable {
  /// The width and height.
  public let size: PixelSize
  /// One plane for gray, three for red, green and blue; rows from the top.
  public let planes: [[Float]]

  /// The raster as a portable float map: rows from the bottom, little-endian.
  public var pfm: [UInt8] {
    var bytes = Self.pfmHead(size: size, planes: planes.count)
    bytes.reserveCapacity(bytes.count + size.pixelCount * planes.count * 4)
    for y in (0..<size.height).reversed() {
      for x in 0..<size.width {
        for plane in planes { Self.append(plane[y * size.width + x], to: &bytes) }
      }
    }
    return bytes
  }

  /// Returns the raster clamped to 8 or 16 bits, rounded half up.
  public func image(bytesPerSample: Int) -> ImageBuffer {
    let layout = RowLayout(
      channels: planes.count == 1 ? .gray : .rgb, bytesPerSample: bytesPerSample)
    var image = ImageBuffer(size: size, layout: layout)
    image.bytes.withUnsafeMutableBytes { bytes in
      if bytesPerSample == 1 {
        bytes.withMemoryRebound(to: UInt8.self, store)
      } else {
        bytes.withMemoryRebound(to: UInt16.self, store)
      }
    }
    return image
  }

  private func store<Sample: PixelSample>(_ samples: UnsafeMutableBufferPointer<Sample>) {
    guard let base = samples.baseAddress else { return }
    for (channel, plane) in planes.enumerated() {
      Sample.store(plane.count, from: plane, into: base + channel, stride: planes.count)
    }
  }

  /// Returns the header of a portable float map.
  package static func pfmHead(size: PixelSize, planes: Int) -> [UInt8] {
    Array("\(planes == 1 ? "Pf" : "PF")\n\(size.width) \(size.height)\n-1.0\n".utf8)
  }

  private static func append(_ sample: Float, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: sample.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
  }

}

extension RasterStrip {
  /// The rows in the format of a portable float map, from the bottom.
  package var pfmRows: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: rows.count * width * planes * 4)
    bytes.withUnsafeMutableBytes { bytes in
      var offset = 0
      for y in rows.reversed() {
        let samples = (0..<planes).map { row(y, plane: $0) }
        for x in 0..<width {
          for plane in samples {
            bytes.storeBytes(
              of: plane[x].bitPattern.littleEndian, toByteOffset: offset, as: UInt32.self)
            offset += 4
          }
        }
      }
    }
    return bytes
  }

  /// The rows in 16 bits, in the format of `Raster.image(bytesPerSample:)`.
  package var wideRows: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: rows.count * width * planes * 2)
    bytes.withUnsafeMutableBytes { bytes in
      bytes.withMemoryRebound(to: UInt16.self) { samples in
        guard var target = samples.baseAddress else { return }
        for y in rows {
          for plane in 0..<planes {
            UInt16.store(width, from: row(y, plane: plane), into: target + plane, stride: planes)
          }
          target += width * planes
        }
      }
    }
    return bytes
  }
}
