// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

extension RecordedCase {
  /// A tolerance class, in 8-bit levels.
  struct Tolerance: Sendable {
    /// E1, T1 and T2 compare rounded levels, F compares floats before rounding.
    let name: String
    /// The largest difference.
    let limit: Double
    /// The largest mean difference.
    let mean: Double?
  }

  /// The reason a rendering differs from the result of the other program; nil if it is close
  /// enough.
  func problem(with own: RenderedPlanes, _ result: Result) -> String? {
    guard own.size == result.size else { return "\(own.size) instead of \(result.size)" }
    var maximum = 0.0
    var sum = 0.0
    var count = 0
    for (channel, plane) in own.planes.enumerated() {
      let theirs = result.planes[result.planes.count == 3 ? channel : 0]
      for y in margin..<max(margin, result.size.height - margin) {
        for x in margin..<max(margin, result.size.width - margin) {
          let i = y * result.size.width + x
          guard plane[i].isFinite else { return "\(plane[i]) at \(x), \(y)" }
          let apart = abs(difference(Double(plane[i]), theirs[i]))
          maximum = max(maximum, apart)
          sum += apart
          count += 1
        }
      }
    }
    guard count > 0 else { return "nothing lies inside the margin" }
    if maximum > limitInFile { return "\(maximum) levels apart, \(tolerance.name) allows \(limit)" }
    if let mean = tolerance.mean, sum / Double(count) > mean {
      return "\(sum / Double(count)) levels apart in the mean, \(tolerance.name) allows \(mean)"
    }
    return nil
  }

  private var limit: Double { tolerance.limit }

  /// Levels are recorded to a thousandth.
  private var limitInFile: Double { tolerance.name == "F" ? limit + 0.0005 : limit }

  private func difference(_ own: Double, _ theirs: Double) -> Double {
    func rounded(_ level: Double) -> Double { min(max((level + 0.5).rounded(.down), 0), 255) }
    return tolerance.name == "F"
      ? own * 255 - theirs : rounded(own * 255) - rounded(theirs)
  }
}
