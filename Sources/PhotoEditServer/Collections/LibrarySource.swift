// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditLibrary
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage
import PhotoEditVideo

/// The assets of a photo library.
final class LibrarySource: PhotoSource {
  let mode = "library"
  let name: String
  private let photoLibrary: PhotoLibrary
  private let images: ImageManager

  init(_ library: PhotoLibrary) {
    photoLibrary = library
    name = FileSystem.lastName(of: library.url.path)
    var configuration = ImageManager.Configuration()
    configuration.poster = { path, box, isCancelled in
      try VideoFrames.poster(path, fitting: box, isCancelled: isCancelled)
    }
    images = ImageManager(library, configuration: configuration)
  }

  var library: PhotoLibrary? { photoLibrary }

  func photos(
    of list: String, predicate: String?, sort: String?
  ) throws(Problem) -> FetchResult<Asset> {
    var options = FetchOptions<Asset>()
    if let predicate, !predicate.isEmpty {
      options.predicate = try inLibrary(FetchPredicate(format: predicate))
    }
    let isAlbum = list.hasPrefix("album:")
    if !isAlbum { options.sortDescriptors = [FetchSort(AssetKey.creationDate, ascending: false)] }
    if let sort {
      let parts = sort.split(separator: ":", maxSplits: 1)
      options.sortDescriptors = [
        try inLibrary(
          FetchSort(
            key: String(parts.first ?? ""), ascending: parts.count < 2 || parts[1] != "desc"))
      ]
    }
    switch list {
    case "all": break
    case "favorites":
      let favorites = AssetKey.isFavorite == true
      options.predicate = options.predicate.map { $0 && favorites } ?? favorites
    case "trash":
      return try inLibrary(photoLibrary.fetchTrashedAssets())
    case "recent":
      let albums = try inLibrary(
        photoLibrary.fetchAssetCollections(with: .smartAlbum, subtype: .smartAlbumRecentlyAdded))
      options.sortDescriptors = []
      return try photos(in: albums.first, options)
    default:
      guard isAlbum else { throw Problem(.notFound, "no list '\(list)'") }
      return try photos(in: album(String(list.dropFirst("album:".count))), options)
    }
    return try inLibrary(photoLibrary.fetchAssets(options))
  }

  private func photos(
    in album: AssetCollection?, _ options: FetchOptions<Asset>
  ) throws(Problem) -> FetchResult<Asset> {
    guard let album else { throw Problem(.notFound, "no such album") }
    return try inLibrary(photoLibrary.fetchAssets(in: album, options: options))
  }

  /// Returns an album.
  func album(_ identifier: String) throws(Problem) -> AssetCollection {
    let found = try inLibrary(
      photoLibrary.fetchAssetCollections(withLocalIdentifiers: [identifier]))
    guard let album = found.first else { throw Problem(.notFound, "no such album") }
    return album
  }

  func asset(_ identifier: String) throws(Problem) -> Asset {
    let found = try inLibrary(photoLibrary.fetchAssets(withLocalIdentifiers: [identifier]))
    guard let asset = found.first else { throw .unknownAsset }
    return asset
  }

  func store(of asset: String) throws(Problem) -> any EditingStore {
    let asset = try self.asset(asset)
    return try inLibrary(photoLibrary.editingStore(for: asset))
  }

  func image(
    of asset: Asset, _ shape: ThumbnailShape, isOriginal: Bool
  ) throws(Problem) -> [UInt8] {
    var options = ImageRequestOptions()
    options.isSynchronous = true
    options.deliveryMode = .highQuality
    options.version = isOriginal ? .unadjusted : .current
    if shape.crop != .whole {
      options.resizeMode = .exact
      options.normalizedCropRect = shape.crop
    }
    let outcome = LockedValue<(ImageBuffer?, LibraryError?)>((nil, nil))
    images.requestImage(
      for: asset, targetSize: shape.box,
      contentMode: shape.mode == .fit ? .aspectFit : .aspectFill, options: options
    ) { image, info in outcome.withLock { $0 = (image, info.error) } }
    let (image, error) = outcome.withLock { $0 }
    if let error { throw Problem(error) }
    guard let image else { throw Problem(.notFound, "the asset has no image") }
    return try Thumbnail(image).encoded()
  }
}

extension Problem {
  /// Creates the problem of a library; its detail has no path.
  init(_ error: LibraryError) {
    if let file = error.file {
      self.init(file)
      return
    }
    switch error.code {
    case .identifierNotFound, .missingResource: self.init(.notFound, error.message)
    case .changeNotSupported:
      // A message about a predicate contains the position of the first wrong character.
      var members: [String: JSONValue] = [:]
      if let match = error.message.firstMatch(of: /at character (\d+)/), let at = Int(match.1) {
        members["position"] = .whole(at)
      }
      let hint = error.hint.map { "; " + $0 } ?? ""
      self.init(.badRequest, error.message + hint, code: .badData, members: members)
    case .operationInterrupted: self.init(.busy, error.message)
    case .persistentChangeTokenExpired, .persistentChangeDetailsUnavailable:
      self.init(.tokenExpired, error.message)
    case .notEnoughSpace: self.init(.diskFull, error.message)
    case .accessRestricted, .accessUserDenied: self.init(.readOnly, error.message)
    case .userCancelled: self.init(.superseded, error.message)
    case .invalidResource, .requestNotSupportedForAsset: self.init(.notEditable, error.message)
    default: self.init(.internalError, error.message)
    }
  }
}

/// Evaluates an expression and rethrows its error as a problem.
func inLibrary<Result>(
  _ body: @autoclosure () throws(LibraryError) -> Result
) throws(Problem) -> Result {
  try translating(Problem.init, body)
}
