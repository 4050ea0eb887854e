// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage
import Testing

@testable import PhotoEditRendering

@Suite("Thumbnails and geometry of a rendering")
struct ThumbnailTests {
  private static let size = PixelSize(width: 384, height: 256)

  /// An EXIF structure with an orientation and a thumbnail that does not show the image.
  private static func exif(_ orientation: Orientation, hasThumbnail: Bool) -> JPEGSegment {
    let entry: [UInt8] = [1, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation.rawValue), 0, 0]
    var tiff: [UInt8] = Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1] + entry
    tiff += hasThumbnail ? [0, 0, 0, 26] : [0, 0, 0, 0]
    if hasThumbnail {
      tiff += [0, 2, 2, 1, 0, 4, 0, 0, 0, 1, 0, 0, 0, 56, 2, 2, 0, 4, 0, 0, 0, 1, 0, 0, 0, 8]
      tiff += [0, 0, 0, 0, 0xFF, 0xD8] + Array("old!".utf8) + [0xFF, 0xD9]
    }
    return JPEGSegment(marker: 0xE1, payload: Array("Exif\0\0".utf8) + tiff)
  }

  private static func image(_ channels: ChannelLayout = .rgb) -> ImageBuffer {
    Charts.image(size.width, size.height, channels) { x, y, channel in
      switch channel {
      case 0: 40 + 170 * x / size.width
      case 1: 40 + 170 * y / size.height
      default: 210 - 100 * x / size.width
      }
    }
  }

  private static func photo(
    _ orientation: Orientation = .up, _ channels: ChannelLayout = .rgb, hasThumbnail: Bool = true,
    sampling: ChromaSampling = .s420
  ) throws -> ImageSource {
    let jpeg = try JPEGs.encode(
      image(channels), luma: .standardLuma(quality: 95), chroma: .standardChroma(quality: 95),
      sampling: sampling, segments: [exif(orientation, hasThumbnail: hasThumbnail)])
    return try ImageSource(jpeg)
  }

  /// The image after the second start marker of a rendering.
  private static func thumbnail(of jpeg: [UInt8]) throws -> ImageBuffer? {
    let segments = try ImageMetadata.read(FileBytes(jpeg)).segments
    let payload = try #require(segments.first { $0.kind == .exif }).payload
    guard
      let start = payload.indices.first(where: { payload[$0...].starts(with: [0xFF, 0xD8, 0xFF]) })
    else { return nil }
    return try ImageDecoders.decode(FileBytes(Array(payload[start...])))
  }

  /// The largest difference between a thumbnail and the means of the image's cells.
  private static func distance(_ thumbnail: ImageBuffer, _ image: ImageBuffer) -> Int {
    var largest = 0
    let channels = thumbnail.layout.channels.colorCount
    for y in 0..<thumbnail.size.height {
      for x in 0..<thumbnail.size.width {
        // The charts are so smooth that the center pixel is the mean.
        let px = min(
          (2 * x + 1) * image.size.width / (2 * thumbnail.size.width), image.size.width - 1)
        let py = min(
          (2 * y + 1) * image.size.height / (2 * thumbnail.size.height), image.size.height - 1)
        for channel in 0..<channels {
          let a = Int(thumbnail[x: x, y: y, channel: channel])
          let b = Int(image[x: px, y: py, channel: channel])
          largest = max(largest, abs(a - b))
        }
      }
    }
    return largest
  }

  @Test(arguments: Orientation.allCases, [true, false])
  func `a thumbnail shows the rendering for either render path`(
    orientation: Orientation, keepsCoefficients: Bool
  ) throws {
    let image = try Self.photo(orientation)
    var options = RenderOptions()
    options.allowsCoefficients = keepsCoefficients
    let rendering = try Renderer.render(image, FilterGraph([]), options: options)
    #expect(rendering.path == (keepsCoefficients ? .coefficients : .pixels))
    #expect(!rendering.losses.contains { $0.kind == "thumbnail" })
    let small = try #require(try Self.thumbnail(of: rendering.jpeg))
    #expect(small.size.longEdge <= 160)
    let whole = try ImageDecoders.decode(FileBytes(rendering.jpeg))
    #expect(whole.size == orientation.applied(to: Self.size))
    #expect((small.size.width > small.size.height) == (whole.size.width > whole.size.height))
    #expect(Self.distance(small, whole) <= 14)
  }

  @Test(arguments: [true, false])
  func `cropped areas are not in the thumbnail`(keepsCoefficients: Bool) throws {
    var options = RenderOptions()
    options.allowsCoefficients = keepsCoefficients
    let crop = Crop(x: 0, y: 0, width: 0.5, height: 0.5)
    let rendering = try Renderer.render(Self.photo(), FilterGraph([crop]), options: options)
    let small = try #require(try Self.thumbnail(of: rendering.jpeg))
    let whole = try ImageDecoders.decode(FileBytes(rendering.jpeg))
    #expect(whole.size == PixelSize(width: 192, height: 128))
    #expect(Self.distance(small, whole) <= 14)
  }

  @Test(arguments: [ChannelLayout.gray, .rgb])
  func `gray renderings have gray thumbnails`(channels: ChannelLayout) throws {
    for keepsCoefficients in [true, false] {
      var options = RenderOptions()
      options.allowsCoefficients = keepsCoefficients
      let filters: [any Filter] = channels == .gray ? [] : [Grayscale()]
      let rendering = try Renderer.render(
        Self.photo(.right, channels), FilterGraph(filters), options: options)
      let small = try #require(try Self.thumbnail(of: rendering.jpeg))
      let whole = try ImageDecoders.decode(FileBytes(rendering.jpeg))
      #expect(small.layout.channels == whole.layout.channels)
      #expect(Self.distance(small, whole) <= 14)
    }
  }

  @Test func `a source without a thumbnail gets none`() throws {
    let rendering = try Renderer.render(Self.photo(hasThumbnail: false), FilterGraph([]))
    #expect(try Self.thumbnail(of: rendering.jpeg) == nil)
    #expect(rendering.losses.isEmpty)
  }

  @Test(arguments: [true, false])
  func `the file does not depend on threads or strips`(
    keepsCoefficients: Bool
  ) throws {
    let image = try Self.photo(.left)
    var files: Set<[UInt8]> = []
    for (threads, height) in [(1, nil), (2, 16), (5, 64)] as [(Int, Int?)] {
      var options = RenderOptions()
      options.allowsCoefficients = keepsCoefficients
      options.threads = threads
      options.stripHeight = height
      files.insert(try Renderer.render(image, FilterGraph([]), options: options).jpeg)
    }
    #expect(files.count == 1)
  }

  @Test func `ten renders with a thumbnail from the same base equal one`() throws {
    let image = try Self.photo(.right)
    let graph = try FilterGraph([Crop(x: 0.1, y: 0.2, width: 0.7, height: 0.6)])
    let first = try Renderer.render(image, graph).jpeg
    for _ in 1..<10 { #expect(try Renderer.render(image, graph).jpeg == first) }
  }

  @Test func `stripping everything leaves only the image`() throws {
    var options = RenderOptions()
    options.strip = .all
    let rendering = try Renderer.render(Self.photo(), FilterGraph([]), options: options)
    #expect(rendering.stripped.map(\.kind) == ["all"])
    #expect(rendering.losses.isEmpty)
    let segments = try ImageMetadata.read(FileBytes(rendering.jpeg)).segments
    #expect(segments.map(\.kind) == [.jfif])
    let plain = try Renderer.render(Self.photo(), FilterGraph([]))
    let pixels = try ImageDecoders.decode(FileBytes(rendering.jpeg))
    let expected = try ImageDecoders.decode(FileBytes(plain.jpeg))
    #expect(pixels == expected)
  }

  // MARK: Geometry

  @Test func `rotations, crops and resizes are affine and compose in order`() {
    let stored = PixelSize(width: 400, height: 200)
    let operations: [FilterOperation] = [
      .orient(.right), .crop(Region(x: 0, y: 100, width: 200, height: 200)),
      .resample(Resampling(size: PixelSize(width: 100, height: 100), kernel: .box)),
    ]
    let map = operations.geometry(stored: stored)
    let expected = RenderingGeometry.orientation(.right)
      .cropped(
        to: Region(x: 0, y: 100, width: 200, height: 200), of: PixelSize(width: 200, height: 400))
    #expect(map?.isResampled == true)
    #expect(map?.xy == expected.xy && map?.yx == expected.yx && map?.y0 == expected.y0)
    #expect(([] as [FilterOperation]).geometry(stored: stored)?.isIdentity == true)
  }

  @Test func `a straightened image has no affine map`() throws {
    let image = try Self.photo()
    let job = try RenderJob(image, FilterGraph([Straighten(angle: 3)]), options: RenderOptions())
    #expect(job.geometry == nil)
    let plain = try RenderJob(image, FilterGraph([]), options: RenderOptions())
    #expect(plain.geometry?.isIdentity == true)
  }
}
