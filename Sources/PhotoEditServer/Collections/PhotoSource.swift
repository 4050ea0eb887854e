// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditLibrary
import PhotoEditRendering

/// The photos that a server shows: one photo, a folder, or a library.
protocol PhotoSource: Sendable {
  /// "photo", "folder" or "library".
  var mode: String { get }
  /// The name of the photo, the folder or the library, without its path.
  var name: String { get }
  /// The identifier of the only photo; nil if there are others.
  var onlyAsset: String? { get }
  /// The library; nil for photos without one.
  var library: PhotoLibrary? { get }

  /// Returns the photos of a list.
  ///
  /// - Parameters:
  ///   - list: "all", "favorites", "recent", "trash", or "album:" and an identifier.
  ///   - predicate: The condition of a library's assets, in the language of `--where`.
  ///   - sort: The key of a library's assets, and ":desc" for descending order.
  func photos(
    of list: String, predicate: String?, sort: String?
  ) throws(Problem) -> FetchResult<Asset>

  /// Returns the current properties of a photo.
  func asset(_ identifier: String) throws(Problem) -> Asset

  /// Returns the store of a photo's versions.
  func store(of asset: String) throws(Problem) -> any EditingStore

  /// Returns the versions of a photo or video, with the videos of a Live Photo.
  func versions(of asset: String) throws(Problem) -> EditState

  /// Returns a JPEG of a version of a photo, in sRGB.
  func image(
    of asset: Asset, _ shape: ThumbnailShape, isOriginal: Bool
  ) throws(Problem) -> [UInt8]
}

extension PhotoSource {
  var onlyAsset: String? { nil }
  var library: PhotoLibrary? { nil }

  func versions(of asset: String) throws(Problem) -> EditState {
    let store = try store(of: asset)
    return try editing(store.state())
  }

  /// Returns the name of a photo's file.
  func fileName(of asset: String) throws(Problem) -> String {
    try self.asset(asset).originalFilename
  }
}

extension Problem {
  static let unknownAsset = Problem(.notFound, "there is no such photo")
}
