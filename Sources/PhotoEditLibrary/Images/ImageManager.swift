// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage

/// Delivers images of assets at any size, oriented `up` and in sRGB.
///
/// One object can be used from any number of threads. Images come from memory, from the library's
/// folder, where thumbnails are stored under the digest of their source, or from the files of the
/// assets; a thumbnail from the folder has been compressed as a JPEG. An edit needs no
/// invalidation: its rendering has another digest.
public final class ImageManager: Sendable {
  /// The limits of the caches and the source of video frames.
  public struct Configuration: Sendable {
    /// The limit for samples in memory, in bytes.
    public var memoryBudget = 64 << 20
    /// The approximate limit for thumbnails in the library's folder, in bytes; 0 stores none.
    public var diskBudget = 1 << 30
    /// Provides images of videos; without it videos have no images.
    public var poster: Poster?

    /// Creates the default configuration.
    public init() {}
  }

  /// Returns a frame of a video, oriented `up` and in sRGB, as 8-bit gray or RGB.
  ///
  /// The path is only to be read: it may be that of the original. The frame fits into the box and is
  /// never larger than the video's; without a box it has the full size. The cancellation check is called regularly; if it returns true, the call throws any
  /// error.
  public typealias Poster =
    @Sendable (_ path: String, _ box: PixelSize?, _ isCancelled: @escaping @Sendable () -> Bool)
    throws -> ImageBuffer

  /// The target size that requests images at full size; `resizeMode` is ignored then.
  public static let maximumSize = PixelSize(width: .max, height: .max)

  /// The library of the assets.
  public let library: PhotoLibrary
  let loader: ImageLoader
  let requests = ImageRequests()

  /// Creates a manager for a library.
  public convenience init(
    _ library: PhotoLibrary, configuration: Configuration = Configuration()
  ) {
    self.init(
      library, configuration: configuration,
      store: ThumbnailStore(library.layout, budget: max(0, configuration.diskBudget)))
  }

  init(
    _ library: PhotoLibrary, configuration: Configuration = Configuration(),
    store: ThumbnailStore
  ) {
    self.library = library
    loader = ImageLoader(
      library: library.reader, memory: ImageMemory(budget: max(0, configuration.memoryBudget)),
      store: store, poster: configuration.poster)
  }

  /// The contents and the hit counts of the cache in memory.
  public var cacheStatistics: ImageCacheStatistics { loader.memory.statistics }

  // MARK: Requests

  /// Requests an image of an asset.
  ///
  /// The call returns immediately, unless the options request a synchronous one. The handler is
  /// called on a thread of the manager's choice: at most once with a degraded image, which is
  /// followed by another image only in the opportunistic mode, and exactly once with `isLast`, also
  /// after a cancellation or a failure. A synchronous request calls it once.
  ///
  /// - Parameters:
  ///   - targetSize: The target size in pixels.
  ///   - resultHandler: Receives the image, 8-bit gray or RGB in sRGB, or nil and the reason.
  /// - Returns: An identifier for canceling the request.
  @discardableResult
  public func requestImage(
    for asset: Asset, targetSize: PixelSize, contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions = ImageRequestOptions(),
    resultHandler: @escaping @Sendable (ImageBuffer?, ImageRequestInfo) -> Void
  ) -> ImageRequestID {
    requests.submit(isSynchronous: options.isSynchronous, resultHandler) {
      [self] request throws(LibraryError) in
      try run(request, asset, targetSize, contentMode, options)
    }
  }

  /// Cancels a request; its handler is notified.
  ///
  /// There is no effect on a request that has ended or on a synchronous one.
  public func cancelImageRequest(_ id: ImageRequestID) { requests.cancel(id) }

  /// Returns the requested image of an asset; degraded only if `deliveryMode` is `fast`.
  ///
  /// - Throws: `LibraryError`; `userCancelled` when the task is canceled.
  public func image(
    for asset: Asset, targetSize: PixelSize, contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions = ImageRequestOptions()
  ) async throws(LibraryError) -> ImageBuffer {
    try await requests.awaitResult(options) { options, handler in
      self.requestImage(
        for: asset, targetSize: targetSize, contentMode: contentMode, options: options,
        resultHandler: handler)
    }
  }

  // MARK: Work

  private func run(
    _ request: ImageRequest<ImageBuffer>, _ asset: Asset, _ size: PixelSize,
    _ mode: ImageContentMode, _ options: ImageRequestOptions
  ) throws(LibraryError) -> ImageRequest<ImageBuffer>.Delivery {
    let progress = ImageProgress(options.progressHandler)
    let isCancelled: ImageLoader.CancellationCheck = { request.isCancelled || progress.isStopped }
    let shape = try options.shape(size, mode)
    let resource = try loader.resource(options.version, of: asset)
    let key = try loader.key(resource, shape, asset)
    try progress.report(0)
    let (image, origin) = try loader.image(
      key, resource, options, isCancelled: isCancelled, early: request.deliverEarly)
    if origin == .early { return (image, isDegraded: true) }
    try progress.report(1)
    return (image, isDegraded: false)
  }
}

extension ImageRequestOptions {
  /// Indicates whether a degraded image may precede the requested one.
  var isOpportunistic: Bool { deliveryMode == .opportunistic && !isSynchronous }

  /// Indicates whether a degraded image may precede or replace the requested one.
  var deliversDegraded: Bool { deliveryMode == .fast || isOpportunistic }

  /// The same options for a caller that awaits only the final result.
  var awaited: ImageRequestOptions {
    var options = self
    options.isSynchronous = false
    if options.deliveryMode == .opportunistic { options.deliveryMode = .highQuality }
    return options
  }

  func shape(_ size: PixelSize, _ mode: ImageContentMode) throws(LibraryError) -> ThumbnailShape {
    if let crop = normalizedCropRect {
      guard crop.isValid else { throw .cropOutside("\(crop)") }
      guard resizeMode == .exact else { throw .cropNeedsExactSize }
    }
    guard size != ImageManager.maximumSize, resizeMode != .none else {
      return ThumbnailShape(side: 65_500)
    }
    let isExact = resizeMode == .exact
    return ThumbnailShape(
      box: size, mode: mode == .aspectFit ? .fit : .fill, isExact: isExact,
      crop: normalizedCropRect ?? .whole, mayEnlarge: isExact)
  }
}
