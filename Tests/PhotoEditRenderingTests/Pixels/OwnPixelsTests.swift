// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage
import Testing

@Suite("Reading and writing pixels")
struct OwnPixelsTests {
  private static let rotated = (1...8).flatMap {
    ["orientation-\($0).jpg", "orientation-odd-\($0).png"]
  }
  /// Gray and color, 8 and 16 bits, profiles of several kinds, CMYK, EXIF with a thumbnail, and
  /// every orientation.
  static let names =
    rotated + [
      "jpeg-422.jpg", "jpeg-gray.jpg", "jpeg-display-p3.jpg", "jpeg-cmyk.jpg", "jpeg-ycck.jpg",
      "jpeg-progressive.jpg", "jpeg-restart.jpg", "photo-landscape.jpg", "photo-portrait.jpg",
      "png-gray-8.png", "png-gray-16.png", "png-rgb-8.png", "png-rgb-16.png", "png-icc.png",
      "png-palette.png", "png-rgba-8.png",
    ]

  /// A rendering of an empty graph via the pixel path.
  static func expected(
    _ image: ImageSource, _ quality: JPEGQuality = .preserve
  ) throws -> Rendering {
    var options = RenderOptions()
    options.quality = quality
    options.allowsCoefficients = false
    return try Renderer.render(image, FilterGraph(), options: options)
  }

  static func options(_ quality: JPEGQuality) -> RenderOptions {
    var options = RenderOptions()
    options.quality = quality
    return options
  }

  static func check(_ made: Rendering, _ expected: Rendering) {
    #expect(made.jpeg == expected.jpeg)
    #expect(made.size == expected.size && made.encoding == expected.encoding)
    #expect(made.losses == expected.losses && made.notices == expected.notices)
  }

  @Test(arguments: names, [JPEGQuality.preserve, .ijg(80)])
  func `unchanged float pixels give the bytes of an empty graph`(
    _ name: String, _ quality: JPEGQuality
  ) throws {
    let image = try Charts.source(named: name)
    let expected = try Self.expected(image, quality)
    for arrangement in PixelArrangement.allCases {
      let pixels = try Renderer.pixels(of: image, as: Float.self, arrangement: arrangement)
      #expect(pixels.size == image.size)
      Self.check(
        try Renderer.render(pixels, of: image, options: Self.options(quality)), expected)
    }
  }

  @Test(arguments: names)
  func `unchanged integer pixels give the same metadata and pixels within a level`(
    _ name: String
  ) throws {
    let image = try Charts.source(named: name)
    let expected = try Self.expected(image)
    let wide = try Renderer.render(Renderer.pixels(of: image, as: UInt16.self), of: image)
    let bytes = try Renderer.render(
      Renderer.pixels(of: image, as: UInt8.self, arrangement: .planar), of: image)
    let pixels = try ImageDecoders.decode(FileBytes(expected.jpeg))
    for made in [wide, bytes] {
      let decoded = try ImageDecoders.decode(FileBytes(made.jpeg))
      #expect(decoded.layout == pixels.layout)
      #expect(zip(decoded.bytes, pixels.bytes).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
      #expect(
        try ImageMetadata.read(FileBytes(made.jpeg)).segments
          == ImageMetadata.read(FileBytes(expected.jpeg)).segments)
      #expect(made.losses == expected.losses)
    }
  }

  @Test(arguments: names)
  func `unchanged strips give the bytes of an empty graph`(_ name: String) throws {
    let image = try Charts.source(named: name)
    Self.check(try Renderer.render(image) { _ in }, try Self.expected(image))
  }
}
