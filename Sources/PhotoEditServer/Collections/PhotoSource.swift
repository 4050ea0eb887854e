// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

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
  func photos(of list: PhotoList) throws(Problem) -> FetchResult<Asset>

  /// Returns the current properties of a photo.
  func asset(_ identifier: String) throws(Problem) -> Asset

  /// Returns the current properties of a photo that is to be shown, which may be in the trash.
  func shownAsset(_ identifier: String) throws(Problem) -> Asset

  /// Indicates whether the date of a photo is that of its file, because it states none itself.
  func isDatedByFile(_ identifier: String) throws(Problem) -> Bool

  /// Returns the store of a photo's versions.
  func store(of asset: String) throws(Problem) -> any EditingStore

  /// Returns the versions of a photo or video, with the videos of a Live Photo.
  func versions(of asset: String) throws(Problem) -> EditState

  /// Opens a file of a version of a photo for reading.
  func open(_ path: String, of asset: String) throws(Problem) -> OpenFile

  /// Returns a JPEG of a version of a photo, in sRGB.
  func image(
    of asset: Asset, _ shape: ThumbnailShape, isOriginal: Bool
  ) throws(Problem) -> [UInt8]
}

/// A list of photos.
struct PhotoList: Sendable {
  /// "all", "favorites", "recent", "trash", or "album:" and an identifier.
  var source = "all"
  /// The words and terms that a library's assets match, as in `asset list`.
  var search: String?
  /// The condition of a library's assets, in the language of `--where`.
  var predicate: String?
  /// The key of a library's assets, and ":desc" for descending order.
  var sort: String?

  /// Indicates whether the list is in the order of the dates of import.
  var isByImport: Bool { source == "recent" && sort == nil }

  /// Indicates whether the list is limited by words, terms or a condition.
  var isNarrowed: Bool { predicate?.isEmpty == false || !terms.isEmpty }

  /// The terms of the search: its parts between spaces, of which those in quotation marks are kept.
  var terms: [String] {
    var terms: [String] = []
    var (term, isQuoted) = ("", false)
    for character in search ?? "" {
      if "\"\u{201C}\u{201D}\u{201E}".contains(character) {
        isQuoted.toggle()
      } else if character.isWhitespace, !isQuoted {
        terms.append(term)
        term = ""
      } else {
        term.append(character)
      }
    }
    return (terms + [term]).filter { !$0.isEmpty }
  }

  /// The condition of a library's assets; nil without one.
  var condition: FetchPredicate<Asset>? {
    get throws(LibraryError) {
      var conditions: [FetchPredicate<Asset>] = []
      if !terms.isEmpty { conditions.append(try FetchPredicate(search: terms)) }
      if let predicate, !predicate.isEmpty {
        conditions.append(try FetchPredicate(format: predicate))
      }
      if source == "favorites" { conditions.append(AssetKey.isFavorite == true) }
      return conditions.dropFirst().reduce(conditions.first) { all, next in all.map { $0 && next } }
    }
  }
}

extension PhotoSource {
  func shownAsset(_ identifier: String) throws(Problem) -> Asset { try asset(identifier) }

  func isDatedByFile(_ identifier: String) throws(Problem) -> Bool { false }

  var onlyAsset: String? { nil }
  var library: PhotoLibrary? { nil }

  func versions(of asset: String) throws(Problem) -> EditState {
    let store = try store(of: asset)
    return try editing(store.state())
  }

  func open(_ path: String, of asset: String) throws(Problem) -> OpenFile {
    try files(OpenFile(reading: path))
  }

  /// Returns the name of a photo's file.
  func fileName(of asset: String) throws(Problem) -> String {
    try self.asset(asset).originalFilename
  }
}

extension Problem {
  static let unknownAsset = Problem(.notFound, "there is no such photo")
}

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

  func photos(of list: PhotoList) throws(Problem) -> FetchResult<Asset> {
    var options = FetchOptions<Asset>()
    options.predicate = try condition(of: list)
    let isAlbum = list.source.hasPrefix("album:")
    if !isAlbum { options.sortDescriptors = [FetchSort(AssetKey.creationDate, ascending: false)] }
    if list.isByImport {
      options.sortDescriptors.insert(FetchSort(AssetKey.importDate, ascending: false), at: 0)
    }
    if let sort = list.sort {
      let parts = sort.split(separator: ":", maxSplits: 1)
      options.sortDescriptors = [
        try inLibrary(
          FetchSort(
            key: String(parts.first ?? ""), ascending: parts.count < 2 || parts[1] != "desc"))
      ]
    }
    switch list.source {
    case "all", "favorites": return try inLibrary(photoLibrary.fetchAssets(options))
    case "trash":
      guard let condition = options.predicate else {
        return try inLibrary(photoLibrary.fetchTrashedAssets())
      }
      options.predicate = AssetKey.isTrashed == true && condition
      return try inLibrary(photoLibrary.fetchAssets(options))
    case "recent":
      let albums = try inLibrary(
        photoLibrary.fetchAssetCollections(with: .smartAlbum, subtype: .smartAlbumRecentlyAdded))
      return try photos(in: albums.first, options)
    default:
      guard isAlbum else { throw Problem(.notFound, "no list '\(list.source)'") }
      return try photos(
        in: photoLibrary.album(String(list.source.dropFirst("album:".count))), options)
    }
  }

  /// Returns the condition of a list; the problem of an invalid term names those that are possible.
  private func condition(of list: PhotoList) throws(Problem) -> FetchPredicate<Asset>? {
    do throws(LibraryError) { return try list.condition } catch {
      var problem = Problem(error)
      if let (term, allowed) = SearchWords.invalidTerm(of: list.terms) {
        problem.members["term"] = .string(term)
        problem.members["allowed"] = .texts(allowed)
      }
      throw problem
    }
  }

  private func photos(
    in album: AssetCollection?, _ options: FetchOptions<Asset>
  ) throws(Problem) -> FetchResult<Asset> {
    guard let album else { throw Problem(.notFound, "no such album") }
    return try inLibrary(photoLibrary.fetchAssets(in: album, options: options))
  }

  func asset(_ identifier: String) throws(Problem) -> Asset {
    let found = try inLibrary(photoLibrary.fetchAssets(withLocalIdentifiers: [identifier]))
    guard let asset = found.first else { throw .unknownAsset }
    return asset
  }

  func shownAsset(_ identifier: String) throws(Problem) -> Asset {
    let asset = try inLibrary(photoLibrary.fetchAssets(withLocalIdentifiers: [identifier])).first
    if let asset { return asset }
    var options = FetchOptions<Asset>()
    options.predicate = AssetKey.isTrashed == true
    let trashed = try inLibrary(
      photoLibrary.fetchAssets(withLocalIdentifiers: [identifier], options: options))
    guard let asset = trashed.first else { throw .unknownAsset }
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

extension PhotoLibrary {
  func album(_ identifier: String) throws(Problem) -> AssetCollection {
    let found = try inLibrary(fetchAssetCollections(withLocalIdentifiers: [identifier]))
    guard let album = found.first else { throw Problem(.notFound, "no such album") }
    return album
  }
}
