// SPDX-License-Identifier: Apache-2.0

/// How nearly equal two pictures must be, by the way in which they were made.
public enum ToleranceClass: String, Sendable, Hashable, CaseIterable {
  /// Same samples: geometry, tables, ranks, thresholds.
  case E1
  /// Point operations in 8 bits: one level of rounding, without a bias of half a level.
  case T1
  /// Neighbourhoods in 8 bits: two levels, half a level in the mean.
  case T2
  /// Unquantised samples: 0.02 levels for point operations, 0.05 for neighbourhoods.
  case F
  /// Previews: what an eye does not notice.
  case P

  /// What a filter does to a pixel, which decides how exact unquantised samples must be.
  public enum Reach: Sendable, Hashable, CaseIterable {
    /// A pixel depends on itself alone.
    case point
    /// A pixel depends on its neighbours, so rounding adds up.
    case spatial

    /// The most by which a sample may differ, in 8-bit levels.
    public var maximum: Double { self == .point ? 0.02 : 0.05 }
  }

  /// Whether two pictures are as nearly equal as the class asks.
  public func accepts(_ difference: PictureDifference) -> Bool { failure(of: difference) == nil }

  /// A sentence that names each gate that does not hold, with its figures; nil when all hold.
  ///
  /// The alpha of a picture is judged by the same maximum as its colours. `F` on pictures needs
  /// 16-bit samples to mean anything and takes the stricter figure, that of point operations.
  public func failure(of difference: PictureDifference) -> String? {
    let failures = gates(difference).filter { !$0.holds }.map(\.sentence)
    return failures.isEmpty ? nil : "\(rawValue): " + failures.joined(separator: "; ")
  }

  private struct Gate {
    var holds: Bool
    var sentence: String

    init(_ name: String, _ value: Double, isAtMost limit: Double, place: String = "") {
      holds = value <= limit
      sentence = "\(name) is \(figure(value))\(place), at most \(figure(limit)) is allowed"
    }

    init(holds: Bool, _ sentence: String) {
      self.holds = holds
      self.sentence = sentence
    }
  }

  private func gates(_ difference: PictureDifference) -> [Gate] {
    switch self {
    case .E1: maximumGates(difference, 0)
    case .T1: maximumGates(difference, 1) + [biasGate(difference)]
    case .T2:
      maximumGates(difference, 2) + [Gate("mean difference", difference.mean, isAtMost: 0.5)]
    case .F: maximumGates(difference, Reach.point.maximum)
    case .P:
      [
        Gate("mean ΔE2000", difference.deltaEMean, isAtMost: 0.77),
        Gate("ΔE2000 of the 99th percentile", difference.deltaEPercentile99, isAtMost: 2.3),
        Gate("mean difference of the worst 16×16 block", difference.worstBlockMean, isAtMost: 2),
      ]
    }
  }

  private func maximumGates(_ difference: PictureDifference, _ limit: Double) -> [Gate] {
    let place = difference.maximumPosition.map { " at (\($0.x), \($0.y))" } ?? ""
    return [
      Gate("largest difference", difference.maximum, isAtMost: limit, place: place),
      Gate("largest difference of alpha", difference.maximumAlpha, isAtMost: limit),
    ]
  }

  private func biasGate(_ difference: PictureDifference) -> Gate {
    let bias = difference.meanSigned
    // Rounding errs both ways; a shift of half a level means that one side truncates.
    let holds = (0..<3).allSatisfy { bias[$0].magnitude < 0.5 }
    return Gate(
      holds: holds,
      "mean signed difference is \(figure(bias.x)) red, \(figure(bias.y)) green, "
        + "\(figure(bias.z)) blue, less than 0.5 either way is allowed")
  }
}

extension FloatDifference {
  /// Whether the planes are as nearly equal as class `F` asks.
  public func isAccepted(_ reach: ToleranceClass.Reach) -> Bool { maximum <= reach.maximum }

  /// A sentence with the figures when class `F` does not accept the planes, else nil.
  public func failure(_ reach: ToleranceClass.Reach) -> String? {
    if isAccepted(reach) { return nil }
    let place = maximumIndex.map { " at sample \($0)" } ?? ""
    return "F: largest difference is \(figure(maximum, decimals: 5)) levels\(place), at most "
      + "\(figure(reach.maximum)) is allowed"
  }
}
