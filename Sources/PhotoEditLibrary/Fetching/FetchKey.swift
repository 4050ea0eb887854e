// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

/// A key by which objects are found and sorted, and the type of its values.
public struct FetchKey<Object: FetchedObject, Value: FetchValue>: Sendable, Hashable {
  let column: FetchColumn

  init(_ column: FetchColumn) { self.column = column }

  /// The name in the text of a predicate.
  public var name: String { column.name }
}

/// The keys of assets.
///
/// There are no others; `addedDate` is a property and no key.
public enum AssetKey {
  /// The asset itself.
  public static let localIdentifier = FetchKey<Asset, FetchIdentifier>(.localIdentifier)
  /// When it was taken.
  public static let creationDate = FetchKey<Asset, Date>(.creationDate)
  /// When anything of it changed last.
  public static let modificationDate = FetchKey<Asset, Date>(.modificationDate)
  /// What kind of media it is.
  public static let mediaType = FetchKey<Asset, MediaType>(.mediaType)
  /// What is special about it.
  public static let mediaSubtypes = FetchKey<Asset, MediaSubtype>(.mediaSubtypes)
  /// Seconds; 0 for photos.
  public static let duration = FetchKey<Asset, Double>(.duration)
  /// Width in pixels.
  public static let pixelWidth = FetchKey<Asset, Int>(.pixelWidth)
  /// Height in pixels.
  public static let pixelHeight = FetchKey<Asset, Int>(.pixelHeight)
  /// Whether a person marked it as a favourite.
  public static let isFavorite = FetchKey<Asset, Bool>(.favorite)
  /// Whether it is left out of default fetches.
  public static let isHidden = FetchKey<Asset, Bool>(.hidden)
  /// Common to all assets of a burst.
  public static let burstIdentifier = FetchKey<Asset, String>(.burstIdentifier)
}

/// The keys of albums, smart albums and moments.
public enum AssetCollectionKey {
  /// The collection itself.
  public static let localIdentifier = FetchKey<AssetCollection, FetchIdentifier>(.localIdentifier)
  /// The title.
  public static let localizedTitle = FetchKey<AssetCollection, String>(.localizedTitle)
  /// When the oldest of its assets was taken.
  public static let startDate = FetchKey<AssetCollection, Date>(.startDate)
  /// When the newest of its assets was taken.
  public static let endDate = FetchKey<AssetCollection, Date>(.endDate)
  /// How many assets are in it.
  public static let estimatedAssetCount = FetchKey<AssetCollection, Int>(.estimatedAssetCount)
}

/// The keys of folders and lists of moments.
public enum CollectionListKey {
  /// The list itself.
  public static let localIdentifier = FetchKey<CollectionList, FetchIdentifier>(.localIdentifier)
  /// The title.
  public static let localizedTitle = FetchKey<CollectionList, String>(.localizedTitle)
  /// When the oldest asset of a list of moments was taken.
  public static let startDate = FetchKey<CollectionList, Date>(.startDate)
  /// When the newest asset of a list of moments was taken.
  public static let endDate = FetchKey<CollectionList, Date>(.endDate)
}

/// The keys of albums and folders together.
public enum CollectionKey {
  /// The album or folder itself.
  public static let localIdentifier = FetchKey<PhotoCollection, FetchIdentifier>(.localIdentifier)
  /// The title.
  public static let localizedTitle = FetchKey<PhotoCollection, String>(.localizedTitle)
  /// When the oldest of its assets was taken.
  public static let startDate = FetchKey<PhotoCollection, Date>(.startDate)
  /// When the newest of its assets was taken.
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
  // For the rules of smart albums; no keys for callers.
  static let traits = FetchColumn("traits", .bits)
  static let addedDate = FetchColumn("addedDate", .date)
}
