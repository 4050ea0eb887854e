// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
internal import PhotoEditStorage

/// The progress of a batch: a terminal line, which is removed while messages are written, or lines
/// at intervals.
package final class ProgressLine: Sendable {
  /// The form of the progress.
  enum Style: Sendable {
    case none
    /// One line of a terminal, replaced at each update.
    case line(columns: Int)
    /// A line of its own every ten seconds, with the name of the program.
    case lines(program: String)
  }

  private struct State {
    var rate = ProgressRate()
    var isShown = false
    var lastLine = 0.0
  }

  private static let interval = 10.0

  private let stream: OutputStream
  private let style: Style
  private let start = ContinuousClock.now
  private let state = LockedValue(State())

  init(stream: OutputStream, style: Style) {
    self.stream = stream
    self.style = style
  }

  /// Shows `3/12 · 1.5/s · 6 s left  name` in place of the previous text.
  package func update(_ done: Int, of total: Int, _ name: String = "") {
    if case .none = style { return }
    let duration = (ContinuousClock.now - start).components
    let seconds = Double(duration.seconds) + Double(duration.attoseconds) / 1e18
    state.withLock { state in
      let text = state.rate.text(done, of: total, at: seconds)
      switch style {
      case .none: break
      case .line(let columns):
        state.isShown = true
        stream.write("\r\u{1b}[K" + "\(text)  \(printable(name))".prefix(max(0, columns - 1)))
      case .lines(let program):
        guard seconds - state.lastLine >= Self.interval else { return }
        state.lastLine = seconds
        stream.write("\(program): \(text)\n")
      }
    }
  }

  /// Removes the line; the next update shows it again.
  package func clear() {
    state.withLock { state in
      if state.isShown { stream.write("\r\u{1b}[K") }
      state.isShown = false
    }
  }
}

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

/// The numbers of inputs of a batch by their outcomes.
package final class Tally: Sendable {
  private let counts = LockedValue<[String: Int]>([:])
  private let failure = LockedValue<CommandFailure?>(nil)

  /// The first failure that was reported.
  package var firstFailure: CommandFailure? { failure.withLock { $0 } }

  /// Records a failure that was reported.
  func record(_ failure: CommandFailure) {
    self.failure.withLock { $0 = $0 ?? failure }
  }

  /// Counts one input with an outcome, such as "rendered".
  package func add(_ outcome: String) { counts.withLock { $0[outcome, default: 0] += 1 } }

  /// The numbers by outcome.
  package var outcomes: [String: Int] { counts.withLock { $0 } }
}
