// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels

/// The pixels of a rendering that are not computed from its source and a graph.
enum OwnPixels: Sendable {
  /// Planes of floats with the orientation applied; some rows may be requested twice.
  case rows(StripShape, bitsPerSample: Int, FramePipeline.Reading)
  /// The pixels of the source, changed by the caller.
  case changed(PixelChange)

  /// Creates the rows of a buffer.
  init<Sample>(_ buffer: PixelBuffer<Sample>, isCancelled: @escaping @Sendable () -> Bool) {
    buffer.checkCount()
    self.init(
      buffer.size, planes: buffer.channels.count, bitsPerSample: 8 * MemoryLayout<Sample>.size,
      isCancelled
    ) { buffer.load(row: $0, channel: $1, into: $2) }
  }

  /// Creates the rows of interleaved samples; transparency is ignored.
  init(_ image: ImageBuffer, isCancelled: @escaping @Sendable () -> Bool) {
    let (layout, width) = (image.layout, image.size.width)
    self.init(
      image.size, planes: layout.channels.colorCount, bitsPerSample: 8 * layout.bytesPerSample,
      isCancelled
    ) { y, channel, target in
      func load<Sample: PixelSample>(_ samples: UnsafeBufferPointer<Sample>) {
        let first = y * width * layout.channels.count + channel
        guard let base = samples.baseAddress else { return }
        Sample.load(width, from: base + first, stride: layout.channels.count, into: target)
      }
      image.bytes.withUnsafeBytes { bytes in
        if layout.bytesPerSample == 1 {
          bytes.withMemoryRebound(to: UInt8.self, load)
        } else {
          bytes.withMemoryRebound(to: UInt16.self, load)
        }
      }
    }
  }

  private init(
    _ size: PixelSize, planes: Int, bitsPerSample: Int,
    _ isCancelled: @escaping @Sendable () -> Bool,
    load: @escaping @Sendable (_ y: Int, _ channel: Int, UnsafeMutablePointer<Float>) -> Void
  ) {
    let shape = StripShape(size: size, format: .planes(planes))
    self = .rows(shape, bitsPerSample: bitsPerSample) { rows, memory throws(RenderError) in
      if isCancelled() { throw .cancelled }
      var target = memory.assumingMemoryBound(to: Float.self)
      for y in rows {
        for channel in 0..<planes {
          load(y, channel, target)
          target += size.width
        }
      }
    }
  }
}

extension RenderJob {
  /// Creates the job of rendering pixels in place of those of an image.
  init(
    _ pixels: OwnPixels, of image: ImageSource, options: RenderOptions
  ) throws(RenderError) {
    self = try RenderJob(image, FilterGraph(), options: options)
    self.pixels = pixels
    operations = []
    outputSize = image.size
    if case .rows(let shape, _, _) = pixels {
      guard !shape.size.isEmpty, shape.size.longEdge <= 65_500 else { throw .tooLarge(shape.size) }
      outputSize = shape.size
      isGeometryKnown = shape.size == image.size
    }
  }

  /// The number of bits of the rendered samples.
  var bitsPerSample: Int {
    if case .rows(_, let bits, _)? = pixels { bits } else { image.header.bitsPerSample }
  }

  /// Returns the color space of the encoder's input.
  ///
  /// - Parameter isGray: Whether there is one channel.
  func colorSpace(isGray: Bool) -> PixelColorSpace {
    let (replacement, keepsSourceProfile, colors) = profile(isGray: isGray && !hasColorProfile)
    let own = keepsSourceProfile && image.color.origin == .profile ? image.metadata.icc : nil
    guard colors != .sRGB, let bytes = replacement?.bytes ?? own,
      // A damaged profile was not used as the color space.
      let profile = try? ICCProfile(validating: bytes), !profile.isSRGB
    else { return .sRGB }
    // After a change of curve, the image's profile has a different name than its color space.
    let name = image.color.handling == .kept ? nil : profile.description
    return PixelColorSpace(name: name ?? image.color.name, icc: profile.bytes)
  }
}
