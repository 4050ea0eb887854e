// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import Testing

@testable import PhotoEdit

@Suite("Apple geometry, approximated")
struct AppleGeometryTests {
  private func translation(
    _ adjustments: String, master: (Int, Int), orientation: Int, on size: PixelSize,
    stored: Orientation = .up
  ) throws -> EditConversion {
    let file = AAEFixture(adjustments: adjustments, master: master, orientation: orientation)
    return try AppleEdit(file.xml).translation(for: .init(size: size, orientation: stored))
  }

  private func crop(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ more: String = ""
  )
    -> String
  {
    """
    {"identifier":"Crop","enabled":true,"settings":{"xOrigin":\(x),"yOrigin":\(y),\
    "width":\(width),"height":\(height)\(more)}}
    """
  }

  private func filters(_ translation: EditConversion) throws -> [any Filter] {
    try translation.graph.nodes.map { try $0.resolved() }
  }

  @Test func `a crop in sensor pixels is rotated with the image`() throws {
    // 90° clockwise: the left quarter of the sensor becomes the upper quarter of the image.
    let found = try translation(
      crop(0, 0, 1000, 3000), master: (3000, 4000), orientation: 6,
      on: PixelSize(width: 3000, height: 4000), stored: .right)
    let filters = try filters(found)
    #expect(filters.count == 1 && filters[0] as? Crop == Crop(x: 0, y: 0, width: 1, height: 0.25))
    #expect(found.approximated.map(\.name) == ["Crop"] && found.mapped.isEmpty)
  }

  @Test func `a copy of another size is cropped in the same proportion`() throws {
    let found = try translation(
      crop(400, 300, 2000, 1500), master: (4000, 3000), orientation: 1,
      on: PixelSize(width: 500, height: 375))
    #expect(try filters(found).first as? Crop == Crop(x: 0.1, y: 0.1, width: 0.5, height: 0.5))
  }

  @Test func `a crop outside the recorded size is taken from the image itself`() throws {
    // The camera's 16:9: the recorded size is that of the cropped image, orientation applied.
    let found = try translation(
      crop(0, 378, 4032, 2268), master: (2268, 4032), orientation: 6,
      on: PixelSize(width: 3024, height: 4032), stored: .right)
    let made = try #require(try filters(found).first as? Crop)
    #expect(abs(made.x - 0.125) < 1e-9 && abs(made.width - 0.75) < 1e-9)
    #expect(made.y == 0 && made.height == 1)
  }

  @Test func `a crop outside the image is listed and not used`() throws {
    for rectangle in [
      crop(5000, 0, 100, 100), crop(0, 0, 0, 10), crop(-50, 0, 100, 100), crop(0, 0, 1e300, 10),
      #"{"identifier":"Crop","settings":{"xOrigin":1}}"#,
      #"{"identifier":"Crop","settings":{"straightenAngle":60}}"#,
    ] {
      let found = try translation(
        rectangle, master: (4000, 3000), orientation: 1, on: PixelSize(width: 4000, height: 3000))
      #expect(found.graph.nodes.isEmpty && found.approximated.isEmpty, "\(rectangle)")
      #expect(found.unmapped.map(\.name) == ["Crop"], "\(rectangle)")
    }
  }

  @Test func `straightening rotates about the center, reversed for mirrored images`() throws {
    let straight = crop(500, 400, 3000, 2200, #","straightenAngle":2.5,"pitch":1"#)
    for (orientation, angle) in [(1, 2.5), (3, 2.5), (2, -2.5), (4, -2.5)] {
      let found = try translation(
        straight, master: (4000, 3000), orientation: orientation,
        on: PixelSize(width: 4000, height: 3000))
      let filters = try filters(found)
      #expect((filters.first as? Straighten)?.angle == angle)
      #expect((filters.first as? Straighten)?.fit == .expand && filters.count == 2)
      #expect(found.approximated.map(\.name) == ["Crop", "Crop.straightenAngle"])
      #expect(found.unmapped.map(\.name) == ["Crop.pitch"])
    }
  }

  @Test(arguments: Orientation.allCases)
  func `an orientation replaces the stored one`(stored: Orientation) throws {
    for expected in Orientation.allCases {
      let found = try translation(
        #"{"identifier":"Orientation","settings":{"value":\#(expected.rawValue)}}"#,
        master: (40, 30),
        orientation: stored.rawValue, on: PixelSize(width: 40, height: 30), stored: stored)
      let rotation = try filters(found).first.map { ($0 as? Orient)?.exif }
      let made = rotation.flatMap { $0 }.flatMap(Orientation.init(rawValue:)) ?? .up
      #expect(stored.followed(by: made) == expected)
      #expect(found.approximated.map(\.name) == ["Orientation"])
    }
  }

  @Test func `disabled and unknown adjustments are listed with the reason`() throws {
    let off = #"{"identifier":"Crop","enabled":false,"settings":{}}"#
    let found = try translation(
      off + #",{"identifier":"Effect","settings":{"effectName":"Noir"}}"#, master: (40, 30),
      orientation: 1, on: PixelSize(width: 40, height: 30))
    #expect(
      found.unmapped.map(\.description) == [
        "Crop {}: disabled",
        #"Effect {"effectName":"Noir"}: its rendering is not published by Apple"#,
      ])
  }

  @Test(arguments: Orientation.allCases)
  func `rectangles rotate consistently with pixels`(orientation: Orientation) {
    let stored = PixelSize(width: 70, height: 40)
    let made = RotatedCrop(left: 10, top: 5, right: 31, bottom: 22, angle: 3)
      .applying(orientation, to: stored)
    let region = Region(
      x: Int(made.left), y: Int(made.top), width: Int(made.right - made.left),
      height: Int(made.bottom - made.top))
    #expect(
      orientation.storedRegion(region, stored: stored) == Region(x: 10, y: 5, width: 21, height: 17)
    )
  }
}
