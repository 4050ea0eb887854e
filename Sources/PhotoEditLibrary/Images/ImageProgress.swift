// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Reports the progress of a request and records whether its handler asked to stop.
final class ImageProgress: Sendable {
  private let handler: ImageRequestOptions.ProgressHandler?
  private let stops = Atomic(false)

  init(_ handler: ImageRequestOptions.ProgressHandler?) { self.handler = handler }

  var isStopped: Bool { stops.load(ordering: .relaxed) }

  /// Reports the progress.
  ///
  /// - Throws: The error of a canceled request if the handler asks to stop.
  func report(_ progress: Double) throws(LibraryError) {
    var stop = false
    handler?(progress, &stop)
    guard stop else { return }
    stops.store(true, ordering: .relaxed)
    throw .imageCancelled
  }
}
