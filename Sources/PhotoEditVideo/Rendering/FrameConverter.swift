// SPDX-License-Identifier: Apache-2.0
import PhotoEditRendering
import PhotoEditStorage

/// Converts decoded frames to images in memory; can be used by any number of threads.
struct FrameConverter: Sendable {
  private let renderer: FrameRenderer
  private let bytesPerSample: Int

  /// Prepares the conversion.
  ///
  /// - Parameter operations: The operations on the frames with their orientation applied.
  init(
    operations: [FilterOperation], size: PixelSize, orientation: Orientation, bytesPerSample: Int
  ) throws(VideoError) {
    renderer = try rendering(
      FrameRenderer(operations: operations, size: size, orientation: orientation))
    self.bytesPerSample = bytesPerSample
  }

  /// Converts a frame to RGB.
  func image(of frame: DecodedFrame, _ color: FrameColor) throws(VideoError) -> ImageBuffer {
    let size = renderer.outputSize
    let layout = RowLayout(channels: .rgb, bytesPerSample: bytesPerSample)
    let image = LockedValue(ImageBuffer(size: size, layout: layout))
    let planes = renderer.outputPlanes
    try rendering(
      renderer.run(reading: frame.rows(color)) { rows, memory in
        image.withLock { image in
          image.bytes.withUnsafeMutableBytes { bytes in
            let floats = memory.assumingMemoryBound(to: Float.self)
            for y in rows {
              let first = (y - rows.lowerBound) * planes * size.width
              for channel in 0..<3 {
                let row = floats + first + min(channel, planes - 1) * size.width
                let target = (y * size.width * 3 + channel) * bytesPerSample
                Self.narrow(row, size.width, bytes, target, bytesPerSample)
              }
            }
          }
        }
      })
    return image.withLock { $0 }
  }

  /// Rounds a row of one channel half up.
  private static func narrow(
    _ row: UnsafePointer<Float>, _ count: Int, _ bytes: UnsafeMutableRawBufferPointer,
    _ start: Int, _ bytesPerSample: Int
  ) {
    let maximum: Float = bytesPerSample == 1 ? 255 : 65_535
    for x in 0..<count {
      // A NaN fails the comparison and becomes black.
      let value = row[x] > 0 ? min(row[x], 1) * maximum + 0.5 : 0
      let offset = start + x * 3 * bytesPerSample
      if bytesPerSample == 1 {
        bytes[offset] = UInt8(value)
      } else {
        bytes.storeBytes(of: UInt16(value), toByteOffset: offset, as: UInt16.self)
      }
    }
  }
}

extension DecodedFrame {
  /// Returns a closure that passes rows to a renderer.
  func rows(_ color: FrameColor) -> FrameRenderer.Reading {
    { rows, memory throws(RenderError) in
      do throws(VideoError) {
        try self.read(rows, color, into: memory)
      } catch {
        // Reading fails only if memory runs out.
        throw .codec(.outOfMemory)
      }
    }
  }
}
