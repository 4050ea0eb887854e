// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditRendering

@Suite("Embedded camera thumbnails")
struct EmbeddedCopyTests {
  /// A flat image whose EXIF data holds flat thumbnails of given sizes in other colors.
  private static func photo(
    _ copies: [(size: PixelSize, level: Int)], orientation: Orientation = .up
  ) throws -> ImageSource {
    var file = ImageFile()
    file.main = [.short(0x0112, orientation.rawValue)]
    file.exif = [
      .blob(0x927C, try copies.flatMap { try jpeg($0.size, level: $0.level) + [0, 0, 0, 0] })
    ]
    let payload = Array("Exif\0\0".utf8) + file.tiff
    let whole = try jpeg(PixelSize(width: 480, height: 320), level: 200)
    return try ImageSource(
      FileBytes(
        ProfiledFiles.jpeg(whole, adding: [JPEGSegment(marker: 0xE1, payload: payload)])))
  }

  private static func jpeg(_ size: PixelSize, level: Int) throws -> [UInt8] {
    let image = Charts.image(size.width, size.height, .rgb) { _, _, _ in level }
    return try Thumbnail(image).jpeg()
  }

  private static let small = (size: PixelSize(width: 60, height: 40), level: 50)
  private static let large = (size: PixelSize(width: 150, height: 100), level: 100)
  /// As tall as the thumbnail of another aspect ratio with black bars.
  private static let barred = (size: PixelSize(width: 160, height: 120), level: 0)

  private static func level(_ image: ImageSource, side: Int) throws -> Int? {
    let shape = ThumbnailShape(side: side)
    guard let made = Thumbnailer.embeddedThumbnail(of: image, shape: shape) else { return nil }
    #expect(made.isDegraded)
    return made.image[x: 3, y: 3, channel: 0]
  }

  @Test func `the smallest thumbnail that is large enough is used, or else the largest`() throws {
    let photo = try Self.photo([Self.large, Self.small])
    #expect(try Self.level(photo, side: 40) == 50)
    #expect(try Self.level(photo, side: 60) == 50)
    #expect(try Self.level(photo, side: 61) == 100)
    #expect(try Self.level(photo, side: 400) == 100)
  }

  @Test func `a thumbnail of another aspect ratio is not used`() throws {
    #expect(try Self.level(Self.photo([Self.barred]), side: 40) == nil)
    #expect(try Self.level(Self.photo([Self.barred, Self.small]), side: 100) == 50)
  }

  @Test func `a thumbnail is rotated like the image`() throws {
    let photo = try Self.photo([Self.small], orientation: .right)
    let shape = ThumbnailShape(side: 30)
    let made = try #require(Thumbnailer.embeddedThumbnail(of: photo, shape: shape))
    #expect(made.size == PixelSize(width: 20, height: 30))
  }

  @Test func `a photo without a thumbnail returns nil`() throws {
    let photo = try ImageSource(FileBytes(TestImages.bytes("photo-64.jpg")))
    #expect(Thumbnailer.embeddedThumbnail(of: photo, shape: ThumbnailShape(side: 8)) == nil)
  }
}
