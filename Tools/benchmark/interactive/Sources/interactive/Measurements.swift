// SPDX-License-Identifier: Apache-2.0

/// Durations in seconds by the name of what was measured, in order.
struct Measurements {
  private var samples: [(name: String, seconds: [Double])] = []

  /// Measures an action several times; one run before is not counted if it is a warm-up.
  mutating func measure(
    _ name: String, runs: Int, hasWarmUp: Bool = false, _ action: (Int) throws -> Void
  ) rethrows {
    if hasWarmUp { try action(runs) }
    var seconds: [Double] = []
    for run in 0..<runs {
      let duration = try ContinuousClock().measure { try action(run) }
      let (whole, part) = duration.components
      seconds.append(Double(whole) + Double(part) / 1e18)
    }
    samples.append((name, seconds))
  }

  /// A JSON object of arrays; the names need no escapes.
  var json: String {
    let lines = samples.map { sample in
      "  \"\(sample.name)\": [\(sample.seconds.map(\.description).joined(separator: ", "))]"
    }
    return "{\n\(lines.joined(separator: ",\n"))\n}"
  }
}
