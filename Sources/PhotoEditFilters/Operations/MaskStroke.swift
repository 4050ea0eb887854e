// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// A stroke of a brush on an image of a certain size.
///
/// Its coverage is the largest of flow·(1 − smoothstep(hardness, 1, d/r)) over all points of its
/// path, at the distance d from a point where the radius is r. It follows the path instead of
/// stamping dabs along it, so that it does not depend on how often a pointer reported its position.
public struct MaskStroke: Sendable, Hashable {
  /// A straight part of the path, in pixels; without length it is a disc.
  package struct Segment: Sendable, Hashable {
    /// The first point, from the upper left corner of the image.
    package let start: SIMD2<Double>
    /// The way to the last point.
    package let way: SIMD2<Double>
    /// The radius at the first point and at the last one.
    package let radii: SIMD2<Double>

    /// The largest distance of a pixel that it covers.
    package var reach: Double { radii.max() }
    /// The smallest and largest column that it may cover.
    fileprivate var columns: ClosedRange<Double> { extent(start.x, way.x) }
    /// The smallest and largest row that it may cover.
    package var rows: ClosedRange<Double> { extent(start.y, way.y) }

    private func extent(_ first: Double, _ length: Double) -> ClosedRange<Double> {
      min(first, first + length) - reach...max(first, first + length) + reach
    }

    /// Returns the least distance of a point in radii.
    fileprivate func distance(_ point: SIMD2<Double>) -> Double {
      let offset = point - start
      let length = (way * way).sum().squareRoot()
      var (along, growth) = (0.0, 0.0)
      if length > 0 {
        let across = (offset.x * way.y - offset.y * way.x) / length
        along = (offset * way).sum() / length
        growth = (radii[1] - radii[0]) / length
        // The distance in radii has its minimum here, and outside of the cone at its wide end.
        let base = radii[0] + growth * along
        along = base > 0 ? along + growth * across * across / base : growth > 0 ? length : 0
        along = min(max(along, 0), length)
      }
      let rest = offset - (length > 0 ? along / length : 0) * way
      return (rest * rest).sum().squareRoot() / (radii[0] + growth * along)
    }
  }

  /// The straight parts of the path that cover anything.
  package let segments: [Segment]
  /// The columns of the image that it may cover.
  package let columns: Range<Int>
  /// The share of the radius with full coverage.
  public let hardness: Double
  /// The coverage on the path.
  public let flow: Double
  /// Indicates whether it removes coverage.
  public let isEraser: Bool

  /// Creates a stroke on an image.
  public init(_ stroke: BrushStroke, size: PixelSize) {
    let pixels = SIMD2(Double(size.width), Double(size.height))
    let radius = stroke.radius * pixels.max()
    let points = stroke.points.map { (SIMD2($0.x, $0.y) * pixels, $0.pressure * radius) }
    let ends = points.count > 1 ? Array(points.dropFirst()) : points
    segments = zip(points, ends)
      .map { Segment(start: $0.0, way: $1.0 - $0.0, radii: SIMD2($0.1, $1.1)) }
      .filter { $0.reach > 0 }
    let (first, last) = (
      segments.map(\.columns.lowerBound).min() ?? 0, segments.map(\.columns.upperBound).max() ?? 0
    )
    let width = pixels.x
    let start = Int(min(max(first.rounded(.down), 0), width))
    columns = start..<max(start, Int(min(max(last.rounded(.up), 0), width)))
    (hardness, flow, isEraser) = (stroke.hardness, stroke.flow, stroke.isEraser)
  }

  /// Returns the coverage after the stroke of a point with a coverage before it.
  func coverage(_ point: SIMD2<Double>, over before: Double) -> Double {
    let distance = segments.map { $0.distance(point) }.min() ?? .infinity
    let share = 1 - smoothStep(hardness, 1, distance)
    return before + flow * share * ((isEraser ? 0 : 1) - before)
  }
}
