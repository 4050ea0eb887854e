// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditPixels

/// The level counts and clipped pixels of a rendering, in the 8-bit samples that its encoder
/// receives.
package struct LevelCounts: Sendable, Hashable {
  /// The number of pixels at each of the 256 levels of red, green, blue, and BT.601 luma.
  package var channels: [[Int]] {
    stride(from: 0, to: levels.count, by: 256).map { Array(levels[$0..<$0 + 256]) }
  }
  /// The number of pixels all of whose channels are 0.
  package internal(set) var shadows = 0
  /// The number of pixels any of whose channels is 255.
  package internal(set) var highlights = 0
  /// The number of pixels.
  package var pixelCount: Int { levels[..<256].reduce(0, +) }

  var levels = [Int](repeating: 0, count: 4 * 256)

  /// Counts rows of an image with one or three channels.
  ///
  /// - Parameter separatesChannels: Whether a row has the bytes of one channel after those of
  ///   another.
  mutating func count(_ strip: Strip, width: Int, channels: Int, separatesChannels: Bool) {
    // The channels of gray are the same one.
    let offset = channels == 1 ? 0 : separatesChannels ? width : 1
    for y in strip.rows {
      let row = strip.row(y).assumingMemoryBound(to: UInt8.self)
      pe_count_levels(
        row, row + offset, row + 2 * offset, width, separatesChannels ? 1 : channels, &levels,
        &shadows, &highlights)
    }
  }

  mutating func add(_ other: LevelCounts) {
    for index in levels.indices { levels[index] += other.levels[index] }
    shadows += other.shadows
    highlights += other.highlights
  }
}
