// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import Testing

@Suite("Region")
struct RegionTests {
  private let region = Region(x: 2, y: 3, width: 10, height: 5)

  @Test func `ends after its last column and row`() {
    #expect(region.maxX == 12)
    #expect(region.maxY == 8)
    #expect(region.size == PixelSize(width: 10, height: 5))
    #expect(Region(PixelSize(width: 4, height: 2)) == Region(x: 0, y: 0, width: 4, height: 2))
  }

  @Test(arguments: [
    (Region(x: 2, y: 3, width: 10, height: 5), true),
    (Region(x: 11, y: 7, width: 1, height: 1), true),
    (Region(x: 1, y: 3, width: 1, height: 1), false),
    (Region(x: 2, y: 2, width: 1, height: 1), false),
    (Region(x: 11, y: 7, width: 2, height: 1), false),
    (Region(x: 11, y: 7, width: 1, height: 2), false),
  ])
  func `contains regions that are completely inside`(_ other: Region, _ isInside: Bool) {
    #expect(region.contains(other) == isInside)
  }

  @Test func `is written as size and offset`() {
    #expect("\(region)" == "10×5+2+3")
  }

  @Test func `rejects negative sides`() async {
    await #expect(processExitsWith: .failure) { _ = Region(x: 0, y: 0, width: -1, height: 1) }
    await #expect(processExitsWith: .failure) { _ = Region(x: 0, y: 0, width: 1, height: -1) }
  }
}
