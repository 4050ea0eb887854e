// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage
import Testing

@testable import PhotoEditRendering

/// Samples of a JPEG's components take the place of libjpeg's pixels on the way in and out.
///
/// The oracle is the other way: pixels that libjpeg converts and encodes.
@Suite("JPEG component samples")
struct ComponentSampleTests {
  static let samplings: [ChromaSampling] = [.s444, .s422, .s420, .s440, .s411]
  /// Widths and heights that end within an MCU, a chroma sample, or a strip.
  static let sizes = [
    PixelSize(width: 5, height: 5), PixelSize(width: 6, height: 17),
    PixelSize(width: 129, height: 150), PixelSize(width: 1283, height: 67),
  ]

  private static func jpeg(_ sampling: ChromaSampling, _ size: PixelSize) throws -> ImageSource {
    let settings = JPEGSettings(quality: 92)
    return try ImageSource(
      JPEGs.encode(
        JPEGs.waves(size.width, size.height), luma: settings.luma, chroma: settings.chroma,
        sampling: sampling))
  }

  private static func decoded(_ image: ImageSource) throws -> ImageBuffer {
    var buffer = ImageBuffer(size: image.header.size, layout: RowLayout(channels: .rgb))
    let decoder = try JPEGDecoder(image.bytes)
    let stride = buffer.layout.bytesPerRow(width: buffer.size.width)
    try buffer.bytes.withUnsafeMutableBytes { memory in
      var row = 0
      while row < buffer.size.height {
        row += try decoder.readRows(
          buffer.size.height - row, into: memory.baseAddress! + row * stride, bytesPerRow: stride)
      }
    }
    return buffer
  }

  /// Encodes pixels as libjpeg does with the tables of a rendering.
  private static func encoded(_ image: ImageBuffer, as rendering: Rendering) throws -> [UInt8] {
    let settings = rendering.encoding.settings
    let bytes = try JPEGs.encode(
      image, luma: settings.luma, chroma: settings.chroma, sampling: settings.sampling)
    return scan(Array(bytes.buffer))
  }

  /// The bytes from the start of the scan on, which do not depend on the metadata.
  private static func scan(_ jpeg: [UInt8]) -> [UInt8] {
    let start = jpeg.indices.dropLast().first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xDA }
    return Array(jpeg[(start ?? 0)...])
  }

  @Test(arguments: samplings, sizes)
  func `samples are converted to the pixels of libjpeg`(
    _ sampling: ChromaSampling, size: PixelSize
  ) throws {
    let image = try Self.jpeg(sampling, size)
    var expected = try Self.decoded(image)
    for i in expected.bytes.indices { expected.bytes[i] = 255 - expected.bytes[i] }
    let raster = try raster(image, [Invert(amount: 1)])
    let isRasterEqual = raster.image(bytesPerSample: 1).bytes == expected.bytes
    #expect(isRasterEqual)
    // The same filter, by tables from byte to byte.
    let rendering = try Renderer.render(image, FilterGraph([Invert(amount: 1)]))
    let isScanEqual = try Self.scan(rendering.jpeg) == Self.encoded(expected, as: rendering)
    #expect(isScanEqual)
  }

  @Test(arguments: samplings, Orientation.allCases.filter(\.swapsAxes))
  func `samples are rotated like the pixels of libjpeg`(
    _ sampling: ChromaSampling, orientation: Orientation
  ) throws {
    for size in Self.sizes {
      let image = try Self.jpeg(sampling, size)
      var expected = try Self.decoded(image).rotated(orientation)
      for i in expected.bytes.indices { expected.bytes[i] = 255 - expected.bytes[i] }
      let raster = try raster(image, [Orient(orientation), Invert(amount: 1)])
      let isEqual = raster.image(bytesPerSample: 1).bytes == expected.bytes
      #expect(isEqual)
    }
  }

  static let chains: [[any Filter]] = [
    [Saturate(1.4), Vignette(amount: 0.5)], [UnsharpMask(sigma: 1, amount: 1)],
    [Crop(x: 0.13, y: 0.2, width: 0.61, height: 0.7), Saturate(1.2)],
    [Rotate90(turns: 1), Invert(amount: 1)],
    [Resize(width: 77)], [GaussianBlur(sigma: 20)], [Exposure(ev: 0.5), Straighten(angle: 5)],
    [Crop(x: 0.13, y: 0, width: 0.61, height: 1), Straighten(angle: 40, fit: .expand)],
    [Rotate90(turns: 1), Crop(x: 0.2, y: 0.13, width: 0.7, height: 0.61), Straighten(angle: 6)],
    [Orient(.leftMirrored), Exposure(ev: 0.2), Straighten(angle: 44, fit: .expand)],
  ]

  @Test(arguments: samplings, chains)
  func `the encoder gets what libjpeg computes from pixels`(
    _ sampling: ChromaSampling, chain: [any Filter]
  ) throws {
    let image = try Self.jpeg(sampling, PixelSize(width: 1283, height: 147))
    let pixels = try Renderer.raster(image, FilterGraph(chain)).image(bytesPerSample: 1)
    for tileWidth in [nil, 130] {
      var options = RenderOptions()
      options.tileWidth = tileWidth
      let rendering = try Renderer.render(image, FilterGraph(chain), options: options)
      let isEqual = try Self.scan(rendering.jpeg) == Self.encoded(pixels, as: rendering)
      #expect(isEqual)
    }
  }

  @Test func `a thumbnail does not depend on the order of the bytes in a row`() throws {
    let size = PixelSize(width: 403, height: 61)
    let pool = StripPool()
    let together = Strip(rows: 0..<size.height, bytesPerRow: 3 * size.width, pool: pool)
    let apart = Strip(rows: 0..<size.height, bytesPerRow: 3 * size.width, pool: pool)
    for y in 0..<size.height {
      for x in 0..<size.width {
        for channel in 0..<3 {
          let level = UInt8(truncatingIfNeeded: x * (channel + 1) + y * 5)
          together.row(y).storeBytes(of: level, toByteOffset: 3 * x + channel, as: UInt8.self)
          apart.row(y).storeBytes(
            of: level, toByteOffset: channel * size.width + x, as: UInt8.self)
        }
      }
    }
    let thumbnails = [(together, false), (apart, true)].map { strip, separatesChannels in
      let sums = ThumbnailSums(size: size, channels: 3, separatesChannels: separatesChannels)
      var band = sums.band()
      band.add(strip)
      band.finish()
      return sums.thumbnail(isGray: false)?.pixels
    }
    #expect(thumbnails[0] != nil)
    #expect(thumbnails[0] == thumbnails[1])
  }
}
