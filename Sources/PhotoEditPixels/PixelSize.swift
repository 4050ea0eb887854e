// SPDX-License-Identifier: Apache-2.0

/// A width and a height, counted in pixels.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
  /// Columns, left to right.
  public var width: Int
  /// Rows, top to bottom.
  public var height: Int

  /// Creates a size; passing negative numbers is a programming error.
  public init(width: Int, height: Int) {
    precondition(width >= 0 && height >= 0, "a size cannot be negative")
    self.width = width
    self.height = height
  }

  /// Width times height; saturates instead of overflowing.
  public var pixelCount: Int {
    let (product, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? .max : product
  }

  /// The size with width and height swapped.
  public var transposed: PixelSize { PixelSize(width: height, height: width) }

  /// The longer of the two sides.
  public var longEdge: Int { max(width, height) }

  /// Indicates whether there are no pixels.
  public var isEmpty: Bool { width == 0 || height == 0 }

  /// "4032×3024".
  public var description: String { "\(width)×\(height)" }
}
