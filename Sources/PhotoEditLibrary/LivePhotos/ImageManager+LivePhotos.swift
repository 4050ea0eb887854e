// SPDX-License-Identifier: Apache-2.0
import PhotoEditMovieFiles
public import PhotoEditPixels

extension ImageManager {
  /// Asks for the Live Photo of an asset, in the version that the options say.
  ///
  /// The handler is called as for a picture. In the opportunistic mode the first call, marked as
  /// degraded, has the still alone, smaller where there is a small one already; the last one has both
  /// parts. The fast mode may end with a small still alone. `unadjusted` and `original` are the same
  /// version; one that is a plain still ends with `requestNotSupportedForAsset`.
  ///
  /// - Parameters:
  ///   - targetSize: Of the still, in pixels; an empty one, or `maximumSize`, keeps its size.
  ///   - options: They may have no part: it would be none of the movie.
  /// - Returns: A name by which the request can be cancelled.
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

  /// The Live Photo of an asset, with both parts; a small still alone only where `deliveryMode` is
  /// fast.
  ///
  /// - Throws: `LibraryError`; `userCancelled` when the task is cancelled.
  public func livePhoto(
    for asset: Asset, targetSize: PixelSize, contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions = ImageRequestOptions()
  ) async throws(LibraryError) -> LivePhoto {
    let options = options.awaited
    return try await requests.awaitResult { handler in
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
    let isCancelled: ImageLoader.Question = { request.isCancelled || progress.isStopped }
    guard options.normalizedCropRect == nil else { throw .partOfLivePhoto }
    let shape = try options.shape(size.isEmpty ? Self.maximumSize : size, mode)
    let parts = try loader.livePhotoParts(options.version, of: asset)
    let resources = [parts.still, parts.movie].compactMap {
      AssetResource($0, of: asset.localIdentifier)
    }
    func alone(_ still: SampleImage) -> LivePhoto {
      LivePhoto(still: still, resources: Array(resources.prefix(1)))
    }
    let key = try loader.key(parts.still, shape, asset)
    try progress.tell(0)
    var isToldEarly = false
    let (still, origin) = try loader.image(key, parts.still, options, isCancelled: isCancelled) {
      isToldEarly = true
      request.deliverEarly(alone($0))
    }
    if origin == .early { return (alone(still), isDegraded: true) }
    if origin == .made, !isToldEarly, options.isOpportunistic {
      request.deliverEarly(alone(still))
    }
    let movie = try loader.movie(parts.movie)
    try progress.tell(1)
    let live = LivePhoto(
      still: still, movie: movie, contentIdentifier: movie.info.contentIdentifier,
      resources: resources)
    return (live, isDegraded: false)
  }
}

extension ImageLoader {
  /// The files of a version of a Live Photo.
  ///
  /// - Throws: `requestNotSupportedForAsset` when the version is no Live Photo.
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
