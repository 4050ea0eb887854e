// SPDX-License-Identifier: Apache-2.0

/// A table with even steps as a curve for each channel, linear between its entries.
///
/// - Source: Adobe, "Cube LUT Specification 1.0", 2013, one-dimensional tables.
public struct ColorLUT1D: Sendable, Hashable {
  /// The allowed number of entries.
  public static let allowedSize = 2...65536

  /// The curves of red, green and blue.
  public let channels: [LookupCurve]
  /// The colors from the first to the last entry.
  public let domain: LookupDomain

  /// The number of entries.
  public var size: Int { channels[0].values.count }

  /// Creates a table.
  ///
  /// - Parameter entries: Red, green and blue of each entry, 2 to 65536 of them.
  /// - Throws: `LUTFileError.values` for another number of entries, or one that is not finite.
  public init(entries: [SIMD3<Float>], domain: LookupDomain = .unit) throws(LUTFileError) {
    guard Self.allowedSize.contains(entries.count) else {
      throw .values(found: "\(entries.count) entries", allowed: "2–65536 entries")
    }
    guard entries.allSatisfy({ $0.isFinite }) else {
      throw .values(found: "a non-finite entry", allowed: "finite numbers")
    }
    self.domain = domain
    channels = (0..<3).map { channel in
      LookupCurve(
        values: entries.map { $0[channel] }, lower: domain.lower[channel],
        scale: domain.scale(entries: entries.count)[channel])
    }
  }

  /// The color of an entry.
  public subscript(entry: Int) -> SIMD3<Float> {
    SIMD3(channels[0].values[entry], channels[1].values[entry], channels[2].values[entry])
  }

  /// The table as channel curves.
  var curves: ChannelCurves {
    ChannelCurves(
      red: ToneCurve([.table(channels[0])]), green: ToneCurve([.table(channels[1])]),
      blue: ToneCurve([.table(channels[2])]))
  }

  /// Applies the table to a color in double precision.
  public func callAsFunction(_ color: SIMD3<Double>) -> SIMD3<Double> {
    var result = SIMD3<Double>()
    for channel in 0..<3 { result[channel] = channels[channel](color[channel]) }
    return result
  }
}

/// One channel of a table, as the engine applies it.
public struct LookupCurve: Sendable, Hashable {
  /// The entries, at least two.
  public let values: [Float]
  /// The value of the first entry.
  package let lower: Float
  /// Entries per unit of color.
  package let scale: Float

  package init(values: [Float], lower: Float, scale: Float) {
    (self.values, self.lower, self.scale) = (values, lower, scale)
  }

  /// Returns the value of the curve in double precision; constant outside its domain.
  public func callAsFunction(_ x: Double) -> Double {
    let last = Double(values.count - 1)
    let position = (x - Double(lower)) * Double(scale)
    let inside = min(position > 0 ? position : 0, last)
    let entry = min(Int(inside), values.count - 2)
    let share = inside - Double(entry)
    return Double(values[entry]) * (1 - share) + Double(values[entry + 1]) * share
  }
}

extension SIMD3<Float> {
  /// Indicates whether all three numbers are finite.
  var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
}

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
    (self.lower, self.upper) = (lower, upper)
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
