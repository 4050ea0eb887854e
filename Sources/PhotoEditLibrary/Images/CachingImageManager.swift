// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage

/// Prepares images of many assets before they are requested, such as those about to be scrolled to.
///
/// A cached image is found by requests of the same size, mode and options. The least recently
/// requested images are evicted when the cache exceeds the budget of the manager.
public final class CachingImageManager: Sendable {
  /// The manager that answers requests, including those for images that are not cached.
  public let manager: ImageManager

  private struct Job: Hashable {
    let asset: Asset
    let shape: ThumbnailShape
    let version: ImageVersion
  }

  /// The active jobs, each with a number that distinguishes it from an earlier, stopped one.
  private let active = LockedValue((jobs: [Job: Int](), last: 0))

  /// Creates a manager with a cache of its own.
  public init(
    _ library: PhotoLibrary,
    configuration: ImageManager.Configuration = ImageManager.Configuration()
  ) {
    manager = ImageManager(library, configuration: configuration)
  }

  /// The contents and the hit counts of the cache in memory.
  public var cacheStatistics: ImageCacheStatistics { manager.cacheStatistics }

  /// Starts preparing images; images in preparation or in the cache are skipped.
  ///
  /// Assets without an image are skipped; a request for such an image reports the reason.
  ///
  /// - Throws: `LibraryError` for options that are invalid in a request.
  public func startCachingImages(
    for assets: [Asset], targetSize: PixelSize, contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions = ImageRequestOptions()
  ) throws(LibraryError) {
    let shape = try options.shape(targetSize, contentMode)
    for asset in assets {
      let job = Job(asset: asset, shape: shape, version: options.version)
      let number: Int? = active.withLock { active in
        guard active.jobs[job] == nil else { return nil }
        active.last += 1
        active.jobs[job] = active.last
        return active.last
      }
      guard let number else { continue }
      manager.requests.addPatient { [weak self] in self?.make(job, number) }
    }
  }

  /// Stops preparing images and removes those that were prepared.
  ///
  /// - Throws: `LibraryError` for options that are invalid in a request.
  public func stopCachingImages(
    for assets: [Asset], targetSize: PixelSize, contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions = ImageRequestOptions()
  ) throws(LibraryError) {
    let shape = try options.shape(targetSize, contentMode)
    let jobs = assets.map { Job(asset: $0, shape: shape, version: options.version) }
    // An asset without an image has none in memory either.
    let keys = jobs.compactMap { try? key($0).key }
    active.withLock { active in
      for job in jobs { active.jobs[job] = nil }
      for key in keys { manager.loader.memory.remove(key) }
    }
  }

  /// Stops preparing images and removes all of them.
  public func stopCachingImagesForAllAssets() {
    active.withLock { active in
      active.jobs = [:]
      manager.loader.memory.removeAll()
    }
  }

  /// Requests an image of an asset; see `ImageManager`.
  @discardableResult
  public func requestImage(
    for asset: Asset, targetSize: PixelSize, contentMode: ImageContentMode = .aspectFit,
    options: ImageRequestOptions = ImageRequestOptions(),
    resultHandler: @escaping @Sendable (ImageBuffer?, ImageRequestInfo) -> Void
  ) -> ImageRequestID {
    manager.requestImage(
      for: asset, targetSize: targetSize, contentMode: contentMode, options: options,
      resultHandler: resultHandler)
  }

  /// Cancels a request; its handler is notified.
  public func cancelImageRequest(_ id: ImageRequestID) { manager.cancelImageRequest(id) }

  // MARK: Work

  private func isActive(_ job: Job, _ number: Int) -> Bool {
    active.withLock { $0.jobs[job] == number }
  }

  private func key(_ job: Job) throws(LibraryError) -> (key: ImageKey, resource: ResourceRecord) {
    let resource = try manager.loader.resource(job.version, of: job.asset)
    return (try manager.loader.key(resource, job.shape, job.asset), resource)
  }

  private func make(_ job: Job, _ number: Int) {
    guard isActive(job, number) else { return }
    do throws(LibraryError) {
      let (key, resource) = try key(job)
      if manager.loader.memory.contains(key) { return }
      if let stored = manager.loader.store.image(key) {
        manager.loader.memory.put(stored, key)
      } else {
        _ = try manager.loader.rendered(key, resource) { [weak self] in
          self?.isActive(job, number) != true
        }
      }
      // The job may have been stopped just before it finished, and may have been started again,
      // which must not lose the image.
      active.withLock { active in
        if active.jobs[job] == nil { manager.loader.memory.remove(key) }
      }
    } catch {
      // A request for the image reports the error.
      active.withLock { active in
        if active.jobs[job] == number { active.jobs[job] = nil }
      }
    }
  }
}
