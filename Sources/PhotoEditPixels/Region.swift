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
    (self.width, self.height) = (width, height)
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

extension PixelSize: Codable {
  private enum CodingKeys: CodingKey {
    case width, height
  }

  /// Decodes a size.
  ///
  /// - Throws: `DecodingError` for a negative number.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let width = try members.decode(Int.self, forKey: .width)
    let height = try members.decode(Int.self, forKey: .height)
    guard width >= 0, height >= 0 else {
      throw DecodingError.dataCorruptedError(
        forKey: .width, in: members, debugDescription: "a size cannot be negative")
    }
    self.init(width: width, height: height)
  }
}

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
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
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
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
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
