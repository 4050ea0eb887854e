// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The progress of writing a video, with its cancellation check.
///
/// Used by one thread.
final class MovieProgress {
  private let cancellation: Cancellation
  private let progress: @Sendable (Double) -> Void
  private var done = 0
  /// The number of bytes to copy plus the number to read back.
  var total: Int

  init(
    _ cancellation: Cancellation, _ progress: @escaping @Sendable (Double) -> Void, total: Int = 1
  ) {
    self.cancellation = cancellation
    self.progress = progress
    self.total = total
  }

  /// Adds bytes to the progress; throws if the caller has canceled the operation.
  func advance(by bytes: Int) throws(MovieError) {
    try cancellation.check()
    done += bytes
    progress(min(1, Double(done) / Double(max(total, 1))))
  }

  /// Reports completion, even if fewer bytes were counted than the file has.
  func finish() { progress(1) }
}

extension Cancellation {
  /// Throws `MovieError.cancelled` if the caller has canceled the operation.
  func check() throws(MovieError) {
    if isCancelled { throw .cancelled }
  }
}
