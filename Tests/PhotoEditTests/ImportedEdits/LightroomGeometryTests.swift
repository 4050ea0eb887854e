// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage
import Testing

@testable import PhotoEdit
@testable import PhotoEditCodecs

@Suite("Lightroom crop")
struct LightroomGeometryTests {
  private func crop(_ translation: EditConversion) throws -> Crop {
    try #require(try translation.graph.nodes.last?.resolved() as? Crop)
  }

  @Test func `a crop without an angle is the specified fraction`() throws {
    let found = try LightroomFixture.translation([
      "CropLeft": "0.25", "CropTop": "0.125", "CropRight": "0.75", "CropBottom": "1",
      "HasCrop": "True",
    ])
    #expect(try crop(found) == Crop(x: 0.25, y: 0.125, width: 0.5, height: 0.875))
    #expect(found.mapped.map(\.name) == ["CropLeft", "CropTop", "CropRight"])
    #expect(found.approximated.isEmpty && found.unmapped.isEmpty)
  }

  /// A rectangle of 3000×2000 pixels in an image of 6000×4000 that is rotated by ten degrees.
  ///
  /// Its upper left corner is at (−1400, −1050) from the center after rotation; the rotated image
  /// is 6604×4982 pixels large. The numbers were calculated with sine and cosine beforehand.
  @Test func `a crop with an angle has the size and position calculated by hand`() throws {
    let found = try LightroomFixture.translation([
      "CropLeft": "0.300599955", "CropTop": "0.180711103", "CropRight": "0.735121106",
      "CropBottom": "0.803351112", "CropAngle": "10",
    ])
    let straighten = try #require(try found.graph.nodes.first?.resolved() as? Straighten)
    #expect(straighten.angle == -10 && straighten.fit == .expand)
    let made = try crop(found)
    #expect(abs(made.x - 0.288007268) < 1e-7 && abs(made.y - 0.289241269) < 1e-7)
    #expect(abs(made.width - 0.454270139) < 1e-7 && abs(made.height - 0.401445203) < 1e-7)
    let size = PixelSize(width: 6000, height: 4000)
    #expect(try found.graph.resultSize(of: size) == PixelSize(width: 3000, height: 2000))
    #expect(found.mapped.count == 5 && found.approximated.isEmpty)
  }

  /// The settings that crop a rectangle from a rotated image, corners relative to the center.
  private func settings(
    _ rectangle: (left: Double, top: Double, right: Double, bottom: Double), angle: Double,
    _ size: PixelSize
  ) -> [(String, String)] {
    func position(_ x: Double, _ y: Double) -> (Double, Double) {
      let rotated = Self.unrotated(x, y, angle)
      return (
        rotated.0 / Double(size.width) + 0.5, rotated.1 / Double(size.height) + 0.5
      )
    }
    let (a, b) = (
      position(rectangle.left, rectangle.top), position(rectangle.right, rectangle.bottom)
    )
    return [
      ("CropLeft", "\(a.0)"), ("CropTop", "\(a.1)"), ("CropRight", "\(b.0)"),
      ("CropBottom", "\(b.1)"), ("CropAngle", "\(angle)"),
    ]
  }

  /// The point before rotation of a point after it, relative to the center, y downwards.
  private static func unrotated(_ x: Double, _ y: Double, _ angle: Double) -> (Double, Double) {
    // A plane of complex numbers with y upwards, where counterclockwise is positive: the rotation
    // is undone by its conjugate.
    let (s, c) = (Self.sine(angle), Self.sine(angle + 90))
    return (c * x - s * y, s * x + c * y)
  }

  /// The sine of degrees by its series, so that no formula of the tested code is reused.
  private static func sine(_ degrees: Double) -> Double {
    let x = degrees * 0.017453292519943295
    var (term, sum) = (x, x)
    for n in 1...20 {
      term *= -x * x / Double(2 * n * (2 * n + 1))
      sum += term
    }
    return sum
  }

  @Test(arguments: [-12.0, 7.5, 30], [Orientation.up, .right, .upMirrored, .leftMirrored])
  func `marks at the corners of the crop stay at its corners`(
    angle: Double, orientation: Orientation
  ) throws {
    let stored = PixelSize(width: 200, height: 140)
    let rectangle = (left: -50.0, top: -30.0, right: 40.0, bottom: 30.0)
    var image = ImageBuffer(size: stored, layout: RowLayout(channels: .rgb, bytesPerSample: 1))
    for index in image.bytes.indices { image.bytes[index] = 60 }
    // Red inside the upper left corner, green inside the upper right one.
    for (channel, x, y) in [(0, -40.0, -20.0), (1, 30.0, -20.0)] {
      let position = Self.unrotated(x, y, angle)
      for row in -3...3 {
        for column in -3...3 {
          let px = Int((position.0 + 100).rounded()) + column
          let py = Int((position.1 + 70).rounded()) + row
          image.bytes[(py * stored.width + px) * 3 + channel] = 255
        }
      }
    }
    let photo = try ImageSource(FileBytes(try PNGEncoder.encode(image)))
    let edit = try LightroomEdit(
      xmp: LightroomFixture.xmp(
        settings(rectangle, angle: angle, stored), orientation: orientation.rawValue))
    let found = edit.translation(for: .init(size: photo.size))
    #expect(found.unmapped.isEmpty)
    let raster = try Renderer.raster(photo, found.graph, options: RenderOptions())
    let made = raster.image(bytesPerSample: 1)
    // Edges at halves may be rounded either way.
    let size = orientation.applied(to: PixelSize(width: 90, height: 60))
    #expect(abs(made.size.width - size.width) <= 1 && abs(made.size.height - size.height) <= 1)
    // The marks in the stored crop, ten pixels inside of it.
    for (channel, x, y) in [(0, 10, 10), (1, 80, 10)] {
      let best = made.size.pixelIndices.max { a, b in
        made.bytes[a * 3 + channel] < made.bytes[b * 3 + channel]
      }
      let brightest = try #require(best)
      let oriented = (brightest % made.size.width, brightest / made.size.width)
      let position = orientation.storedPosition(
        x: oriented.0, y: oriented.1, stored: orientation.applied(to: made.size))
      #expect(abs(position.x - x) <= 5 && abs(position.y - y) <= 5, "\(position)")
    }
  }

  @Test(arguments: Orientation.allCases)
  func `the sidecar's orientation replaces the image's`(stored: Orientation) throws {
    for expected in Orientation.allCases {
      let found = try LightroomFixture.translation(
        ["ProcessVersion": "11.0"], orientation: expected.rawValue,
        on: PixelSize(width: 60, height: 40), stored: stored)
      let rotation = try found.graph.nodes.first.map { try $0.resolved() as? Orient }
      let made = rotation.flatMap { $0 }.flatMap { Orientation(rawValue: $0.exif) } ?? .up
      #expect(stored.followed(by: made) == expected)
      #expect(found.mapped.isEmpty == (stored == expected))
    }
  }

  @Test func `the crop of a rotated image refers to the image before rotation`() throws {
    // The left half of the stored image is the upper half of one that is rotated clockwise.
    let found = try LightroomFixture.translation(
      ["CropRight": "0.5"], orientation: 6, on: PixelSize(width: 40, height: 60), stored: .right)
    #expect(try crop(found) == Crop(x: 0, y: 0, width: 1, height: 0.5))
    #expect(found.graph.nodes.count == 1)
  }

  @Test func `an invalid orientation or crop is listed and not used`() throws {
    let rotated = try LightroomFixture.translation(["Vibrance": "0"], orientation: 9)
    #expect(rotated.graph.nodes.isEmpty && rotated.unmapped.first?.name == "tiff:Orientation")
    for (left, right) in [("0.6", "0.5"), ("1", "1"), ("7", "9")] {
      let found = try LightroomFixture.translation(["CropLeft": left, "CropRight": right])
      #expect(found.graph.nodes.isEmpty, "\(left)…\(right)")
      #expect(found.mapped.isEmpty && found.unmapped.contains { $0.name == "CropLeft" })
    }
  }

  @Test func `a crop that touches the edges shows nothing from outside the image`() throws {
    // The largest rectangle of the image's shape in it, as Lightroom constrains crops.
    let size = PixelSize(width: 600, height: 400)
    let scale = 1 / (Self.sine(95) + Self.sine(5) * 1.5)
    let rectangle = (
      left: -300 * scale, top: -200 * scale, right: 300 * scale, bottom: 200 * scale
    )
    let edit = try LightroomEdit(xmp: LightroomFixture.xmp(settings(rectangle, angle: 5, size)))
    let found = edit.translation(for: .init(size: size))
    var image = ImageBuffer(size: size, layout: RowLayout(channels: .rgb, bytesPerSample: 1))
    for index in image.bytes.indices { image.bytes[index] = 40 }
    let source = try ImageSource(FileBytes(try PNGEncoder.encode(image)))
    let made = try Renderer.raster(source, found.graph, options: RenderOptions())
      .image(bytesPerSample: 1)
    #expect(made.bytes.allSatisfy { $0 == 40 })
    #expect(abs(made.size.width - Int(600 * scale)) <= 8)
    #expect(found.mapped.allSatisfy { !$0.note.contains("white") })
    let wider = try LightroomFixture.translation(["CropAngle": "5"], on: size)
    #expect(wider.mapped.map(\.note).first?.contains("white") == true)
  }
}

extension PixelSize {
  fileprivate var pixelIndices: Range<Int> { 0..<pixelCount }
}
