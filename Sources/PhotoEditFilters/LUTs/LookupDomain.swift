// SPDX-License-Identifier: Apache-2.0

/// The colors from the first to the last entry of a table; values outside are clamped to the edge.
public struct LookupDomain: Sendable, Hashable {
  /// The color of the first entry, red, green and blue.
  public let lower: SIMD3<Float>
  /// The color of the last entry.
  public let upper: SIMD3<Float>

  /// Black to white.
  public static let unit = LookupDomain(uncheckedLower: SIMD3(repeating: 0), SIMD3(repeating: 1))

  /// Creates a domain.
  ///
  /// - Throws: `LUTFileError.values` unless every upper bound exceeds its lower bound by enough that
  ///   the steps between entries remain distinct.
  public init(lower: SIMD3<Float>, upper: SIMD3<Float>) throws(LUTFileError) {
    for channel in 0..<3 {
      let (low, high) = (lower[channel], upper[channel])
      let extent = Double(high) - Double(low)
      guard extent > Double(Self.leastExtent), extent < Double(Float.greatestFiniteMagnitude) else {
        throw .values(
          found: "a domain from \(low) to \(high)",
          allowed: "finite numbers, the upper greater than the lower")
      }
    }
    self.init(uncheckedLower: lower, upper)
  }

  private init(uncheckedLower lower: SIMD3<Float>, _ upper: SIMD3<Float>) {
    self.lower = lower
    self.upper = upper
  }

  /// The smallest extent for which the number of entries divided by it is still a float.
  private static let leastExtent: Float = 1e-30

  /// Returns the entries per unit of color, for a table with a number of entries along an axis.
  package func scale(entries: Int) -> SIMD3<Float> {
    var scale = SIMD3<Float>()
    for channel in 0..<3 {
      scale[channel] = Float(
        Double(entries - 1) / (Double(upper[channel]) - Double(lower[channel])))
    }
    return scale
  }

  /// Returns the position of a color among the entries: the entry before it, and the fraction of
  /// the distance to the next.
  func position(_ value: Double, channel: Int, entries: Int) -> (entry: Int, share: Double) {
    let (low, high) = (Double(lower[channel]), Double(upper[channel]))
    let last = Double(entries - 1)
    let position = (value - low) / (high - low) * last
    // Written so that NaN counts as the lower edge.
    let inside = min(position > 0 ? position : 0, last)
    let entry = min(Int(inside), entries - 2)
    return (entry, inside - Double(entry))
  }
}
