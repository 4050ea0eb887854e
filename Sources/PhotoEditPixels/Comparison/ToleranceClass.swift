// SPDX-License-Identifier: Apache-2.0

/// The tolerance for comparing two images, according to how they were produced.
public enum ToleranceClass: String, Sendable, Hashable, CaseIterable {
  /// Identical samples: geometry, tables, ranks, thresholds.
  case E1
  /// Point operations in 8 bits: one level of rounding, without a bias of half a level.
  case T1
  /// Area operations in 8 bits: two levels, half a level on average.
  case T2
  /// Unquantized samples: 0.02 levels for point operations, 0.05 for area operations.
  case F
  /// Previews: differences that are not noticeable.
  case P

  /// The pixel dependency of a filter, which determines the tolerance for unquantized samples.
  public enum Reach: Sendable, Hashable, CaseIterable {
    /// A pixel depends only on itself.
    case point
    /// A pixel depends on its neighbors, so rounding errors add up.
    case spatial

    /// The largest allowed difference of a sample, in 8-bit levels.
    public var maximum: Double { self == .point ? 0.02 : 0.05 }
  }

  /// Returns whether two images are as nearly equal as the class requires.
  public func accepts(_ difference: ImageDifference) -> Bool { failure(of: difference) == nil }

  /// Returns a sentence that names each failed criterion with its values; nil if none failed.
  ///
  /// The same maximum applies to alpha and colors. `F` for images is meaningful only with 16-bit
  /// samples and uses the stricter limit, that of point operations.
  public func failure(of difference: ImageDifference) -> String? {
    let failures = gates(difference).filter { !$0.isMet }.map(\.sentence)
    return failures.isEmpty ? nil : "\(rawValue): " + failures.joined(separator: "; ")
  }

  private struct Gate {
    var isMet: Bool
    var sentence: String

    init(_ name: String, _ value: Double, isAtMost limit: Double, position: String = "") {
      isMet = value <= limit
      sentence = "\(name) is \(figure(value))\(position) (allowed: at most \(figure(limit)))"
    }

    init(isMet: Bool, _ sentence: String) { (self.isMet, self.sentence) = (isMet, sentence) }
  }

  private func gates(_ difference: ImageDifference) -> [Gate] {
    switch self {
    case .E1: maximumGates(difference, 0)
    case .T1: maximumGates(difference, 1) + [biasGate(difference)]
    case .T2:
      maximumGates(difference, 2) + [Gate("mean difference", difference.mean, isAtMost: 0.5)]
    case .F: maximumGates(difference, Reach.point.maximum)
    case .P:
      [
        Gate("mean ΔE2000", difference.deltaEMean, isAtMost: 0.77),
        Gate("99th percentile of ΔE2000", difference.deltaEPercentile99, isAtMost: 2.3),
        Gate("mean difference of the worst 16×16 block", difference.worstBlockMean, isAtMost: 2),
      ]
    }
  }

  private func maximumGates(_ difference: ImageDifference, _ limit: Double) -> [Gate] {
    let position = difference.maximumPosition.map { " at (\($0.x), \($0.y))" } ?? ""
    return [
      Gate("largest difference", difference.maximum, isAtMost: limit, position: position),
      Gate("largest difference of alpha", difference.maximumAlpha, isAtMost: limit),
    ]
  }

  private func biasGate(_ difference: ImageDifference) -> Gate {
    let bias = difference.meanSigned
    // Rounding errs in both directions; a shift of half a level means that one side truncates.
    let isMet = (0..<3).allSatisfy { bias[$0].magnitude < 0.5 }
    return Gate(
      isMet: isMet,
      "mean signed difference is \(figure(bias.x)) red, \(figure(bias.y)) green, "
        + "\(figure(bias.z)) blue (allowed: less than 0.5 in magnitude)")
  }
}

extension FloatDifference {
  /// Returns whether the planes are as nearly equal as class `F` requires.
  public func isAccepted(_ reach: ToleranceClass.Reach) -> Bool { maximum <= reach.maximum }

  /// Returns a sentence with the values if class `F` rejects the planes, otherwise nil.
  public func failure(_ reach: ToleranceClass.Reach) -> String? {
    if isAccepted(reach) { return nil }
    let position = maximumIndex.map { " at sample \($0)" } ?? ""
    return "F: largest difference is \(figure(maximum, decimals: 5)) levels\(position) "
      + "(allowed: at most \(figure(reach.maximum)))"
  }
}
