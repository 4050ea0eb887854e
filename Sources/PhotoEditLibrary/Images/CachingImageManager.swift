// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage

/// Makes pictures of many assets before somebody asks for them, such as those about to be scrolled to.
///
/// What is cached is found by requests of the same size, mode and options. Pictures that nobody asked
/// for longest go when there are more than the budget of the manager allows.
public final class CachingImageManager: Sendable {
  /// The manager that answers requests, also those for what is not cached.
  public let manager: ImageManager

  private struct Job: Hashable {
    let asset: Asset
    let shape: ThumbnailShape
    let version: ImageVersion
  }

  /// Jobs that are wanted, each with what tells it from an earlier one that was stopped.
  private let wanted = Guarded((jobs: [Job: Int](), last: 0))

  /// Makes a manager with a cache of its own.
  public init(
    _ library: PhotoLibrary,
    configuration: ImageManager.Configuration = ImageManager.Configuration()
  ) {
    manager = ImageManager(library, configuration: configuration)
  }

  /// What the cache in memory holds and did.
  public var cacheStatistics: ImageCacheStatistics { manager.cacheStatistics }

  /// Begins to make pictures; what is being made or is there already is left as it is.
  ///
  /// Assets without a picture are passed over: whoever asks for one is told why.
  ///
  /// - Throws: `LibraryError` for options that no request may have.
  public func startCachingImages(
    for assets: [Asset], targetSize: PixelSize, contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions = ImageRequestOptions()
  ) throws(LibraryError) {
    let shape = try options.shape(targetSize, contentMode)
    for asset in assets {
      let job = Job(asset: asset, shape: shape, version: options.version)
      let number: Int? = wanted.withLock { wanted in
        guard wanted.jobs[job] == nil else { return nil }
        wanted.last += 1
        wanted.jobs[job] = wanted.last
        return wanted.last
      }
      guard let number else { continue }
      manager.requests.addPatient { [weak self] in self?.make(job, number) }
    }
  }

  /// Stops making pictures and forgets those that were made.
  ///
  /// - Throws: `LibraryError` for options that no request may have.
  public func stopCachingImages(
    for assets: [Asset], targetSize: PixelSize, contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions = ImageRequestOptions()
  ) throws(LibraryError) {
    let shape = try options.shape(targetSize, contentMode)
    let jobs = assets.map { Job(asset: $0, shape: shape, version: options.version) }
    wanted.withLock { wanted in for job in jobs { wanted.jobs[job] = nil } }
    for job in jobs {
      // Whatever has no picture has none in memory either.
      if let key = try? key(job).key { manager.loader.memory.remove(key) }
    }
  }

  /// Stops making pictures and forgets all of them.
  public func stopCachingImagesForAllAssets() {
    wanted.withLock { $0.jobs = [:] }
    manager.loader.memory.removeAll()
  }

  /// Asks for a picture of an asset; see `ImageManager`.
  @discardableResult
  public func requestImage(
    for asset: Asset, targetSize: PixelSize, contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions = ImageRequestOptions(),
    resultHandler: @escaping @Sendable (SampleImage?, ImageRequestInfo) -> Void
  ) -> ImageRequestID {
    manager.requestImage(
      for: asset, targetSize: targetSize, contentMode: contentMode, options: options,
      resultHandler: resultHandler)
  }

  /// Cancels a request, whose handler is told so.
  public func cancelImageRequest(_ id: ImageRequestID) { manager.cancelImageRequest(id) }

  // MARK: Work

  private func isWanted(_ job: Job, _ number: Int) -> Bool {
    wanted.withLock { $0.jobs[job] == number }
  }

  private func key(_ job: Job) throws(LibraryError) -> (key: ImageKey, resource: ResourceRecord) {
    let resource = try manager.loader.resource(job.version, of: job.asset)
    return (try manager.loader.key(resource, job.shape, job.asset), resource)
  }

  private func make(_ job: Job, _ number: Int) {
    guard isWanted(job, number) else { return }
    do throws(LibraryError) {
      let (key, resource) = try key(job)
      if manager.loader.memory.holds(key) { return }
      if let kept = manager.loader.store.image(key) {
        manager.loader.memory.put(kept, key)
      } else {
        _ = try manager.loader.made(key, resource) { [weak self] in
          self?.isWanted(job, number) != true
        }
      }
      // Somebody may have stopped it when it was nearly done.
      if !isWanted(job, number) { manager.loader.memory.remove(key) }
    } catch {
      // A request for it is told why.
      wanted.withLock { wanted in
        if wanted.jobs[job] == number { wanted.jobs[job] = nil }
      }
    }
  }
}
