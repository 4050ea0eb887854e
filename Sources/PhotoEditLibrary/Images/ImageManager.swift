// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage

/// Gives pictures of assets at any size, upright and in sRGB.
///
/// One object serves any number of threads. Pictures come from memory, from the library's folder,
/// where thumbnails are kept under the digest of what they show, or from the files of the assets; a
/// thumbnail from the folder has been a JPEG in between. An edit needs no invalidation: its
/// rendering has another digest.
public final class ImageManager: Sendable {
  /// How much is kept.
  public struct Configuration: Sendable {
    /// Bytes of samples in memory at most.
    public var memoryBudget = 64 << 20
    /// Bytes of thumbnails in the library's folder at most, about; 0 keeps none.
    public var diskBudget = 1 << 30
    /// Gives pictures of movies; without it they have none.
    public var poster: Poster?

    /// Makes the usual configuration.
    public init() {}
  }

  /// Gives a frame of a movie, upright and in sRGB, as 8-bit gray or RGB.
  ///
  /// The frame fits into the box, and is never larger than the movie's; without a box it has all
  /// its pixels. The question is asked now and then: true ends the call with any error.
  public typealias Poster =
    @Sendable (_ path: String, _ box: PixelSize?, _ isCancelled: @escaping @Sendable () -> Bool)
    throws -> SampleImage

  /// The target size that asks for pictures as large as they are; `resizeMode` has no say then.
  public static let maximumSize = PixelSize(width: .max, height: .max)

  /// The library of the assets.
  public let library: PhotoLibrary
  let loader: ImageLoader
  let requests = ImageRequests()

  /// Makes a manager for a library.
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

  /// What the cache in memory holds and did.
  public var cacheStatistics: ImageCacheStatistics { loader.memory.statistics }

  // MARK: Requests

  /// Asks for a picture of an asset.
  ///
  /// The call returns at once, unless the options ask for a synchronous one. The handler is called
  /// on a thread of the manager's choice: at most once with a degraded picture, which only the
  /// opportunistic mode has beside another one, and exactly once with `isLast`, also after a
  /// cancellation and a failure. A synchronous request calls it once.
  ///
  /// - Parameters:
  ///   - targetSize: In pixels.
  ///   - resultHandler: Gets the picture, 8-bit gray or RGB in sRGB, or nil and the reason.
  /// - Returns: A name by which the request can be cancelled.
  @discardableResult
  public func requestImage(
    for asset: Asset, targetSize: PixelSize, contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions = ImageRequestOptions(),
    resultHandler: @escaping @Sendable (SampleImage?, ImageRequestInfo) -> Void
  ) -> ImageRequestID {
    requests.submit(isSynchronous: options.isSynchronous, resultHandler) {
      [self] request throws(LibraryError) in
      try run(request, asset, targetSize, contentMode, options)
    }
  }

  /// Cancels a request, whose handler is told so.
  ///
  /// A request that has ended stays as it is, and so does a synchronous one.
  public func cancelImageRequest(_ id: ImageRequestID) { requests.cancel(id) }

  /// A picture of an asset as it was asked for; degraded only where `deliveryMode` is fast.
  ///
  /// - Throws: `LibraryError`; `userCancelled` when the task is cancelled.
  public func image(
    for asset: Asset, targetSize: PixelSize, contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions = ImageRequestOptions()
  ) async throws(LibraryError) -> SampleImage {
    let options = options.awaited
    return try await requests.awaitResult { handler in
      self.requestImage(
        for: asset, targetSize: targetSize, contentMode: contentMode, options: options,
        resultHandler: handler)
    }
  }

  // MARK: Work

  private func run(
    _ request: ImageRequest<SampleImage>, _ asset: Asset, _ size: PixelSize,
    _ mode: ImageContentMode, _ options: ImageRequestOptions
  ) throws(LibraryError) -> ImageRequest<SampleImage>.Delivery {
    let progress = ImageProgress(options.progressHandler)
    let isCancelled: ImageLoader.Question = { request.isCancelled || progress.isStopped }
    let shape = try options.shape(size, mode)
    let resource = try loader.resource(options.version, of: asset)
    let key = try loader.key(resource, shape, asset)
    try progress.tell(0)
    let (image, origin) = try loader.image(
      key, resource, options, isCancelled: isCancelled, early: request.deliverEarly)
    if origin == .early { return (image, isDegraded: true) }
    try progress.tell(1)
    return (image, isDegraded: false)
  }
}

extension ImageRequestOptions {
  /// Whether something degraded comes before what was asked for.
  var isOpportunistic: Bool { deliveryMode == .opportunistic && !isSynchronous }

  /// Whether something degraded may come, before what was asked for or in place of it.
  var mayTellEarly: Bool { deliveryMode == .fast || isOpportunistic }

  /// The same for somebody who waits for the end alone.
  var awaited: ImageRequestOptions {
    var options = self
    options.isSynchronous = false
    if options.deliveryMode == .opportunistic { options.deliveryMode = .highQuality }
    return options
  }

  /// The shape of the pictures of a request.
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
