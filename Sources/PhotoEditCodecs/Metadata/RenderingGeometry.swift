// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// An affine map from the stored image to its rendering, both taken as unit squares.
///
/// `x' = xx·x + xy·y + x0` and `y' = yx·x + yy·y + y0`; (0, 0) is the top left corner and (1, 1)
/// the bottom right corner.
public struct RenderingGeometry: Hashable, Sendable {
  /// The coefficient of x in x'.
  public var xx: Double
  /// The coefficient of y in x'.
  public var xy: Double
  /// The coefficient of x in y'.
  public var yx: Double
  /// The coefficient of y in y'.
  public var yy: Double
  /// x' of the stored image's top left corner.
  public var x0: Double
  /// y' of the stored image's top left corner.
  public var y0: Double
  /// Indicates whether the image was resampled, which cannot be seen from unit-square coordinates.
  public var isResampled: Bool

  /// The map that leaves every point unchanged.
  public static let identity = RenderingGeometry(
    xx: 1, xy: 0, yx: 0, yy: 1, x0: 0, y0: 0, isResampled: false)

  /// Creates a map from its six coefficients.
  public init(
    xx: Double, xy: Double, yx: Double, yy: Double, x0: Double, y0: Double, isResampled: Bool
  ) {
    (self.xx, self.xy, self.yx, self.yy) = (xx, xy, yx, yy)
    (self.x0, self.y0, self.isResampled) = (x0, y0, isResampled)
  }

  /// Indicates whether every pixel keeps its position and size.
  public var isIdentity: Bool { self == .identity }

  /// Indicates whether the width of the rendering is along the height of the stored image.
  public var swapsAxes: Bool { abs(xy) > abs(xx) }

  /// Indicates whether horizontal and vertical lines remain so.
  var keepsLinesStraight: Bool { swapsAxes ? xx == 0 && yy == 0 : xy == 0 && yx == 0 }

  /// Returns the point of the rendering for a point of the stored image.
  func point(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    (xx * x + xy * y + x0, yx * x + yy * y + y0)
  }

  /// Returns the map that applies an orientation.
  public static func orientation(_ orientation: Orientation) -> RenderingGeometry {
    // The matrix maps the oriented image to the stored one; its inverse is its transpose.
    let m = orientation.matrix
    func start(_ a: Int, _ b: Int) -> Double { a + b < 0 ? 1 : 0 }
    return RenderingGeometry(
      xx: Double(m.xx), xy: Double(m.yx), yx: Double(m.xy), yy: Double(m.yy),
      x0: start(m.xx, m.yx), y0: start(m.xy, m.yy), isResampled: false)
  }

  /// Returns this map followed by a crop to a region of an image of the given size.
  public func cropped(to region: Region, of size: PixelSize) -> RenderingGeometry {
    let (sx, sy) = (
      Double(size.width) / Double(max(1, region.width)),
      Double(size.height) / Double(max(1, region.height))
    )
    return RenderingGeometry(
      xx: xx * sx, xy: xy * sx, yx: yx * sy, yy: yy * sy,
      x0: x0 * sx - Double(region.x) / Double(max(1, region.width)),
      y0: y0 * sy - Double(region.y) / Double(max(1, region.height)), isResampled: isResampled)
  }

  /// Returns this map followed by the application of an orientation.
  public func rotated(by orientation: Orientation) -> RenderingGeometry {
    let t = Self.orientation(orientation)
    return RenderingGeometry(
      xx: t.xx * xx + t.xy * yx, xy: t.xx * xy + t.xy * yy,
      yx: t.yx * xx + t.yy * yx, yy: t.yx * xy + t.yy * yy,
      x0: t.xx * x0 + t.xy * y0 + t.x0, y0: t.yx * x0 + t.yy * y0 + t.y0,
      isResampled: isResampled)
  }
}
