// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// Some whole rows of an image, to be changed in place.
///
/// Samples are floats like those of a `PixelBuffer<Float>`: orientation applied, 0 black and 1
/// white, unclamped, in the color space of the rendering. A strip is valid for one call only.
public struct PixelStrip: ~Copyable {
  /// The range of rows, counted from the top of the image.
  public var rows: Range<Int> { strip.rows }
  /// The width and height of the whole image.
  public let size: PixelSize
  /// Gray, or red, green and blue.
  public let channels: PixelChannels
  private let strip: Strip

  init(_ strip: Strip, size: PixelSize, planes: Int) {
    self.strip = strip
    self.size = size
    channels = planes == 1 ? .gray : .rgb
  }

  /// Calls a body with the samples of a row, from left to right; they are valid while it runs.
  ///
  /// - Parameters:
  ///   - y: One of `rows`.
  ///   - channel: From 0 to `channels.count` - 1.
  public mutating func withUnsafeMutableRow<Result, Failure>(
    _ y: Int, channel: Int,
    _ body: (UnsafeMutableBufferPointer<Float>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeMutableBufferPointer(start: row(y, channel), count: size.width))
  }

  /// One sample; `y` counts from the top of the image.
  public subscript(x x: Int, y y: Int, channel channel: Int) -> Float {
    get { row(y, channel)[column(x)] }
    set { row(y, channel)[column(x)] = newValue }
  }

  private func row(_ y: Int, _ channel: Int) -> UnsafeMutablePointer<Float> {
    precondition(
      rows.contains(y) && channel >= 0 && channel < channels.count, "outside the strip")
    return strip.row(y).assumingMemoryBound(to: Float.self) + channel * size.width
  }

  private func column(_ x: Int) -> Int {
    precondition(x >= 0 && x < size.width, "outside the strip")
    return x
  }
}

/// A closure of the caller that changes strips of an image.
///
/// Several threads call it at once, with strips of any height in any order. Each row is passed
/// once.
public typealias PixelChange = @Sendable (inout PixelStrip) throws -> Void
