// SPDX-License-Identifier: Apache-2.0

/// One of the eight orientations of an image in its file.
///
/// The value specifies how to rotate or flip the stored pixels for display. The eight values form
/// the symmetry group of the square, so any sequence of rotations and flips is one value.
///
/// - Source: CIPA DC-008 (Exif 2.32), tag 0x0112.
public enum Orientation: Int, Sendable, Hashable, CaseIterable, Codable {
  /// Stored as displayed.
  case up = 1
  /// Stored mirrored left to right.
  case upMirrored = 2
  /// Stored upside down.
  case down = 3
  /// Stored mirrored top to bottom.
  case downMirrored = 4
  /// Stored transposed across the main diagonal.
  case leftMirrored = 5
  /// To be rotated 90° clockwise.
  case right = 6
  /// Stored transposed across the other diagonal.
  case rightMirrored = 7
  /// To be rotated 90° counterclockwise.
  case left = 8

  /// Creates the value for a number of clockwise 90° rotations; any integer is taken modulo four.
  public init(clockwiseRotations: Int) {
    switch ((clockwiseRotations % 4) + 4) % 4 {
    case 1: self = .right
    case 2: self = .down
    case 3: self = .left
    default: self = .up
    }
  }

  /// Indicates whether width and height are swapped.
  public var swapsAxes: Bool { rawValue >= 5 }

  /// The matrix that maps displayed columns and rows to the stored image.
  ///
  /// Stored x is `xx·x + xy·y`, stored y is `yx·x + yy·y`; where a row of the matrix is negative,
  /// the coordinate counts from the far end.
  package var matrix: (xx: Int, xy: Int, yx: Int, yy: Int) {
    switch self {
    case .up: (1, 0, 0, 1)
    case .upMirrored: (-1, 0, 0, 1)
    case .down: (-1, 0, 0, -1)
    case .downMirrored: (1, 0, 0, -1)
    case .leftMirrored: (0, 1, 1, 0)
    case .right: (0, 1, -1, 0)
    case .rightMirrored: (0, -1, -1, 0)
    case .left: (0, -1, 1, 0)
    }
  }

  private init(matrix m: (xx: Int, xy: Int, yx: Int, yy: Int)) {
    self = Orientation.allCases.first { $0.matrix == m } ?? .up
  }

  /// Returns the displayed size of an image, given its stored size.
  public func applied(to size: PixelSize) -> PixelSize { swapsAxes ? size.transposed : size }

  /// Returns the stored pixel for a displayed pixel.
  ///
  /// - Parameters:
  ///   - x: Column of the displayed image.
  ///   - y: Row of the displayed image.
  ///   - stored: Size of the stored image.
  public func storedPosition(x: Int, y: Int, stored: PixelSize) -> (x: Int, y: Int) {
    let m = matrix
    let sx = m.xx * x + m.xy * y
    let sy = m.yx * x + m.yy * y
    return (
      m.xx + m.xy < 0 ? stored.width - 1 + sx : sx, m.yx + m.yy < 0 ? stored.height - 1 + sy : sy
    )
  }

  /// Returns the stored rectangle for a displayed rectangle.
  public func storedRegion(_ region: Region, stored: PixelSize) -> Region {
    let a = storedPosition(x: region.x, y: region.y, stored: stored)
    let b = storedPosition(x: region.maxX - 1, y: region.maxY - 1, stored: stored)
    let size = applied(to: region.size)
    return Region(x: min(a.x, b.x), y: min(a.y, b.y), width: size.width, height: size.height)
  }

  /// Returns the single orientation that equals this one followed by another.
  public func followed(by next: Orientation) -> Orientation {
    // next maps the final image to the intermediate one; self maps the intermediate one to the
    // stored one.
    let a = matrix
    let b = next.matrix
    return Orientation(
      matrix: (
        a.xx * b.xx + a.xy * b.yx, a.xx * b.xy + a.xy * b.yy,
        a.yx * b.xx + a.yy * b.yx, a.yx * b.xy + a.yy * b.yy
      ))
  }

  /// The orientation that undoes this one.
  public var inverse: Orientation {
    switch self {
    case .right: .left
    case .left: .right
    default: self
    }
  }
}
