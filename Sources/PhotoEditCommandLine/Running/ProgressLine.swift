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
