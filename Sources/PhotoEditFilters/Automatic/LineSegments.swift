// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers
import PhotoEditPlatform

/// The straight edges of an image.
///
/// Pixels whose edges have about the same direction grow to regions, and a region that fills a
/// narrow rectangle is a segment.
///
/// - Source: Grompone von Gioi et al., "LSD: a line segment detector", IPOL 2012; the share of the
///   rectangle that is filled replaces the number of false alarms.
struct LineSegments {
  struct Segment {
    /// Degrees clockwise from the horizontal, −90 to 90.
    let angle: Double
    let length: Double
  }

  private static let tolerance = 22.5 * Double.pi / 180
  /// The least change between two pixels that is not rounding, in levels of 255.
  private static let threshold = 2 / sin(22.5 * Double.pi / 180)

  private let width: Int
  private let height: Int
  private var magnitudes: [Double]
  private var angles: [Double]
  private var isUsed: [Bool]
  /// The pixels of the region that grows last; the memory is used again for the next one.
  private var region: [Int] = []

  /// Finds the segments of at least a length.
  ///
  /// - Parameter luma: Rows of levels from 0 to 255.
  static func find(
    in luma: [Float], width: Int, height: Int, minimumLength: Double
  ) -> [Segment] {
    guard width > 2, height > 2 else { return [] }
    var segments = LineSegments(luma, width: width, height: height)
    return segments.grown(minimumLength: minimumLength)
  }

  private init(_ luma: [Float], width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    magnitudes = Array(repeating: 0, count: width * height)
    angles = magnitudes
    isUsed = Array(repeating: false, count: width * height)
    for y in 0..<height - 1 {
      for x in 0..<width - 1 {
        let i = y * width + x
        let (a, b) = (Double(luma[i]), Double(luma[i + 1]))
        let (c, d) = (Double(luma[i + width]), Double(luma[i + width + 1]))
        let (gx, gy) = ((b + d - a - c) / 2, (c + d - a - b) / 2)
        magnitudes[i] = hypot(gx, gy)
        angles[i] = atan2(gx, -gy)
      }
    }
  }

  private mutating func grown(minimumLength: Double) -> [Segment] {
    let seeds = magnitudes.indices.filter { magnitudes[$0] > Self.threshold }
      .sorted { (magnitudes[$1], $0) < (magnitudes[$0], $1) }
    return seeds.compactMap { seed in
      if isUsed[seed] { return nil }
      grow(around: seed)
      return segment(minimumLength)
    }
  }

  /// Finds the connected pixels whose edges have the direction of the region so far.
  private mutating func grow(around seed: Int) {
    region.removeAll(keepingCapacity: true)
    region.append(seed)
    isUsed[seed] = true
    var (x, y) = (cos(angles[seed]), sin(angles[seed]))
    var next = 0
    while next < region.count {
      let (column, row) = (region[next] % width, region[next] / width)
      next += 1
      for v in max(row - 1, 0)...min(row + 1, height - 1) {
        for u in max(column - 1, 0)...min(column + 1, width - 1) {
          let i = v * width + u
          guard !isUsed[i], magnitudes[i] > Self.threshold else { continue }
          let difference = abs(remainder(angles[i] - atan2(y, x), 2 * Double.pi))
          guard difference < Self.tolerance else { continue }
          isUsed[i] = true
          region.append(i)
          x += cos(angles[i])
          y += sin(angles[i])
        }
      }
    }
  }

  /// Returns the segment of the region; nil if it is too short or too wide.
  private func segment(_ minimumLength: Double) -> Segment? {
    guard Double(region.count) >= minimumLength else { return nil }
    var (total, x, y) = (0.0, 0.0, 0.0)
    for i in region {
      total += magnitudes[i]
      x += magnitudes[i] * Double(i % width)
      y += magnitudes[i] * Double(i / width)
    }
    (x, y) = (x / total, y / total)
    var (xx, yy, xy) = (0.0, 0.0, 0.0)
    for i in region {
      let (dx, dy) = (Double(i % width) - x, Double(i / width) - y)
      xx += magnitudes[i] * dx * dx
      yy += magnitudes[i] * dy * dy
      xy += magnitudes[i] * dx * dy
    }
    let angle = atan2(2 * xy, xx - yy) / 2
    let (c, s) = (cos(angle), sin(angle))
    var (least, most) = (SIMD2(repeating: Double.infinity), SIMD2(repeating: -Double.infinity))
    for i in region {
      let (dx, dy) = (Double(i % width) - x, Double(i / width) - y)
      let place = SIMD2(dx * c + dy * s, dy * c - dx * s)
      (least, most) = (pointwiseMin(least, place), pointwiseMax(most, place))
    }
    let (length, thickness) = (most.x - least.x, most.y - least.y + 1)
    guard length >= minimumLength, Double(region.count) >= 0.5 * length * thickness else {
      return nil
    }
    return Segment(angle: angle * 180 / Double.pi, length: length)
  }
}

extension AutomaticAdjustment {
  /// The longer side of the image in which edges are found.
  package static let horizonSide = 1000

  /// Adds the filter that levels an image.
  ///
  /// - Parameter luma: Rows of the image, reduced to `horizonSide`, with levels from 0 to 255.
  package mutating func addStraightening(_ luma: [Float], width: Int, height: Int) {
    let segments = LineSegments.find(
      in: luma, width: width, height: height, minimumLength: 0.04 * Double(max(width, height)))
    // Horizontal and vertical edges count alike.
    let leaning = segments.map { (angle: remainder($0.angle, 90), weight: $0.length) }
      .filter { abs($0.angle) <= 12 }
    func density(_ angle: Double) -> Double {
      leaning.reduce(0) { sum, segment in
        let distance = (segment.angle - angle) / 0.25
        return sum + segment.weight * exp(-distance * distance / 2)
      }
    }
    let candidates = stride(from: -12.0, through: 12, by: 0.05).map { ($0, density($0)) }
    guard let best = candidates.max(by: { $0.1 < $1.1 }), best.1 > 0 else {
      return leave(.straighten, "without straight edges")
    }
    let near = leaning.filter { abs($0.angle - best.0) <= 0.5 }
    let weight = near.reduce(0) { $0 + $1.weight }
    let tilt = near.reduce(0) { $0 + $1.angle * $1.weight } / weight
    guard near.count >= 5, weight >= 0.35 * leaning.reduce(0, { $0 + $1.weight }) else {
      return leave(.straighten, "without a clear horizon")
    }
    guard abs(tilt) >= 0.2 else { return leave(.straighten, "level") }
    filters.append(Straighten(angle: (-tilt).rounded(significantDigits: 4), fit: .maxArea))
  }
}
