// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels
import PhotoEditPlatform

/// An image sampled along a projection.
public struct Warp: Sendable, Hashable, AreaFacts {
  /// The projection from points of the result to points of the source; pixel centers are at halves.
  public var projection: Projection
  /// The size of the result.
  public var size: PixelSize
  /// The kernel that interpolates between pixels.
  public var kernel: ResamplingKernel
  /// The color around the source in the current transfer encoding; nil extends the outermost
  /// pixels.
  public var surround: SIMD3<Double>?
  /// Moves the points of the source along rays from a center; nil for none.
  public var radial: RadialMap?
  /// The part of the result that is computed.
  package var region: Region

  /// Creates a warp.
  public init(
    _ projection: Projection, size: PixelSize, kernel: ResamplingKernel,
    surround: SIMD3<Double>? = nil
  ) {
    (self.projection, self.size, self.kernel, self.surround) = (projection, size, kernel, surround)
    region = Region(size)
  }

  /// The number of source samples per output sample along each axis.
  package var taps: Int { kernel.support <= 0.5 ? 1 : Int(2 * kernel.support) }

  /// Returns the warp that computes only a part of the computed region.
  package func cropped(to part: Region) -> Warp {
    var warp = self
    warp.region = Region(
      x: region.x + part.x, y: region.y + part.y, width: part.width, height: part.height)
    return warp
  }

  /// Returns the part of the source that a part of the whole result depends on.
  package func source(of part: Region, input: PixelSize) -> Region {
    let (left, right) = (Double(part.x) + 0.5, Double(part.maxX) - 0.5)
    let (top, bottom) = (Double(part.y) + 0.5, Double(part.maxY) - 0.5)
    // Straight lines stay straight, so the corners are the extreme points.
    var corners = [(left, top), (right, top), (left, bottom), (right, bottom)]
      .compactMap { projection($0.0, $0.1) }
    guard corners.count == 4 else { return Region(input) }
    if let radial { corners = radial.bounds(of: corners) }
    let margin = Double(taps) / 2 + 1
    func span(_ positions: [Double], _ count: Int) -> Range<Int> {
      func nearest(_ position: Double) -> Int {
        Int(min(max(position, 0), Double(count - 1)).rounded(.down))
      }
      let (low, high) = (positions.min() ?? 0, positions.max() ?? 0)
      return nearest(low - margin)..<nearest(high + margin) + 1
    }
    let columns = span(corners.map(\.x), input.width)
    let rows = span(corners.map(\.y), input.height)
    return Region(
      x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }

  package func outputSize(of size: PixelSize) -> PixelSize { region.size }
  package var movesPixels: Bool { true }
  package var needsWorkingRows: Bool { false }
  package var preservesGray: Bool { surround?.hasEqualChannels ?? true }
  package var summary: String { "warp to \(region.size)" }

  package func inputRows(for rows: Range<Int>, input: PixelSize) -> Range<Int> {
    let source = source(
      of: Region(
        x: region.x, y: region.y + rows.lowerBound, width: region.width, height: rows.count),
      input: input)
    return source.y..<source.maxY
  }
}

/// A projection of the plane: a matrix on homogeneous coordinates.
public struct Projection: Sendable, Hashable {
  /// Three rows of three: x' = (m₀x + m₁y + m₂)/w, y' = (m₃x + m₄y + m₅)/w, w = m₆x + m₇y + m₈.
  public var m: [Double]

  /// Creates a projection from nine numbers.
  public init(_ m: [Double]) {
    precondition(m.count == 9, "three rows of three")
    self.m = m
  }

  /// Returns the projection of a point; nil beyond the horizon.
  public func callAsFunction(_ x: Double, _ y: Double) -> (x: Double, y: Double)? {
    let w = m[6] * x + m[7] * y + m[8]
    guard w > 1e-9 else { return nil }
    return ((m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w)
  }

  /// Returns a rotation with a translation: the area around `target` in the result shows that
  /// around `source`.
  ///
  /// - Parameter angle: In radians; the image rotates clockwise.
  public static func rotation(
    by angle: Double, about target: (x: Double, y: Double), showing source: (x: Double, y: Double)
  ) -> Projection {
    let (c, s) = (cos(angle), sin(angle))
    return Projection([
      c, s, source.x - c * target.x - s * target.y, -s, c, source.y + s * target.x - c * target.y,
      0, 0, 1,
    ])
  }

  /// Creates the projection that maps the corners of a rectangle at the origin to four points.
  ///
  /// - Parameters:
  ///   - size: Width and height of the rectangle.
  ///   - corners: Top left, top right, bottom right, bottom left.
  /// - Returns: Nil if three of the points are collinear.
  /// - Source: Heckbert 1989, the square to quadrilateral case of the direct linear transform.
  public init?(
    rectangle size: (width: Double, height: Double), to corners: [(x: Double, y: Double)]
  ) {
    precondition(corners.count == 4, "a rectangle has four corners")
    let (a, b, c, d) = (corners[0], corners[1], corners[2], corners[3])
    let (dx1, dy1) = (b.x - c.x, b.y - c.y)
    let (dx2, dy2) = (d.x - c.x, d.y - c.y)
    let (sx, sy) = (a.x - b.x + c.x - d.x, a.y - b.y + c.y - d.y)
    let determinant = dx1 * dy2 - dx2 * dy1
    guard abs(determinant) > 1e-12 else { return nil }
    let g = (sx * dy2 - dx2 * sy) / determinant
    let h = (dx1 * sy - sx * dy1) / determinant
    let (w, v) = (size.width, size.height)
    self.init([
      (b.x - a.x + g * b.x) / w, (d.x - a.x + h * d.x) / v, a.x,
      (b.y - a.y + g * b.y) / w, (d.y - a.y + h * d.y) / v, a.y, g / w, h / v, 1,
    ])
  }
}
