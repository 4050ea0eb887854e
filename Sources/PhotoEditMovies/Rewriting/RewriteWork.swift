// SPDX-License-Identifier: Apache-2.0

/// How far a rewriting has come, and whether it should go on.
final class RewriteWork {
  private let cancellation: Cancellation
  private let progress: @Sendable (Double) -> Void
  private var done = 0
  /// Bytes that will be copied and read back together.
  var total = 1

  init(_ cancellation: Cancellation, _ progress: @escaping @Sendable (Double) -> Void) {
    self.cancellation = cancellation
    self.progress = progress
  }

  /// Counts bytes; throws when the caller wants to stop.
  func advance(by bytes: Int) throws(MovieError) {
    try cancellation.check()
    done += bytes
    progress(min(1, Double(done) / Double(max(total, 1))))
  }
}
