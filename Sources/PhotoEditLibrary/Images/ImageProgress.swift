// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Tells somebody how far a request is, and remembers whether he wants it to stop.
final class ImageProgress: Sendable {
  private let handler: ImageRequestOptions.ProgressHandler?
  private let stops = Atomic(false)

  init(_ handler: ImageRequestOptions.ProgressHandler?) { self.handler = handler }

  var isStopped: Bool { stops.load(ordering: .relaxed) }

  /// Tells how far it is.
  ///
  /// - Throws: The error of a cancelled request, when it is to stop.
  func tell(_ progress: Double) throws(LibraryError) {
    var stop = false
    handler?(progress, &stop)
    guard stop else { return }
    stops.store(true, ordering: .relaxed)
    throw .imageCancelled
  }
}
