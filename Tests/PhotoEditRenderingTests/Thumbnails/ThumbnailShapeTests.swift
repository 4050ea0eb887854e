// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditRendering
import Testing

@Suite("Thumbnail sizes")
struct ThumbnailShapeTests {
  private static let images = [
    PixelSize(width: 1, height: 1), PixelSize(width: 3, height: 2),
    PixelSize(width: 640, height: 480), PixelSize(width: 480, height: 640),
    PixelSize(width: 4032, height: 3024), PixelSize(width: 9000, height: 7),
    PixelSize(width: 37, height: 4001),
  ]
  private static let boxes = [
    PixelSize(width: 1, height: 1), PixelSize(width: 256, height: 256),
    PixelSize(width: 500, height: 33), PixelSize(width: 97, height: 512),
  ]

  @Test(arguments: images, boxes)
  func `aspect fit stays inside the box and touches one side`(
    image: PixelSize, box: PixelSize
  ) {
    let shape = ThumbnailShape(box: box)
    let (part, size) = shape.layout(of: image)
    #expect(part == Region(image))
    #expect(size.width <= box.width && size.height <= box.height && !size.isEmpty)
    let isSmall = image.width <= box.width && image.height <= box.height
    #expect(isSmall ? size == image : size.width == box.width || size.height == box.height)
    var enlarging = shape
    enlarging.mayEnlarge = true
    let enlarged = enlarging.layout(of: image).size
    #expect(enlarged.width <= box.width && enlarged.height <= box.height)
    #expect(enlarged.width == box.width || enlarged.height == box.height)
  }

  @Test(arguments: images, boxes)
  func `aspect fill covers the box, and matches it exactly on request`(
    image: PixelSize, box: PixelSize
  ) {
    var shape = ThumbnailShape(box: box, mode: .fill)
    let (whole, covering) = shape.layout(of: image)
    #expect(whole == Region(image))
    let isLarge = image.width >= box.width && image.height >= box.height
    if isLarge {
      #expect(covering.width >= box.width && covering.height >= box.height)
      #expect(covering.width == box.width || covering.height == box.height)
    } else {
      #expect(covering == image)
    }
    shape.isExact = true
    let (part, exact) = shape.layout(of: image)
    #expect(Region(image).contains(part))
    #expect(isLarge ? exact == box : exact == part.size)
    shape.mayEnlarge = true
    #expect(shape.layout(of: image).size == box)
  }

  @Test func `aspect fill crops the same amount on both sides`() {
    let shape = ThumbnailShape(side: 100, mode: .fill, isExact: true)
    let (part, size) = shape.layout(of: PixelSize(width: 400, height: 300))
    #expect(part == Region(x: 50, y: 0, width: 300, height: 300))
    #expect(size == PixelSize(width: 100, height: 100))
  }

  @Test func `a crop replaces the whole image`() {
    let crop = NormalizedRect(x: 0.5, y: 0.25, width: 0.5, height: 0.5)
    let shape = ThumbnailShape(box: PixelSize(width: 50, height: 50), crop: crop)
    let (part, size) = shape.layout(of: PixelSize(width: 401, height: 200))
    #expect(part == Region(x: 201, y: 50, width: 200, height: 100))
    #expect(size == PixelSize(width: 50, height: 25))
  }

  @Test(arguments: [
    NormalizedRect(x: -0.1, y: 0, width: 1, height: 1),
    NormalizedRect(x: 0, y: 0, width: 0, height: 1),
    NormalizedRect(x: 0.5, y: 0, width: 0.6, height: 1),
    NormalizedRect(x: 0, y: .nan, width: 1, height: 1),
    NormalizedRect(x: 0, y: 0, width: .infinity, height: 1),
  ])
  func `a crop outside the image is invalid`(region: NormalizedRect) {
    #expect(!region.isValid)
    #expect(NormalizedRect.whole.isValid)
    #expect(NormalizedRect(x: 0.1, y: 0.2, width: 0.9, height: 0.8).isValid)
  }
}
