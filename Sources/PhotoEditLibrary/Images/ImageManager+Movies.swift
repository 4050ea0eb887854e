// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
public import PhotoEditMovieFiles
import PhotoEditStorage

/// The file of a movie, and what is in it.
public struct AssetMovie: Sendable, Hashable {
  /// The file, which must not be changed.
  public let url: URL
  /// Container, duration, streams.
  public let info: MovieInfo

  /// Looks at a movie; no frame is read.
  init(at path: String) throws(LibraryError) {
    url = URL(filePath: path)
    do throws(MovieError) { info = try MoviePassThrough.inspect(path) } catch {
      if case .file(let file) = error { throw LibraryError(file) }
      throw LibraryError(.invalidResource, path: path, "\(error)")
    }
  }
}

extension ImageManager {
  /// Asks for the movie of an asset: that of a video, or the one beside a Live Photo.
  ///
  /// The handler is called once, as for a picture. Of the options, `version` counts: what came in is
  /// both the original and the unadjusted version.
  ///
  /// - Returns: A name by which the request can be cancelled.
  @discardableResult
  public func requestMovie(
    for asset: Asset, options: ImageRequestOptions = ImageRequestOptions(),
    resultHandler: @escaping @Sendable (AssetMovie?, ImageRequestInfo) -> Void
  ) -> ImageRequestID {
    requests.submit(isSynchronous: options.isSynchronous, resultHandler) {
      [loader] _ throws(LibraryError) in
      (try loader.movie(options.version, of: asset), isDegraded: false)
    }
  }

  /// The movie of an asset, of the version that the options say.
  ///
  /// - Throws: `LibraryError`; `userCancelled` when the task is cancelled.
  public func movie(
    for asset: Asset, options: ImageRequestOptions = ImageRequestOptions()
  ) async throws(LibraryError) -> AssetMovie {
    let options = options.awaited
    return try await requests.awaitResult { handler in
      self.requestMovie(for: asset, options: options, resultHandler: handler)
    }
  }
}

extension ImageLoader {
  fileprivate func movie(
    _ version: ImageVersion, of asset: Asset
  ) throws(LibraryError) -> AssetMovie {
    let all = try resources(of: asset)
    let types = Set(all.keys)
    let wanted = version.named
    let type = wanted.pairedType(among: types) ?? wanted.mainType(among: types)
    guard let type, type.isMovie, let found = all[type] else {
      throw types.contains(.pairedVideo)
        ? .plainStill(asset.localIdentifier) : .noMovie(asset.localIdentifier, asset.mediaType)
    }
    return try movie(found)
  }

  func movie(_ resource: ResourceRecord) throws(LibraryError) -> AssetMovie {
    try AssetMovie(
      at: try inFiles(library.layout.place(of: resource.file)))
  }
}

extension ImageVersion {
  /// What resources call the version; a movie has no RAW.
  var named: AssetResource.Version { self == .current ? .current : .original }
}
