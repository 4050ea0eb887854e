// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
public import PhotoEditPixels

extension ImageManager {
  /// Requests the Live Photo of an asset, in the version given by the options.
  ///
  /// The handler is called as for an image. In the opportunistic mode the first call, marked as
  /// degraded, delivers only the still, smaller if a small one is available; the last call delivers
  /// both parts. The fast mode may end with a small still alone. `unadjusted` and `original` are
  /// the same version; a version that is a plain still ends with `requestNotSupportedForAsset`.
  ///
  /// - Parameters:
  ///   - targetSize: The size of the still in pixels; if empty or `maximumSize`, it is unchanged.
  ///   - options: Must not have a crop rectangle, which would not apply to the video.
  /// - Returns: An identifier for canceling the request.
  @discardableResult
  public func requestLivePhoto(
    for asset: Asset, targetSize: PixelSize, contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions = ImageRequestOptions(),
    resultHandler: @escaping @Sendable (LivePhoto?, ImageRequestInfo) -> Void
  ) -> ImageRequestID {
    requests.submit(isSynchronous: options.isSynchronous, resultHandler) {
      [self] request throws(LibraryError) in
      try run(request, asset, targetSize, contentMode, options)
    }
  }

  /// Returns the Live Photo of an asset with both parts; with only a small still if `deliveryMode`
  /// is `fast` and one is available.
  ///
  /// - Throws: `LibraryError`; `userCancelled` when the task is canceled.
  public func livePhoto(
    for asset: Asset, targetSize: PixelSize, contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions = ImageRequestOptions()
  ) async throws(LibraryError) -> LivePhoto {
    try await requests.awaitResult(options) { options, handler in
      self.requestLivePhoto(
        for: asset, targetSize: targetSize, contentMode: contentMode, options: options,
        resultHandler: handler)
    }
  }

  private func run(
    _ request: ImageRequest<LivePhoto>, _ asset: Asset, _ size: PixelSize,
    _ mode: ImageContentMode, _ options: ImageRequestOptions
  ) throws(LibraryError) -> ImageRequest<LivePhoto>.Delivery {
    let progress = ImageProgress(options.progressHandler)
    let isCancelled: ImageLoader.CancellationCheck = { request.isCancelled || progress.isStopped }
    guard options.normalizedCropRect == nil else { throw .partOfLivePhoto }
    let shape = try options.shape(size.isEmpty ? Self.maximumSize : size, mode)
    let parts = try loader.livePhotoParts(options.version, of: asset)
    let resources = [parts.still, parts.movie].compactMap {
      AssetResource($0, of: asset.localIdentifier)
    }
    func alone(_ still: ImageBuffer) -> LivePhoto {
      LivePhoto(still: still, resources: Array(resources.prefix(1)))
    }
    let key = try loader.key(parts.still, shape, asset)
    try progress.report(0)
    var isDeliveredEarly = false
    let (still, origin) = try loader.image(key, parts.still, options, isCancelled: isCancelled) {
      isDeliveredEarly = true
      request.deliverEarly(alone($0))
    }
    if origin == .early { return (alone(still), isDegraded: true) }
    if origin == .rendered, !isDeliveredEarly, options.isOpportunistic {
      request.deliverEarly(alone(still))
    }
    let movie = try loader.movie(parts.movie)
    try progress.report(1)
    let live = LivePhoto(
      still: still, movie: movie, contentIdentifier: movie.info.contentIdentifier,
      resources: resources)
    return (live, isDegraded: false)
  }
}

extension ImageLoader {
  /// Returns the files of a version of a Live Photo.
  ///
  /// - Throws: `requestNotSupportedForAsset` if the version is not a Live Photo.
  fileprivate func livePhotoParts(
    _ version: ImageVersion, of asset: Asset
  ) throws(LibraryError) -> (still: ResourceRecord, movie: ResourceRecord) {
    let all = try resources(of: asset)
    let types = Set(all.keys)
    guard types.contains(.pairedVideo) else { throw .noLivePhoto(asset.localIdentifier) }
    guard let type = version.named.pairedType(among: types), let movie = all[type] else {
      throw .plainStill(asset.localIdentifier)
    }
    guard let type = version.named.mainType(among: types), let still = all[type] else {
      throw .noVersion(asset.localIdentifier)
    }
    return (still, movie)
  }
}
