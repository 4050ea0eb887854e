// SPDX-License-Identifier: Apache-2.0

/// A rectangle in an image of any size: coordinates run from 0 to 1 from the top left.
public struct NormalizedRect: Hashable, Sendable, CustomStringConvertible {
  /// The left edge, from 0.
  public var x: Double
  /// The top edge, from 0.
  public var y: Double
  /// The fraction of the image's width.
  public var width: Double
  /// The fraction of the image's height.
  public var height: Double

  /// Creates a rectangle; `isValid` indicates whether it is inside the image.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The whole image.
  public static let whole = NormalizedRect(x: 0, y: 0, width: 1, height: 1)

  /// Indicates whether it is inside the image and not empty; a millionth outside an edge counts as
  /// rounding.
  public var isValid: Bool {
    let hair = 1e-6
    func isInside(_ start: Double, _ length: Double) -> Bool {
      start >= -hair && length > 0 && start < 1 && start + length <= 1 + hair
    }
    return isInside(x, width) && isInside(y, height)
  }

  /// Returns the pixels of an image that it covers: edges are rounded, and at least one pixel
  /// remains.
  ///
  /// - Parameter size: The size of the image with its orientation applied; not empty.
  public func region(in size: PixelSize) -> Region {
    func span(_ start: Double, _ length: Double, _ side: Int) -> Range<Int> {
      let first = Int((min(max(start, 0), 1) * Double(side)).rounded())
      let end = Int((min(max(start + length, 0), 1) * Double(side)).rounded())
      let low = min(first, side - 1)
      return low..<max(low + 1, end)
    }
    let columns = span(x, width, size.width)
    let rows = span(y, height, size.height)
    return Region(
      x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }

  /// "0.5×0.5+0.25+0.25".
  public var description: String { "\(width)×\(height)+\(x)+\(y)" }
}
