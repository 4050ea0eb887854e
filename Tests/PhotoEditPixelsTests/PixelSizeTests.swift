// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import Testing

@Suite("PixelSize")
struct PixelSizeTests {
  @Test(arguments: [
    (4032, 3024, 12_192_768), (0, 7, 0), (1, .max, .max), (.max, .max, .max),
    (1 << 32, 1 << 31, .max), (1 << 31, 1 << 31, 1 << 62),
  ])
  func `counts pixels and saturates instead of overflowing`(
    _ width: Int, _ height: Int, _ count: Int
  ) {
    #expect(PixelSize(width: width, height: height).pixelCount == count)
  }

  @Test func `has a long edge and a transpose`() {
    let size = PixelSize(width: 3, height: 8)
    #expect(size.longEdge == 8)
    #expect(size.transposed == PixelSize(width: 8, height: 3))
    #expect(size.transposed.longEdge == 8)
    #expect("\(size)" == "3×8")
  }

  @Test(arguments: [(0, 0, true), (0, 5, true), (5, 0, true), (1, 1, false)])
  func `is empty when a side is zero`(_ width: Int, _ height: Int, _ isEmpty: Bool) {
    #expect(PixelSize(width: width, height: height).isEmpty == isEmpty)
  }

  @Test func `rejects negative sides`() async {
    await #expect(processExitsWith: .failure) { _ = PixelSize(width: -1, height: 1) }
    await #expect(processExitsWith: .failure) { _ = PixelSize(width: 1, height: -1) }
  }
}
