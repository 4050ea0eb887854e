// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import Testing

@Suite("Points in frames")
struct FramePositionTests {
  @Test func `a crop in still pixels is scaled to whole frame pixels within rounding`() throws {
    let (still, frames) = (PixelSize(width: 97, height: 65), PixelSize(width: 48, height: 32))
    func size(_ region: Region) throws -> PixelSize {
      try FrameRenderer(
        try FilterGraph([Crop(pixels: region)]), size: frames, layout: RowLayout(channels: .rgb),
        scale: Double(frames.width) / Double(still.width)
      ).outputSize
    }
    for (x, y, width, height) in [
      (0, 0, 97, 65), (96, 64, 1, 1), (1, 2, 95, 63), (50, 0, 47, 65), (0, 31, 97, 34),
      (3, 3, 33, 35),
    ] {
      let made = try size(Region(x: x, y: y, width: width, height: height))
      // The tolerance of a Live Photo commit.
      #expect(abs(width * made.height - height * made.width) <= 2 * max(width, height))
      #expect(abs(made.width * 97 - width * 48) <= 97)
    }
    for (x, y, width, height) in [(60, 0, 60, 10), (0, 0, 97, 75), (97, 65, 10, 10)] {
      #expect(throws: RenderError.self) {
        _ = try size(Region(x: x, y: y, width: width, height: height))
      }
    }
  }
}
