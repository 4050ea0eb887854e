// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

/// A key for filtering and sorting objects, with the type of its values.
public struct FetchKey<Object: FetchedObject, Value: FetchValue>: Sendable, Hashable {
  let column: FetchColumn

  init(_ column: FetchColumn) { self.column = column }

  /// The name in a predicate format.
  public var name: String { column.name }
}

/// The keys of assets.
///
/// Keywords, people, albums and digests are keys of `FetchListKey`; words in all texts are searched
/// with `FetchPredicate.words(_:)`.
public enum AssetKey {
  /// The local identifier.
  public static let localIdentifier = FetchKey<Asset, FetchIdentifier>(.localIdentifier)
  /// The date when it was taken.
  public static let creationDate = FetchKey<Asset, Date>(.creationDate)
  /// The date of the last change.
  public static let modificationDate = FetchKey<Asset, Date>(.modificationDate)
  /// The media type.
  public static let mediaType = FetchKey<Asset, MediaType>(.mediaType)
  /// The media subtypes.
  public static let mediaSubtypes = FetchKey<Asset, MediaSubtype>(.mediaSubtypes)
  /// The duration in seconds; 0 for photos.
  public static let duration = FetchKey<Asset, Double>(.duration)
  /// The width in pixels.
  public static let pixelWidth = FetchKey<Asset, Int>(.pixelWidth)
  /// The height in pixels.
  public static let pixelHeight = FetchKey<Asset, Int>(.pixelHeight)
  /// Indicates whether it is marked as a favorite.
  public static let isFavorite = FetchKey<Asset, Bool>(.favorite)
  /// Indicates whether it is hidden from default fetches.
  public static let isHidden = FetchKey<Asset, Bool>(.hidden)
  /// The identifier shared by all assets of a burst.
  public static let burstIdentifier = FetchKey<Asset, String>(.burstIdentifier)
  /// The title.
  public static let title = FetchKey<Asset, String>(.title)
  /// The caption.
  public static let caption = FetchKey<Asset, String>(.caption)
  /// The name of the first file at import.
  public static let filename = FetchKey<Asset, String>(.filename)
  /// The number of keywords.
  public static let keywordCount = FetchKey<Asset, Int>(.keywordCount)
  /// The rating: 1 to 5 stars, 0 for none, -1 for rejected.
  public static let rating = FetchKey<Asset, Int>(.rating)
  /// The color label, as the raw value of `Asset.Label`.
  public static let label = FetchKey<Asset, String>(.label)
  /// The city and the country, from the file's metadata.
  public static let place = FetchKey<Asset, String>(.place)
  /// The camera manufacturer and model.
  public static let camera = FetchKey<Asset, String>(.camera)
  /// The lens model.
  public static let lens = FetchKey<Asset, String>(.lens)
  /// The ISO sensitivity.
  public static let iso = FetchKey<Asset, Int>(.iso)
  /// The f-number.
  public static let fNumber = FetchKey<Asset, Double>(.fNumber)
  /// The focal length in millimeters.
  public static let focalLength = FetchKey<Asset, Double>(.focalLength)
  /// The exposure time in seconds.
  public static let exposureTime = FetchKey<Asset, Double>(.exposureTime)
  /// Indicates whether it is edited.
  public static let isEdited = FetchKey<Asset, Bool>(.edited)
  /// Degrees north.
  public static let latitude = FetchKey<Asset, Double>(.latitude)
  /// Degrees east.
  public static let longitude = FetchKey<Asset, Double>(.longitude)
  /// The date of import.
  public static let importDate = FetchKey<Asset, Date>(.importDate)
  /// The size of the original in bytes.
  public static let fileSize = FetchKey<Asset, Int>(.fileSize)
  /// Indicates whether it is a Live Photo.
  public static let isLive = FetchKey<Asset, Bool>(.live)
  /// Indicates whether it belongs to a burst.
  public static let isBurst = FetchKey<Asset, Bool>(.burst)
  /// Indicates whether it is in the trash; a predicate with this key also finds trashed assets.
  public static let isTrashed = FetchKey<Asset, Bool>(.trashed)
  /// The keywords; each run of the levels of "Places/Portugal/Lisbon" counts as one.
  public static let keyword = FetchListKey<Asset>(.keyword)
  /// The names of people.
  public static let person = FetchListKey<Asset>(.person)
  /// The titles of the albums that contain it; unknown to `evaluate(with:)`.
  public static let album = FetchListKey<Asset>(.album)
  /// The SHA-256 digests of its files; unknown to `evaluate(with:)`.
  public static let digest = FetchListKey<Asset>(.digest)

  /// The names of all keys of assets with the types of their values, for manuals.
  package static var listing: [(name: String, type: String)] {
    Asset.source.columns.map { ($0.name, "\($0.kind)") }
  }
}

/// The keys of albums, smart albums and moments.
public enum AssetCollectionKey {
  /// The local identifier.
  public static let localIdentifier = FetchKey<AssetCollection, FetchIdentifier>(.localIdentifier)
  /// The title.
  public static let localizedTitle = FetchKey<AssetCollection, String>(.localizedTitle)
  /// The date when its oldest asset was taken.
  public static let startDate = FetchKey<AssetCollection, Date>(.startDate)
  /// The date when its newest asset was taken.
  public static let endDate = FetchKey<AssetCollection, Date>(.endDate)
  /// The number of assets in it.
  public static let estimatedAssetCount = FetchKey<AssetCollection, Int>(.estimatedAssetCount)
}

/// The keys of folders and lists of moments.
public enum CollectionListKey {
  /// The local identifier.
  public static let localIdentifier = FetchKey<CollectionList, FetchIdentifier>(.localIdentifier)
  /// The title.
  public static let localizedTitle = FetchKey<CollectionList, String>(.localizedTitle)
  /// The date when the oldest asset of a list of moments was taken.
  public static let startDate = FetchKey<CollectionList, Date>(.startDate)
  /// The date when the newest asset of a list of moments was taken.
  public static let endDate = FetchKey<CollectionList, Date>(.endDate)
}

/// The keys of albums and folders together.
public enum CollectionKey {
  /// The local identifier.
  public static let localIdentifier = FetchKey<PhotoCollection, FetchIdentifier>(.localIdentifier)
  /// The title.
  public static let localizedTitle = FetchKey<PhotoCollection, String>(.localizedTitle)
  /// The date when its oldest asset was taken.
  public static let startDate = FetchKey<PhotoCollection, Date>(.startDate)
  /// The date when its newest asset was taken.
  public static let endDate = FetchKey<PhotoCollection, Date>(.endDate)
}

extension FetchColumn {
  static let localIdentifier = FetchColumn("localIdentifier", .identifier)
  static let creationDate = FetchColumn("creationDate", .date)
  static let modificationDate = FetchColumn("modificationDate", .date)
  static let mediaType = FetchColumn("mediaType", .integer)
  static let mediaSubtypes = FetchColumn("mediaSubtypes", .bits)
  static let duration = FetchColumn("duration", .real)
  static let pixelWidth = FetchColumn("pixelWidth", .integer)
  static let pixelHeight = FetchColumn("pixelHeight", .integer)
  static let favorite = FetchColumn("favorite", .flag)
  static let hidden = FetchColumn("hidden", .flag)
  static let burstIdentifier = FetchColumn("burstIdentifier", .text)
  static let localizedTitle = FetchColumn("localizedTitle", .text)
  static let startDate = FetchColumn("startDate", .date)
  static let endDate = FetchColumn("endDate", .date)
  static let estimatedAssetCount = FetchColumn("estimatedAssetCount", .integer)
  static let title = FetchColumn("title", .text)
  static let caption = FetchColumn("caption", .text)
  static let filename = FetchColumn("filename", .text)
  static let keyword = FetchColumn("keyword", .list)
  static let person = FetchColumn("person", .list)
  static let keywordCount = FetchColumn("keywords.@count", .integer)
  static let rating = FetchColumn("rating", .integer)
  static let label = FetchColumn("label", .text)
  static let place = FetchColumn("place", .text)
  static let camera = FetchColumn("camera", .text)
  static let lens = FetchColumn("lens", .text)
  static let iso = FetchColumn("iso", .integer)
  static let fNumber = FetchColumn("fNumber", .real)
  static let focalLength = FetchColumn("focalLength", .real)
  static let exposureTime = FetchColumn("exposureTime", .real)
  static let edited = FetchColumn("edited", .flag)
  static let latitude = FetchColumn("latitude", .real)
  static let longitude = FetchColumn("longitude", .real)
  static let importDate = FetchColumn("importDate", .date)
  static let fileSize = FetchColumn("fileSize", .integer)
  static let live = FetchColumn("live", .flag)
  static let burst = FetchColumn("burst", .flag)
  static let trashed = FetchColumn("trashed", .flag)
  static let day = FetchColumn("day", .day)
  static let album = FetchColumn("album", .external)
  static let digest = FetchColumn("digest", .external)
  static let text = FetchColumn("text", .words)
  static let location = FetchColumn("location", .location)
  // For the rules of smart albums; not available to callers.
  static let traits = FetchColumn("traits", .bits)
  static let addedDate = FetchColumn("addedDate", .date)
}
