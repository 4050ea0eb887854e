// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
public import PhotoEditPixels
import PhotoEditStorage

/// The file of an asset's picture, as it is.
public struct ImageData: Sendable {
  /// Its bytes.
  public let bytes: [UInt8]
  /// What it is, such as "public.jpeg".
  public let uniformType: String
  /// How it is turned to be upright.
  public let orientation: Orientation
  /// The name that it came with.
  public let originalFilename: String
}

extension ImageManager {
  /// Asks for the bytes of an asset's picture, of the version that the options say.
  ///
  /// The bytes are compared with the digest that the library knows. The handler is called once, as
  /// for a picture; `deliveryMode`, `resizeMode` and the part have no say.
  ///
  /// - Returns: A name by which the request can be cancelled.
  @discardableResult
  public func requestImageData(
    for asset: Asset, options: ImageRequestOptions = ImageRequestOptions(),
    resultHandler: @escaping @Sendable (ImageData?, ImageRequestInfo) -> Void
  ) -> ImageRequestID {
    requests.submit(isSynchronous: options.isSynchronous, resultHandler) {
      [loader] _ throws(LibraryError) in
      let progress = ImageProgress(options.progressHandler)
      try progress.tell(0)
      let data = try loader.data(options.version, of: asset)
      try progress.tell(1)
      return (data, isDegraded: false)
    }
  }

  /// The bytes of an asset's picture, of the version that the options say.
  ///
  /// - Throws: `LibraryError`; `userCancelled` when the task is cancelled.
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
  /// The whole file of a version.
  fileprivate func data(
    _ version: ImageVersion, of asset: Asset
  ) throws(LibraryError) -> ImageData {
    guard asset.mediaType == .image else {
      throw .noPicture(asset.localIdentifier, asset.mediaType)
    }
    let resource = try resource(version, of: asset)
    let path = library.layout.path(resource.file)
    let bytes = try file(resource)
    guard bytes.digest().bytes == resource.digest else { throw .damagedFile(path) }
    // Metadata that cannot be read says nothing of a turn.
    let metadata = try? ImageMetadata.read(bytes)
    return ImageData(
      bytes: bytes.array, uniformType: resource.uniformType,
      orientation: metadata?.orientation ?? .up, originalFilename: resource.filename)
  }
}
