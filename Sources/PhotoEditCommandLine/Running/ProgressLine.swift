// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
internal import PhotoEditStorage

/// A progress counter in one terminal line, which is removed while messages are written.
package final class ProgressLine: Sendable {
  private let stream: OutputStream
  private let columns: Int
  private let isEnabled: Bool
  private let isShown = LockedValue(false)

  init(stream: OutputStream, columns: Int, isEnabled: Bool) {
    self.stream = stream
    self.columns = columns
    self.isEnabled = isEnabled
  }

  /// Shows `3/12 name` in place of the previous text.
  package func update(_ done: Int, of total: Int, _ name: String = "") {
    guard isEnabled else { return }
    let text = "\(done)/\(total) \(printable(name))".prefix(max(0, columns - 1))
    isShown.withLock { isShown in
      isShown = true
      stream.write("\r\u{1b}[K" + text)
    }
  }

  /// Removes the line; the next update shows it again.
  package func clear() {
    isShown.withLock { isShown in
      if isShown { stream.write("\r\u{1b}[K") }
      isShown = false
    }
  }
}
