// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// An affine map from the stored picture to its rendering, both taken as unit squares.
///
/// `x' = xx·x + xy·y + x0` and `y' = yx·x + yy·y + y0`; (0, 0) is the top left corner and (1, 1) the
/// bottom right one.
public struct RenderingGeometry: Hashable, Sendable {
  /// How far x' follows x.
  public var xx: Double
  /// How far x' follows y.
  public var xy: Double
  /// How far y' follows x.
  public var yx: Double
  /// How far y' follows y.
  public var yy: Double
  /// x' of the stored picture's top left corner.
  public var x0: Double
  /// y' of the stored picture's top left corner.
  public var y0: Double
  /// Whether pixels were made larger or smaller, which coordinates of unit squares do not tell.
  public var isResampled: Bool

  /// Nothing was moved.
  public static let identity = RenderingGeometry(
    xx: 1, xy: 0, yx: 0, yy: 1, x0: 0, y0: 0, isResampled: false)

  /// Makes a map from its six numbers.
  public init(
    xx: Double, xy: Double, yx: Double, yy: Double, x0: Double, y0: Double, isResampled: Bool
  ) {
    self.xx = xx
    self.xy = xy
    self.yx = yx
    self.yy = yy
    self.x0 = x0
    self.y0 = y0
    self.isResampled = isResampled
  }

  /// Whether every pixel is where it was, at its size.
  public var isIdentity: Bool { self == .identity }

  /// The map of a turn.
  public static func turn(_ orientation: Orientation) -> RenderingGeometry {
    // The matrix leads from the upright picture to the stored one; its inverse is its transpose.
    let m = orientation.matrix
    func start(_ a: Int, _ b: Int) -> Double { a + b < 0 ? 1 : 0 }
    return RenderingGeometry(
      xx: Double(m.xx), xy: Double(m.yx), yx: Double(m.xy), yy: Double(m.yy),
      x0: start(m.xx, m.yx), y0: start(m.xy, m.yy), isResampled: false)
  }

  /// This map and then the cut to a region of a picture of some size.
  public func cut(to region: Region, of size: PixelSize) -> RenderingGeometry {
    let (sx, sy) = (
      Double(size.width) / Double(max(1, region.width)),
      Double(size.height) / Double(max(1, region.height))
    )
    return RenderingGeometry(
      xx: xx * sx, xy: xy * sx, yx: yx * sy, yy: yy * sy,
      x0: x0 * sx - Double(region.x) / Double(max(1, region.width)),
      y0: y0 * sy - Double(region.y) / Double(max(1, region.height)), isResampled: isResampled)
  }

  /// This map and then a turn.
  public func turned(by orientation: Orientation) -> RenderingGeometry {
    let t = Self.turn(orientation)
    return RenderingGeometry(
      xx: t.xx * xx + t.xy * yx, xy: t.xx * xy + t.xy * yy,
      yx: t.yx * xx + t.yy * yx, yy: t.yx * xy + t.yy * yy,
      x0: t.xx * x0 + t.xy * y0 + t.x0, y0: t.yx * x0 + t.yy * y0 + t.y0,
      isResampled: isResampled)
  }
}
