// SPDX-License-Identifier: Apache-2.0

/// The rate of a batch over the last seconds, and the remaining time that follows from it.
struct ProgressRate: Sendable {
  /// The time over which the rate is measured, in seconds.
  private static let window = 10.0
  /// The time after which the remaining time is estimated, in seconds.
  private static let estimateDelay = 3.0

  private var samples: [(seconds: Double, done: Int)] = []

  /// Records a number of completed items and returns the progress: "312/1000 · 11.8/s · 58 s left".
  mutating func text(_ done: Int, of total: Int, at seconds: Double) -> String {
    if let last = samples.last, last.seconds == seconds { samples.removeLast() }
    samples.append((seconds, done))
    // The last sample before the window is kept, so that the window is covered.
    while samples.count > 2, samples[1].seconds <= seconds - Self.window { samples.removeFirst() }
    let text = "\(done)/\(total)"
    guard let first = samples.first, seconds - first.seconds >= 1, done > first.done else {
      return text
    }
    let rate = Double(done - first.done) / (seconds - first.seconds)
    let shown = rate < 100 ? "\((rate * 10).rounded() / 10)" : "\(Int(rate.rounded()))"
    guard seconds - first.seconds >= Self.estimateDelay, shown != "0.0" else {
      return text + " · \(shown)/s"
    }
    let left = Double(total - done) / rate
    return text + " · \(shown)/s · \(durationText(seconds: left)) left"
  }
}

/// Returns a duration for display: "0.4 s", "58 s", "1 min 25 s", "2 h 5 min".
package func durationText(seconds: Double) -> String {
  if seconds < 9.95 { return "\((max(0, seconds) * 10).rounded() / 10) s" }
  let whole = Int(min(seconds, 1e9).rounded())
  if whole < 60 { return "\(whole) s" }
  let (minutes, rest) = (whole / 60, whole % 60)
  if minutes < 60 { return "\(minutes) min" + (rest == 0 ? "" : " \(rest) s") }
  return "\(minutes / 60) h" + (minutes % 60 == 0 ? "" : " \(minutes % 60) min")
}
