// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// Creates small images from formulas, so that expected values can be computed elsewhere too.
enum SmallImages {
  static func make(
    _ width: Int, _ height: Int, _ channels: ChannelLayout = .rgb, bytesPerSample: Int = 1,
    _ sample: (_ x: Int, _ y: Int, _ channel: Int) -> Int
  ) -> ImageBuffer {
    var image = ImageBuffer(
      size: PixelSize(width: width, height: height),
      layout: RowLayout(channels: channels, bytesPerSample: bytesPerSample))
    for y in 0..<height {
      for x in 0..<width {
        for c in 0..<channels.count { image[x: x, y: y, channel: c] = sample(x, y, c) }
      }
    }
    return image
  }

  /// Texture between 40 and 199, so that small changes never clip.
  static func texture(_ x: Int, _ y: Int, _ c: Int) -> Int {
    40 + (x * 2 + y * 3 + c * 20 + (x * y) % 17 * 3) % 160
  }

  /// A photo-like image: a smooth gradient, colored, with one hard edge and a little grain.
  static func scene(_ x: Int, _ y: Int, _ c: Int) -> Int {
    let light = c == 0 ? 60 + 2 * x : c == 1 ? 70 + x + y : 160 - 2 * y
    return light + (x + y > 60 ? 40 : 0) + (x * 7 + y * 11 + c * 3) % 5
  }

  static func changed(
    _ image: ImageBuffer, _ change: (_ x: Int, _ y: Int, _ channel: Int, _ value: Int) -> Int
  ) -> ImageBuffer {
    make(
      image.size.width, image.size.height, image.layout.channels,
      bytesPerSample: image.layout.bytesPerSample
    ) { x, y, c in
      min(max(change(x, y, c, image[x: x, y: y, channel: c]), 0), image.maximum)
    }
  }
}
