// SPDX-License-Identifier: Apache-2.0
import CPhotoEditInterface
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditTool

/// A copy of the pixels of a caller, whose description is checked.
struct ReceivedPixels {
  enum Samples {
    case bytes([UInt8])
    case words([UInt16])
    case floats([Float])
  }

  let size: PixelSize
  let channels: PixelChannels
  let samples: Samples
  let profile: [UInt8]?

  private static let maximumSide: UInt32 = 65_500

  init(_ pixels: UnsafePointer<photoedit_pixels>?) throws(CommandFailure) {
    guard let pixels = pixels?.pointee else { throw .missing("pixels") }
    guard (1...Self.maximumSide).contains(pixels.width),
      (1...Self.maximumSide).contains(pixels.height)
    else {
      throw .argument(
        "pixels: \(pixels.width)×\(pixels.height) (allowed: 1–\(Self.maximumSide) on each side)")
    }
    size = PixelSize(width: Int(pixels.width), height: Int(pixels.height))
    switch pixels.channels {
    case 1: channels = .gray
    case 3: channels = .rgb
    default: throw .argument("pixels: \(pixels.channels) channels (allowed: 1, 3)")
    }
    switch pixels.sample {
    case 8: samples = .bytes(try Self.rows(pixels, channels))
    case 16: samples = .words(try Self.rows(pixels, channels))
    case 32: samples = .floats(try Self.rows(pixels, channels))
    default: throw .sample(pixels.sample)
    }
    profile = try PhotoEditInterface.bytes(pixels.icc, pixels.icc_size, "pixels: icc")
  }

  /// Copies the rows without their padding.
  private static func rows<Sample: PixelSample>(
    _ pixels: photoedit_pixels, _ channels: PixelChannels
  ) throws(CommandFailure) -> [Sample] {
    guard let data = pixels.data else { throw .missing("pixels: data") }
    let (width, height) = (Int(pixels.width) * channels.count, Int(pixels.height))
    let byteCount = width * MemoryLayout<Sample>.stride
    guard pixels.stride >= byteCount, pixels.stride <= 1 << 32 else {
      throw .argument("pixels: a stride of \(pixels.stride) bytes (at least \(byteCount))")
    }
    var samples = [Sample](repeating: .zero, count: width * height)
    samples.withUnsafeMutableBytes { samples in
      for y in 0..<height {
        let row = UnsafeRawBufferPointer(start: data + y * pixels.stride, count: byteCount)
        UnsafeMutableRawBufferPointer(rebasing: samples[(y * byteCount)...]).copyMemory(from: row)
      }
    }
    return samples
  }

  /// The pixels as an image of 8 or 16 bits; floats are rounded and clipped.
  var image: ImageBuffer {
    let layout: ChannelLayout = channels == .gray ? .gray : .rgb
    switch samples {
    case .bytes(let samples):
      return ImageBuffer(size: size, layout: RowLayout(channels: layout), bytes: samples)
    case .words(let samples):
      return Self.image(samples, size, layout)
    case .floats(let samples):
      return Self.image(
        samples.map { UInt16(($0.isNaN ? 0 : min(max($0, 0), 1)) * 65_535 + 0.5) }, size, layout)
    }
  }

  private static func image(
    _ samples: [UInt16], _ size: PixelSize, _ layout: ChannelLayout
  ) -> ImageBuffer {
    ImageBuffer(
      size: size, layout: RowLayout(channels: layout, bytesPerSample: 2),
      bytes: samples.withUnsafeBytes { Array($0) })
  }
}
