// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Creating assets from pixels")
struct PixelCreationTests {
  private let folder: TestLibrary

  init() throws { folder = try TestLibrary() }

  /// An image with a linear gradient per channel, which JPEG preserves well.
  private func image(_ channels: ChannelLayout) -> ImageBuffer {
    var image = ImageBuffer(
      size: PixelSize(width: 48, height: 32), layout: RowLayout(channels: channels))
    for y in 0..<32 {
      for x in 0..<48 {
        for channel in 0..<channels.count {
          image[x: x, y: y, channel: channel] =
            [40 + 3 * x, 60 + 4 * y, 200 - 2 * x, 255 - y][
              channel]
        }
      }
    }
    return image
  }

  private func create(_ image: ImageBuffer, _ encoding: PixelEncoding) throws -> Asset {
    let made = try folder.library.performChangesAndWait {
      try $0.createAsset(from: image, encoding: encoding).placeholder
    }
    return try #require(try folder.asset(made.localIdentifier))
  }

  private func file(of asset: Asset) throws -> [UInt8] {
    let path = try #require(try folder.files(of: asset)[.photo])
    return [UInt8](try Data(contentsOf: URL(filePath: path)))
  }

  @Test(.requirement("create-from-pixels"))
  func `a JPEG asset keeps its pixels within coding loss and has only a date`() throws {
    let image = image(.rgb)
    let asset = try create(image, .jpeg(JPEGSettings(quality: 95, sampling: .s444)))
    #expect((asset.pixelWidth, asset.pixelHeight) == (48, 32) && asset.mediaType == .image)
    #expect(asset.creationDate != nil && asset.location == nil && asset.title == nil)
    let bytes = try file(of: asset)
    let decoded = try ImageDecoders.decode(FileBytes(bytes))
    #expect(decoded.size == image.size && decoded.layout == image.layout)
    let worst = zip(decoded.bytes, image.bytes).map { abs(Int($0) - Int($1)) }.max()
    #expect(worst ?? 255 <= 6)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("Exif"))
  }

  @Test(.requirement("create-from-pixels"))
  func `a PNG asset keeps every sample, including alpha`() throws {
    let image = image(.rgba)
    let asset = try create(image, .png)
    #expect(asset.originalFilename.hasSuffix(".png") && asset.creationDate != nil)
    #expect(try ImageDecoders.decode(FileBytes(file(of: asset))) == image)
  }

  @Test(.requirement("create-from-pixels"))
  func `a buffer becomes a PNG with its samples and its profile`() throws {
    for name in ["photo-64.jpg", "jpeg-display-p3.jpg"] {
      let source = try ImageSource(FileBytes(TestImages.bytes(name)))
      let pixels = try Renderer.pixels(of: source, as: UInt16.self, arrangement: .planar)
      let made = try folder.library.performChangesAndWait {
        try $0.createAsset(from: pixels).placeholder
      }
      let asset = try #require(try folder.asset(made.localIdentifier))
      let file = try ImageSource(FileBytes(self.file(of: asset)))
      #expect(file.metadata.icc == pixels.colorSpace.icc)
      let read = try Renderer.pixels(of: file, as: UInt16.self, arrangement: .planar)
      #expect(read.samples == pixels.samples)
    }
  }

  @Test(.requirement("create-from-pixels"))
  func `a buffer with a profile or 16 bits cannot be a JPEG`() throws {
    let pixels = PixelBuffer<UInt8>(image(.rgb))
    let encoding = PixelEncoding.jpeg(JPEGSettings(quality: 90))
    _ = try folder.library.performChangesAndWait {
      try $0.createAsset(from: pixels, encoding: encoding).placeholder
    }
    let other = PixelBuffer<UInt8>(
      image(.rgb), colorSpace: PixelColorSpace(name: "own", icc: [1]))
    try folder.expectRefusal(.changeNotSupported) {
      _ = try $0.createAsset(from: other, encoding: encoding)
    }
    try folder.expectRefusal(.changeNotSupported) {
      _ = try $0.createAsset(from: pixels.converted(to: Float.self), encoding: encoding)
    }
  }

  @Test(.requirement("create-from-pixels"))
  func `pixels that an encoding cannot represent are rejected`() throws {
    try folder.expectRefusal(.changeNotSupported) {
      _ = try $0.createAsset(
        from: image(.rgba), encoding: .jpeg(JPEGSettings(quality: 90)))
    }
    let empty = ImageBuffer(
      size: PixelSize(width: 0, height: 0), layout: RowLayout(channels: .rgb))
    for encoding in [PixelEncoding.png, .jpeg(JPEGSettings(quality: 90))] {
      try folder.expectRefusal(.changeNotSupported) {
        _ = try $0.createAsset(from: empty, encoding: encoding)
      }
    }
    #expect(try folder.assets().isEmpty)
  }
}
