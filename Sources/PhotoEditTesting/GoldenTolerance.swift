// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// The permitted difference of an image from its golden.
///
/// Size, channels and depth must be equal for every tolerance. `exact` and `steps` compare the
/// stored samples; the others compare 8-bit levels, with transparent pixels over white. Color
/// profiles are ignored.
public enum GoldenTolerance: Sendable, Hashable {
  /// The same samples, alpha included.
  case exact
  /// Every sample, alpha included, differs by at most a number of steps of its own depth.
  ///
  /// A step is 1/255 of white for 8 bits and 1/65,535 for 16 bits. The number is 0 or more.
  case steps(Int)
  /// Limits of the CIEDE2000 difference, of which 1 is about the smallest visible one.
  ///
  /// The mean is that of all pixels, and the maximum that of a single one; both are 0 or more.
  case deltaE(mean: Double, maximum: Double)
  /// A tolerance class, such as `T1` for point operations or `P` for previews.
  case toleranceClass(ToleranceClass)

  /// Returns a clause that names each limit that a difference exceeds, with its values; nil if it
  /// exceeds none.
  ///
  /// - Parameter difference: The difference of an image from its golden, which has the same size,
  ///   channels and depth.
  package func failure(of difference: ImageDifference) -> String? {
    switch self {
    case .exact: Self.failure(ofSamples: difference, limit: 0)
    case .steps(let limit): Self.failure(ofSamples: difference, limit: limit)
    case .deltaE(let mean, let maximum): Self.failure(of: difference, mean, maximum)
    case .toleranceClass(let toleranceClass): toleranceClass.failure(of: difference)
    }
  }

  private static func failure(
    of difference: ImageDifference, _ mean: Double, _ maximum: Double
  ) -> String? {
    let gates = [
      ("mean ΔE2000", difference.deltaEMean, mean),
      ("largest ΔE2000", difference.deltaEMaximum, maximum),
    ]
    // A limit that is not a number permits nothing.
    let failures = gates.filter { !($0.1 <= $0.2) }.map { name, value, limit in
      "\(name) is \(figure(value)) (allowed: at most \(figure(limit)))"
    }
    return failures.isEmpty ? nil : failures.joined(separator: "; ")
  }

  private static func failure(ofSamples difference: ImageDifference, limit: Int) -> String? {
    let (first, second) = (difference.first, difference.second)
    if first.bytes == second.bytes { return nil }
    let channels = first.layout.channels.count
    var largest = (steps: 0, sample: 0)
    func compare<Sample: FixedWidthInteger & UnsignedInteger>(_ type: Sample.Type) {
      first.bytes.withUnsafeBytes { first in
        second.bytes.withUnsafeBytes { second in
          for sample in 0..<first.count / MemoryLayout<Sample>.stride {
            let offset = sample * MemoryLayout<Sample>.stride
            let from = Int(first.loadUnaligned(fromByteOffset: offset, as: Sample.self))
            let to = Int(second.loadUnaligned(fromByteOffset: offset, as: Sample.self))
            if abs(to - from) > largest.steps { largest = (abs(to - from), sample) }
          }
        }
      }
    }
    first.layout.bytesPerSample == 1 ? compare(UInt8.self) : compare(UInt16.self)
    guard largest.steps > limit else { return nil }
    let pixel = largest.sample / channels
    return "largest difference is \(largest.steps) of \(first.maximum) at "
      + "(\(pixel % first.size.width), \(pixel / first.size.width)), channel "
      + "\(largest.sample % channels) (allowed: at most \(limit))"
  }
}
