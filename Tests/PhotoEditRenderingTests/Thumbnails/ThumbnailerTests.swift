// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditRendering

@Suite("Thumbnails")
struct ThumbnailerTests {
  /// A photo as soft as from a camera with demosaicing; the drawn one is sharp to the pixel.
  private static func photo(_ orientation: Orientation = .up) throws -> ImageSource {
    var image = try soft.get()
    image.setOrientation(orientation)
    return image
  }

  private static let soft = Result {
    let soft = try raster(Charts.source(named: "photo-1024.jpg"), [GaussianBlur(sigma: 1.2)])
    return try ImageSource(
      JPEGs.encode(
        soft.image(bytesPerSample: 1), luma: .standardLuma(quality: 95),
        chroma: .standardChroma(quality: 95), sampling: .s420))
  }

  // 256, 128 and 64 leave two pixels per pixel at a half, a quarter and an eighth; 65 is the largest
  // for an eighth.
  @Test(arguments: [400, 256, 200, 128, 100, 65, 64, 32])
  func `a thumbnail looks like the resized full image`(side: Int) throws {
    try expectLikeness(of: Self.photo(), side)
  }

  /// Real photos, which are sharp to the pixel.
  @Test(
    .enabled(if: Corpora.path != nil, "set PHOTOEDIT_CORPORA to a folder of test files"),
    arguments: ["Landscape_1.jpg", "Landscape_6.jpg", "Portrait_1.jpg"], [300, 160, 115, 80])
  func `a thumbnail of a real photo looks like it`(name: String, side: Int) throws {
    let folder = try #require(Corpora.path) + "/exif-orientation-examples/"
    try expectLikeness(of: ImageSource(FileBytes.reading(folder + name)), side)
  }

  private func expectLikeness(of image: ImageSource, _ side: Int) throws {
    let thumbnail = try Thumbnailer.thumbnail(of: image, shape: ThumbnailShape(side: side))
    let full = try raster(
      image, [Resize(width: thumbnail.size.width, height: thumbnail.size.height)])
    let difference = try ImageDifference(full.image(bytesPerSample: 1), thumbnail.image)
    #expect(ToleranceClass.P.failure(of: difference) == nil)
    #expect(!thumbnail.isDegraded)
  }

  @Test(arguments: Orientation.allCases)
  func `a thumbnail has the orientation applied`(orientation: Orientation) throws {
    let image = try Self.photo(orientation)
    let shape = ThumbnailShape(side: 120)
    let oriented = try Thumbnailer.thumbnail(of: Self.photo(), shape: shape)
    let rotated = try Thumbnailer.thumbnail(of: image, shape: shape)
    let difference = try ImageDifference(
      oriented.image.rotated(orientation), rotated.image)
    #expect(ToleranceClass.T2.failure(of: difference) == nil)
  }

  @Test func `a crop of the image can be shown alone`() throws {
    let source = try Charts.source(
      Charts.image(200, 200, .rgb) { x, y, channel in
        channel == 0 ? (x < 100 ? 40 : 200) : channel == 1 ? (y < 100 ? 60 : 220) : 90
      })
    let crop = NormalizedRect(x: 0.5, y: 0.5, width: 0.5, height: 0.5)
    let shape = ThumbnailShape(box: PixelSize(width: 30, height: 40), crop: crop)
    let image = try Thumbnailer.thumbnail(of: source, shape: shape).image
    #expect(image.size == PixelSize(width: 30, height: 30))
    for y in 0..<30 {
      for x in 0..<30 {
        let pixel = (0..<3).map { image[x: x, y: y, channel: $0] }
        #expect(pixel == [200, 220, 90])
      }
    }
  }

  @Test func `a thumbnail is larger than the image only on request`() throws {
    let image = try Charts.source(Charts.noise(40, 30))
    var shape = ThumbnailShape(side: 100)
    #expect(try Thumbnailer.thumbnail(of: image, shape: shape).size == image.size)
    shape.mayEnlarge = true
    let size = try Thumbnailer.thumbnail(of: image, shape: shape).size
    #expect(size == PixelSize(width: 100, height: 75))
  }

  @Test(arguments: ColorManagementTests.spaces)
  func `other color spaces are converted to sRGB`(space: ColorManagementTests.Space) throws {
    let patches: [[Int]] = [[200, 60, 60], [60, 180, 90], [120, 120, 120], [20, 40, 200]]
    for patch in patches {
      let image = Charts.image(24, 16, space.channels) { _, _, channel in patch[channel] }
      let source = try space.source(image)
      let made = try Thumbnailer.thumbnail(of: source, shape: ThumbnailShape(side: 12)).image
      #expect(made.layout.channels == space.channels)
      var expected = patch
      if let profile = space.profile {
        let conversion = try ColorConversion(from: .profile(profile), bytesPerSample: 1)
        var words = [UInt16](repeating: 0, count: 3)
        let bytes = patch.prefix(space.channels.count).map { UInt8($0) }
        conversion.convert(1, from: bytes, into: &words)
        expected = words.map { Int((Double($0) / 257).rounded()) }
      }
      for channel in 0..<space.channels.count {
        let level = made[x: 5, y: 5, channel: channel]
        #expect(abs(level - expected[channel]) <= 1, "\(patch) became \(level) in \(channel)")
      }
    }
  }

  @Test func `transparency is white in a thumbnail`() throws {
    let source = try Charts.source(
      Charts.image(64, 64, .rgba) { _, _, channel in channel == 3 ? 0 : 10 })
    let image = try Thumbnailer.thumbnail(of: source, shape: ThumbnailShape(side: 8)).image
    #expect(image.layout.channels == .rgb)
    #expect(image.bytes.allSatisfy { $0 == 255 })
  }

  @Test func `the JPEG of a thumbnail states only sRGB`() throws {
    var file = ImageFile()
    file.main = [.short(0x0112, 6), .text(0x010F, "Maker")]
    file.gps = [.text(1, "N")]
    let image = try ImageSource(FileBytes(file.jpeg()))
    let thumbnail = try Thumbnailer.thumbnail(of: image, shape: ThumbnailShape(side: 48))
    let jpeg = try ImageSource(FileBytes(thumbnail.jpeg()))
    #expect(jpeg.header.size == thumbnail.size)
    #expect(jpeg.size == thumbnail.size)
    #expect(jpeg.metadata.segments.map(\.kind) == [.jfif, .icc])
    #expect(jpeg.metadata.iccDescription == "sRGB")
    #expect(jpeg.frame?.estimatedQuality == 85)
    let frame = try #require(jpeg.frame)
    #expect(JPEGs.sampling(frame) == "4:2:0")
    let decoded = try ImageDecoders.decode(jpeg.bytes)
    let difference = try ImageDifference(thumbnail.image, decoded)
    #expect(difference.psnr > 26)
  }

  @Test func `a gray image stays gray`() throws {
    let settings = JPEGSettings(quality: 90, isGray: true)
    let image = try Charts.source(JPEGs.waves(160, 96, .gray), settings: settings)
    let thumbnail = try Thumbnailer.thumbnail(of: image, shape: ThumbnailShape(side: 40))
    #expect(thumbnail.isGray)
    let frame = try JPEGs.frame(FileBytes(thumbnail.jpeg()))
    #expect(frame.color == .gray)
  }

  @Test(arguments: [1, 2, 64, 65, 200])
  func `a thumbnail of any height becomes a complete JPEG`(height: Int) throws {
    let thumbnail = Thumbnail(JPEGs.waves(33, height))
    let decoded = try ImageDecoders.decode(FileBytes(thumbnail.jpeg(quality: 95)))
    let difference = try ImageDifference(thumbnail.image, decoded)
    #expect(difference.size == PixelSize(width: 33, height: height))
    #expect(difference.psnr > 25)
  }

  @Test func `a damaged image is rejected unless decoding is lenient`() throws {
    let photo = try TestImages.bytes("photo-64.jpg")
    let truncated = FileBytes(Array(photo.prefix(photo.count * 2 / 3)))
    #expect(throws: RenderError.self) {
      try Thumbnailer.thumbnail(of: truncated, shape: ThumbnailShape(side: 16))
    }
    var options = RenderOptions()
    options.isLenient = true
    let made = try Thumbnailer.thumbnail(
      of: truncated, shape: ThumbnailShape(side: 16), options: options)
    #expect(made.size == PixelSize(width: 16, height: 12))
  }

  @Test func `a thumbnail of pixels equals one of the encoded image`() throws {
    let image = Charts.noise(60, 40)
    for shape in [ThumbnailShape(side: 30), ThumbnailShape(side: 20, mode: .fill, isExact: true)] {
      let expected = try Thumbnailer.thumbnail(of: Charts.source(image), shape: shape)
      #expect(try Thumbnailer.thumbnail(of: image, shape: shape) == expected)
    }
    let same = try Thumbnailer.thumbnail(of: image, shape: ThumbnailShape(side: 60))
    #expect(same == Thumbnail(image))
  }

  @Test func `a thumbnail over the size limits is rejected before rendering`() throws {
    let image = try Charts.source(Charts.noise(1, 400))
    var shape = ThumbnailShape(side: 60_000, mode: .fill)
    shape.mayEnlarge = true
    #expect(throws: RenderError.self) {
      try Thumbnailer.thumbnail(of: image, shape: shape)
    }
  }

  @Test func `a canceled request returns no thumbnail`() throws {
    let image = try Charts.source(named: "photo-64.jpg")
    var options = RenderOptions()
    options.isCancelled = { true }
    do throws(RenderError) {
      _ = try Thumbnailer.thumbnail(
        of: image, shape: ThumbnailShape(side: 16), options: options)
      Issue.record("a thumbnail was returned")
    } catch {
      guard case .cancelled = error else {
        Issue.record("\(error)")
        return
      }
    }
  }
}

extension ImageDifference {
  fileprivate var size: PixelSize { first.size }
}
