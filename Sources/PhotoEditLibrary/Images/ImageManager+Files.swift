// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditCodecs
public import PhotoEditMovieFiles
public import PhotoEditPixels
import PhotoEditStorage

/// The file of an asset's image, unchanged.
public struct ImageData: Sendable {
  /// The bytes of the file.
  public let bytes: [UInt8]
  /// The uniform type identifier, such as "public.jpeg".
  public let uniformType: String
  /// The orientation to apply before display.
  public let orientation: Orientation
  /// The name of the file at import.
  public let originalFilename: String
}

extension ImageManager {
  /// Requests the bytes of an asset's image, in the version given by the options.
  ///
  /// The bytes are compared with the digest that the library recorded. The handler is called once,
  /// as for an image; `deliveryMode`, `resizeMode` and the crop rectangle are ignored.
  ///
  /// - Returns: An identifier for canceling the request.
  @discardableResult
  public func requestImageData(
    for asset: Asset, options: ImageRequestOptions = ImageRequestOptions(),
    resultHandler: @escaping @Sendable (ImageData?, ImageRequestInfo) -> Void
  ) -> ImageRequestID {
    requests.submit(isSynchronous: options.isSynchronous, resultHandler) {
      [loader] _ throws(LibraryError) in
      let progress = ImageProgress(options.progressHandler)
      try progress.report(0)
      let data = try loader.data(options.version, of: asset)
      try progress.report(1)
      return (data, isDegraded: false)
    }
  }

  /// Returns the bytes of an asset's image, in the version given by the options.
  ///
  /// - Throws: `LibraryError`; `userCancelled` when the task is canceled.
  public func imageData(
    for asset: Asset, options: ImageRequestOptions = ImageRequestOptions()
  ) async throws(LibraryError) -> ImageData {
    try await requests.awaitResult(options) { options, handler in
      self.requestImageData(for: asset, options: options, resultHandler: handler)
    }
  }

  /// Requests the video of an asset: that of a video asset or the paired video of a Live Photo.
  ///
  /// The handler is called once, as for an image. Of the options only `version` is used; for
  /// `original` and `unadjusted` the result is the imported video.
  ///
  /// - Returns: An identifier for canceling the request.
  @discardableResult
  public func requestVideo(
    for asset: Asset, options: ImageRequestOptions = ImageRequestOptions(),
    resultHandler: @escaping @Sendable (AssetVideo?, ImageRequestInfo) -> Void
  ) -> ImageRequestID {
    requests.submit(isSynchronous: options.isSynchronous, resultHandler) {
      [loader] _ throws(LibraryError) in
      (try loader.movie(options.version, of: asset), isDegraded: false)
    }
  }

  /// Returns the video of an asset, in the version given by the options.
  ///
  /// - Throws: `LibraryError`; `userCancelled` when the task is canceled.
  public func movie(
    for asset: Asset, options: ImageRequestOptions = ImageRequestOptions()
  ) async throws(LibraryError) -> AssetVideo {
    try await requests.awaitResult(options) { options, handler in
      self.requestVideo(for: asset, options: options, resultHandler: handler)
    }
  }
}

extension ImageLoader {
  fileprivate func data(
    _ version: ImageVersion, of asset: Asset
  ) throws(LibraryError) -> ImageData {
    guard asset.mediaType == .image else {
      throw .noImage(asset.localIdentifier, asset.mediaType)
    }
    let resource = try resource(version, of: asset)
    let path = library.layout.path(resource.file)
    let bytes = try file(resource)
    guard bytes.digest().bytes == resource.digest else { throw .damagedFile(path) }
    // Without readable metadata the orientation is unknown.
    let metadata = try? ImageMetadata.read(bytes)
    return ImageData(
      bytes: bytes.array, uniformType: resource.uniformType,
      orientation: metadata?.orientation ?? .up, originalFilename: resource.filename)
  }

  fileprivate func movie(
    _ version: ImageVersion, of asset: Asset
  ) throws(LibraryError) -> AssetVideo {
    let all = try resources(of: asset)
    let types = Set(all.keys)
    let requested = version.named
    let type = requested.pairedType(among: types) ?? requested.mainType(among: types)
    guard let type, type.isMovie, let found = all[type] else {
      throw types.contains(.pairedVideo)
        ? .plainStill(asset.localIdentifier) : .noMovie(asset.localIdentifier, asset.mediaType)
    }
    return try movie(found)
  }

  func movie(_ resource: ResourceRecord) throws(LibraryError) -> AssetVideo {
    let path = try inFiles(library.layout.path(of: resource.file))
    let copy =
      copies.copy(of: path)
      ?? ReadOnlyCopy(named: FileSystem.lastName(of: path), in: library.makeCopyFolder) {
        target throws(FileError) in
        try FileSystem.copy(path, to: target, followsLinks: false, isSynced: false)
      }
    return try AssetVideo(at: path) { () throws(FileError) in
      let found = try copy.path()
      copies.keep(copy, of: path)
      return found
    }
  }
}

extension LibraryReader {
  /// Creates a folder for copies of files of the library, in the library if this program may write
  /// to it.
  fileprivate func makeCopyFolder() throws(FileError) -> StagingFolder {
    if canChange(access.grant), let folder = try? layout.makeStagingFolder() { return folder }
    return try StagingFolder(in: FileSystem.temporaryFolder)
  }
}

/// The file of a video and its properties.
public struct AssetVideo: Sendable, Hashable {
  /// The file: for a video of a library a read-only copy, so that nothing that is written to it
  /// reaches the library.
  ///
  /// The copy is made at the first access, which takes time and space unless the file system can
  /// share the blocks of files. It exists as long as this value or a copy of the value; the manager
  /// also keeps the 16 that were used last; the copy of a purged video is removed with the manager
  /// or at its next request for a video. If it cannot be made, there is no file at the URL, and
  /// `prepareFile()` throws the reason.
  public var url: URL { URL(filePath: (try? prepare()) ?? "/dev/null/video") }
  /// The container, duration and streams.
  public let info: MovieInfo

  /// The file itself.
  private let path: String
  /// Returns the path of the copy, or of the file itself outside of a library.
  private let prepare: @Sendable () throws(FileError) -> String

  /// Creates the description of a file.
  ///
  /// - Parameter prepare: Returns the path for other code; nil for that of the file itself.
  init(
    at path: String, prepare: (@Sendable () throws(FileError) -> String)? = nil
  ) throws(LibraryError) {
    self.path = path
    self.prepare = prepare ?? { path }
    do throws(MovieError) { info = try PassthroughExport.inspect(path) } catch {
      if case .file(let file) = error { throw LibraryError(file) }
      throw LibraryError(.invalidResource, path: path, "\(error)")
    }
  }

  /// Creates the copy to which `url` refers, unless it exists already.
  ///
  /// Not needed before `url` is used; serves to copy a large video in the background, or to learn
  /// why there is no file.
  ///
  /// - Throws: `LibraryError`, for lack of space for example.
  public func prepareFile() async throws(LibraryError) {
    _ = try await blocking { _ throws(LibraryError) in try inFiles(prepare()) }
  }

  /// Returns whether two values describe the same file.
  public static func == (a: AssetVideo, b: AssetVideo) -> Bool {
    a.path == b.path && a.info == b.info
  }

  /// Hashes the file's path and properties.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(path)
    hasher.combine(info)
  }
}

extension ImageVersion {
  /// The resource version that corresponds to this version; a video has no RAW.
  var named: AssetResource.Version { self == .current ? .current : .original }
}
