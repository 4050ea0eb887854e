// SPDX-License-Identifier: Apache-2.0
import Dispatch
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

/// Records the calls of a request handler in order.
final class ImageCalls<Payload: Sendable>: Sendable {
  typealias Call = (payload: Payload?, info: ImageRequestInfo)

  private struct State {
    var calls: [Call] = []
  }

  private let state = LockedValue(State())
  private let end = DispatchSemaphore(value: 0)

  var all: [Call] { state.withLock { $0.calls } }

  /// The handler to pass to a request.
  func take(_ payload: Payload?, _ info: ImageRequestInfo) {
    state.withLock { $0.calls.append((payload, info)) }
    if info.isLast { end.signal() }
  }

  /// Waits for the last call and returns all calls.
  func wait() throws -> [Call] {
    try #require(end.wait(timeout: .now() + TestWait.seconds) == .success, "no last call came")
    return all
  }
}

extension ImageManager {
  /// Requests an image synchronously.
  func now(
    _ asset: Asset, _ size: PixelSize, _ mode: ImageContentMode = .aspectFit,
    _ change: (inout ImageRequestOptions) -> Void = { _ in }
  ) throws -> ImageBuffer {
    var options = ImageRequestOptions()
    options.isSynchronous = true
    change(&options)
    let calls = ImageCalls<ImageBuffer>()
    requestImage(
      for: asset, targetSize: size, contentMode: mode, options: options,
      resultHandler: calls.take)
    try #require(calls.all.count == 1, "a synchronous request calls once")
    if let error = calls.all[0].info.error { throw error }
    return try #require(calls.all[0].payload)
  }
}
