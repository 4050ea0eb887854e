// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels

/// Discs of an image that are replaced by other discs of it.
///
/// At the distance d of a disc's center, in radii, a pixel x becomes x + (1 − smoothstep(1 −
/// feather, 1, d))·(S + M − x), where S is the pixel at the offset. When cloning, M is 0. When
/// healing, M is the membrane over the disc: the harmonic function that on the rim equals the
/// difference of the image from what replaces it, which is the solution of Poisson's equation with
/// the gradients of the source. All discs are read before any is written.
///
/// - Source: P. Pérez, M. Gangnet and A. Blake, "Poisson Image Editing", 2003.
public struct Healing: Sendable, Hashable, AreaFacts {
  /// A disc and the offset of what replaces it, in pixels.
  public struct Spot: Sendable, Hashable {
    /// The center, from the upper left corner of the image.
    public let center: SIMD2<Double>
    /// The radius, above 0.
    public let radius: Double
    /// The offset, in whole pixels, so that the source stays as sharp as it is.
    public let offset: SIMD2<Int>

    /// Creates a spot.
    public init(center: SIMD2<Double>, radius: Double, offset: SIMD2<Int>) {
      (self.center, self.radius, self.offset) = (center, radius, offset)
    }

    /// The rows with pixels that are replaced, which may lie outside the image.
    package var rows: Range<Int> { Self.pixels(center.y, radius) }

    /// Returns the columns of a row with pixels that are replaced, which may lie outside the image.
    package func columns(of row: Int) -> Range<Int> {
      let y = Double(row) + 0.5 - center.y
      let half = radius * radius - y * y
      return half > 0 ? Self.pixels(center.x, half.squareRoot()) : 0..<0
    }

    /// Returns the pixels whose centers are nearer to a position than a distance.
    private static func pixels(_ position: Double, _ distance: Double) -> Range<Int> {
      let first = Int((position - distance - 0.5).rounded(.down)) + 1
      return first..<max(first, Int((position + distance - 0.5).rounded(.up)))
    }

    /// Indicates whether the spot reads pixels that another one writes.
    fileprivate func reads(_ other: Spot) -> Bool {
      let shift = SIMD2(Double(offset.x), Double(offset.y))
      return [center, center + shift].contains {
        let distance = $0 - other.center
        // The rim is interpolated between pixels.
        let reach = radius + other.radius + 2
        return (distance * distance).sum() < reach * reach
      }
    }
  }

  /// The discs.
  public let spots: [Spot]
  /// The share of the radius over which the replacement fades out.
  public let feather: Double
  /// Indicates whether brightness and color are adapted to what surrounds a disc.
  public let isSeamless: Bool

  /// Returns the steps that replace spots one after another.
  ///
  /// Spots of which none reads what an earlier one writes share a step.
  static func steps(_ spots: [Spot], feather: Double, isSeamless: Bool) -> [Healing] {
    var groups: [[Spot]] = []
    for spot in spots {
      if let last = groups.last, !last.contains(where: spot.reads) {
        groups[groups.count - 1].append(spot)
      } else {
        groups.append([spot])
      }
    }
    return groups.map { Healing(spots: $0, feather: feather, isSeamless: isSeamless) }
  }

  package func inputRows(for rows: Range<Int>, input: PixelSize) -> Range<Int> {
    var (first, end) = (rows.lowerBound, rows.upperBound)
    for spot in spots where spot.rows.overlaps(rows) {
      first = min(first, spot.rows.lowerBound - 1 + min(0, spot.offset.y))
      end = max(end, spot.rows.upperBound + 1 + max(0, spot.offset.y))
    }
    return max(0, min(first, input.height - 1))..<min(max(end, 1), input.height)
  }

  /// The rim of a spot is analyzed again for every strip.
  package var rowsAtOnce: Int {
    min(Int(2 * (spots.map(\.radius).max() ?? 0)) + 1, 256)
  }

  package var summary: String {
    "\(isSeamless ? "healing" : "cloning") of \(spots.count) \(spots.count == 1 ? "spot" : "spots")"
  }
}
