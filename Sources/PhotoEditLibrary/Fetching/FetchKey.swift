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
/// There are no others; `addedDate` is a property but not a key.
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
  // For the rules of smart albums; not available to callers.
  static let traits = FetchColumn("traits", .bits)
  static let addedDate = FetchColumn("addedDate", .date)
}
