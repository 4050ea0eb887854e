// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
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
    let options = options.awaited
    return try await requests.awaitResult { handler in
      self.requestImageData(for: asset, options: options, resultHandler: handler)
    }
  }
}

extension ImageLoader {
  /// Reads the whole file of a version.
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
}
