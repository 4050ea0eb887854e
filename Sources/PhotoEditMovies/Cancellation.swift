// SPDX-License-Identifier: Apache-2.0

/// Asks the caller whether to go on.
final class Cancellation: Sendable {
  let isCancelled: @Sendable () -> Bool

  init(_ isCancelled: @escaping @Sendable () -> Bool) {
    self.isCancelled = isCancelled
  }

  /// Throws `MovieError.cancelled` when the caller wants to stop.
  func check() throws(MovieError) {
    if isCancelled() { throw .cancelled }
  }
}
