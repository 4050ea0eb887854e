// SPDX-License-Identifier: Apache-2.0

/// The difference between two planes of unquantized samples, in 8-bit levels.
///
/// 1.0 is white, 255 levels; values outside 0 to 1 are compared unchanged.
public struct FloatDifference: Hashable, Sendable {
  /// Largest absolute difference; infinite if either sample is not finite.
  public let maximum: Double
  /// The first index of the largest difference; nil without any.
  public let maximumIndex: Int?
  /// Mean absolute difference.
  public let mean: Double
  /// Mean of second minus first.
  public let meanSigned: Double

  /// Compares two planes sample by sample.
  ///
  /// A sample that is NaN or infinite is always a mismatch, even if both planes have it.
  ///
  /// - Throws: `ComparisonError.differentCounts` when the counts differ or are zero.
  public init(_ first: [Float], _ second: [Float]) throws(ComparisonError) {
    guard first.count == second.count, !first.isEmpty else {
      throw .differentCounts(first.count, second.count)
    }
    var maximum = 0.0
    var maximumIndex: Int?
    var absoluteSum = 0.0
    var signedSum = 0.0
    for i in first.indices {
      let isFinite = first[i].isFinite && second[i].isFinite
      let difference = isFinite ? (Double(second[i]) - Double(first[i])) * 255 : .infinity
      absoluteSum += difference.magnitude
      signedSum += difference
      if difference.magnitude > maximum {
        maximum = difference.magnitude
        maximumIndex = i
      }
    }
    self.maximum = maximum
    self.maximumIndex = maximumIndex
    mean = absoluteSum / Double(first.count)
    meanSigned = signedSum / Double(first.count)
  }
}
