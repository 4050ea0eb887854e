// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// How far the making of a movie has come, and whether it should go on.
///
/// Used by one thread.
final class MovieWork {
  private let cancellation: Cancellation
  private let progress: @Sendable (Double) -> Void
  private var done = 0
  /// Bytes that will be copied and read back together.
  var total: Int

  init(
    _ cancellation: Cancellation, _ progress: @escaping @Sendable (Double) -> Void, total: Int = 1
  ) {
    self.cancellation = cancellation
    self.progress = progress
    self.total = total
  }

  /// Counts bytes; throws when the caller wants to stop.
  func advance(by bytes: Int) throws(MovieError) {
    try cancellation.check()
    done += bytes
    progress(min(1, Double(done) / Double(max(total, 1))))
  }

  /// Tells that all is done, also where fewer bytes counted than the file has.
  func finish() { progress(1) }
}

extension Cancellation {
  /// Throws `MovieError.cancelled` when the caller wants to stop.
  func check() throws(MovieError) {
    if isCancelled { throw .cancelled }
  }
}
