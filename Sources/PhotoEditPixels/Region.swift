// SPDX-License-Identifier: Apache-2.0

/// A rectangle of pixels; the origin is the top left corner.
public struct Region: Hashable, Sendable, CustomStringConvertible {
  /// First column.
  public var x: Int
  /// First row.
  public var y: Int
  /// Columns in the rectangle.
  public var width: Int
  /// Rows in the rectangle.
  public var height: Int

  /// Creates a rectangle from its corner and its sides.
  public init(x: Int, y: Int, width: Int, height: Int) {
    precondition(width >= 0 && height >= 0, "a region cannot have a negative side")
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// Creates the rectangle that covers a whole image.
  public init(_ size: PixelSize) {
    self.init(x: 0, y: 0, width: size.width, height: size.height)
  }

  /// The column after the last one.
  public var maxX: Int { x + width }
  /// The row after the last one.
  public var maxY: Int { y + height }
  /// Width and height.
  public var size: PixelSize { PixelSize(width: width, height: height) }

  /// Returns whether every pixel of the other region is in this one.
  public func contains(_ other: Region) -> Bool {
    other.x >= x && other.y >= y && other.maxX <= maxX && other.maxY <= maxY
  }

  /// "200×160+61+37", the notation of ImageMagick and jpegtran.
  public var description: String { "\(width)×\(height)+\(x)+\(y)" }
}
