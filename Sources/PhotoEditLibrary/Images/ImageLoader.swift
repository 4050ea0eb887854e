// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditSQLite
import PhotoEditStorage

/// Finds the file of an asset's image and creates a thumbnail of it, using both caches.
struct ImageLoader: Sendable {
  let library: LibraryReader
  let memory: ImageMemory
  let store: ThumbnailStore
  let poster: ImageManager.Poster?
  let copies = ReadOnlyCopy.Recent()

  typealias CancellationCheck = ThumbnailGenerator.CancellationCheck

  // MARK: Files

  /// Returns the files of an asset that this process may access.
  func resources(of asset: Asset) throws(LibraryError) -> [AssetResourceType: ResourceRecord] {
    guard let identifier = LocalIdentifier(asset.localIdentifier, as: .asset),
      library.canSee(identifier)
    else { throw .noObject(asset.localIdentifier) }
    let found = try library.read { database throws(LibraryError) in
      try database.resources(of: identifier, includesTrash: true)
    }
    guard let found else { throw .noObject(asset.localIdentifier) }
    return Dictionary(found.map { ($0.type, $0) }) { first, _ in first }
  }

  /// Returns the file of a version of a photo, or of a video if video frames are available.
  func resource(
    _ version: ImageVersion, of asset: Asset
  ) throws(LibraryError) -> ResourceRecord {
    guard asset.mediaType == .image || asset.mediaType == .video && poster != nil else {
      throw .noImage(asset.localIdentifier, asset.mediaType)
    }
    let all = try resources(of: asset)
    // A photo has no video of these types, and a video no photo.
    let candidates: [AssetResourceType] =
      switch version {
      case .current: [.fullSizePhoto, .photo, .fullSizeVideo, .video]
      case .unadjusted: [.photo, .video]
      case .original: [.alternatePhoto, .photo, .video]
      }
    guard let found = candidates.lazy.compactMap({ all[$0] }).first else {
      throw .noVersion(asset.localIdentifier)
    }
    return found
  }

  func key(
    _ resource: ResourceRecord, _ shape: ThumbnailShape, _ asset: Asset
  ) throws(LibraryError) -> ImageKey {
    guard let digest = SHA256Digest(bytes: resource.digest) else {
      throw .noVersion(asset.localIdentifier)
    }
    return ImageKey(digest: digest, shape: shape)
  }

  // MARK: Images

  enum Origin {
    /// A cache.
    case cached
    /// A smaller image than requested, for a request that accepts one.
    case early
    /// Rendered from the file.
    case rendered
  }

  /// Returns the image from the fastest source.
  ///
  /// - Parameter deliver: Called with a smaller image in between if the options allow it.
  func image(
    _ key: ImageKey, _ resource: ResourceRecord, _ options: ImageRequestOptions,
    isCancelled: @escaping CancellationCheck, early deliver: (ImageBuffer) -> Void
  ) throws(LibraryError) -> (image: ImageBuffer, origin: Origin) {
    if let image = cached(key) { return (image, .cached) }
    if options.deliversDegraded, let early = earlyImage(key, resource) {
      if options.deliveryMode == .fast { return (early, .early) }
      deliver(early)
    }
    return (try rendered(key, resource, isCancelled: isCancelled), .rendered)
  }

  /// Returns the image from memory or else from the library's folder.
  func cached(_ key: ImageKey) -> ImageBuffer? {
    if let image = memory.image(key) { return image }
    guard let image = store.image(key) else { return nil }
    memory.put(image, key)
    return image
  }

  /// Renders the image from the file and stores it in both caches.
  func rendered(
    _ key: ImageKey, _ resource: ResourceRecord, isCancelled: @escaping CancellationCheck
  ) throws(LibraryError) -> ImageBuffer {
    let path = try inFiles(library.layout.path(of: resource.file))
    let maker = ThumbnailGenerator(path: path, isCancelled: isCancelled)
    let image: ImageBuffer
    if resource.type.isMovie {
      image = try maker.image(of: frame(path, key.shape, isCancelled), key.shape)
    } else {
      image = try maker.image(of: ThumbnailGenerator.source(file(resource), path), key.shape)
    }
    memory.put(image, key)
    store.put(image, key)
    return image
  }

  /// Returns a frame of a video, no smaller than the shape needs.
  private func frame(
    _ path: String, _ shape: ThumbnailShape, _ isCancelled: @escaping CancellationCheck
  ) throws(LibraryError) -> ImageBuffer {
    do {
      guard let frame = try poster?(path, shape.frameBox, isCancelled) else {
        throw LibraryError.noFrame(path, "video frames cannot be requested with this method")
      }
      return frame
    } catch {
      throw isCancelled() ? .imageCancelled : .noFrame(path, "\(error)")
    }
  }

  /// Returns an image that is available or nearly so and smaller than the requested one.
  private func earlyImage(_ key: ImageKey, _ resource: ResourceRecord) -> ImageBuffer? {
    if let smaller = memory.smaller(than: key) { return smaller }
    guard !resource.type.isMovie else { return nil }
    let path = library.layout.path(resource.file)
    // The request for the full image reports why there is no image.
    guard let image = try? ThumbnailGenerator.source(file(resource), path) else { return nil }
    return Thumbnailer.embeddedThumbnail(of: image, shape: key.shape)?.image
  }

  /// Reads a file of the library without following links.
  func file(_ resource: ResourceRecord) throws(LibraryError) -> FileBytes {
    try translating(LibraryError.init) { () throws(FileError) in
      _ = try library.layout.path(of: resource.file)
      return try library.layout.read(resource.file)
    }
  }
}

/// Renders thumbnails of one file.
///
/// Requests run in parallel, so each of them uses one thread.
struct ThumbnailGenerator {
  /// Returns true to cancel the work.
  typealias CancellationCheck = @Sendable () -> Bool

  let path: String
  let isCancelled: CancellationCheck

  static func source(_ bytes: FileBytes, _ path: String) throws(LibraryError) -> ImageSource {
    try translating({ LibraryError($0 as RenderError, path: path) }, ImageSource(bytes))
  }

  func image(of source: ImageSource, _ shape: ThumbnailShape) throws(LibraryError) -> ImageBuffer {
    try translating(
      { LibraryError($0 as RenderError, path: path) },
      Thumbnailer.thumbnail(of: source, shape: shape, options: options).image)
  }

  func image(of frame: ImageBuffer, _ shape: ThumbnailShape) throws(LibraryError) -> ImageBuffer {
    try translating(
      { LibraryError($0 as RenderError, path: path) },
      Thumbnailer.thumbnail(of: frame, shape: shape, options: options).image)
  }

  private var options: RenderOptions {
    var options = RenderOptions()
    options.isCancelled = isCancelled
    options.threads = 1
    return options
  }
}

extension LibraryError {
  static let imageCancelled = LibraryError(
    .userCancelled, "the image request was canceled")

  static let cropNeedsExactSize = LibraryError(
    .changeNotSupported, "normalizedCropRect requires an exact size",
    hint: "set resizeMode to exact")

  static func cropOutside(_ region: String) -> LibraryError {
    LibraryError(
      .changeNotSupported, "normalizedCropRect \(region) is outside the image",
      hint: "use coordinates from 0 to 1")
  }

  static func noImage(_ identifier: String, _ kind: MediaType) -> LibraryError {
    LibraryError(
      .requestNotSupportedForAsset, "the asset has media type \(kind) and no image",
      identifiers: [identifier])
  }

  static func noMovie(_ identifier: String, _ kind: MediaType) -> LibraryError {
    LibraryError(
      .requestNotSupportedForAsset, "the asset has media type \(kind) and no video",
      identifiers: [identifier])
  }

  static func plainStill(_ identifier: String) -> LibraryError {
    LibraryError(
      .requestNotSupportedForAsset,
      "the current version of the Live Photo is a still image without a video",
      hint: "request the original version, or revert the edit", identifiers: [identifier])
  }

  static func noFrame(_ path: String, _ reason: String) -> LibraryError {
    LibraryError(.invalidResource, path: path, "cannot read a frame of the video: \(reason)")
  }

  static func noVersion(_ identifier: String) -> LibraryError {
    LibraryError(
      .missingResource, "the asset has no file of this version",
      hint: "run 'photoedit library check'", identifiers: [identifier])
  }

  /// Converts the error of rendering a thumbnail of a file.
  init(_ error: RenderError, path: String) {
    if case .cancelled = error {
      self = .imageCancelled
    } else {
      self.init(Code(error.failureClass), path: path, "\(error)", hint: error.hint)
    }
  }
}
