// SPDX-License-Identifier: Apache-2.0

extension PictureDifference {
  /// Draws where and how much the pictures differ: black is equal, brighter is further apart.
  ///
  /// - Parameter gain: What absolute differences in 8-bit levels are multiplied by before they are
  ///   rounded and clamped to 255; not negative.
  /// - Returns: An RGB picture of 8 bits, as large as the ones compared. Differences of alpha show
  ///   as far as they change the picture on white.
  public func differenceImage(gain: Double = 16) -> SampleImage {
    precondition(gain >= 0, "a gain cannot be negative")
    var image = SampleImage(size: first.size, layout: RowLayout(channels: .rgb))
    var firstRow = ComparableRow(width: first.size.width)
    var secondRow = firstRow
    var at = 0
    func level(_ first: Float, _ second: Float) -> UInt8 {
      UInt8(min(255, (Double(abs(first - second)) * gain).rounded()))
    }
    for y in 0..<first.size.height {
      firstRow.read(first, y: y)
      secondRow.read(second, y: y)
      for x in 0..<first.size.width {
        image.bytes[at] = level(firstRow.red[x], secondRow.red[x])
        image.bytes[at + 1] = level(firstRow.green[x], secondRow.green[x])
        image.bytes[at + 2] = level(firstRow.blue[x], secondRow.blue[x])
        at += 3
      }
    }
    return image
  }
}
