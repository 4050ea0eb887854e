// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

/// An album, a smart album or a moment, as of the time it was fetched.
///
/// This is an immutable value. Two values are equal if they have the same identifier.
public struct AssetCollection: Sendable, Identifiable, Codable {
  /// The kinds of collections; the raw values match PhotoKit.
  public enum Kind: Int, Sendable, Hashable, CaseIterable, Codable {
    /// Created and ordered by the user.
    case album = 1
    /// Filled by a rule.
    case smartAlbum = 2
    /// Photos of one time and location.
    case moment = 3
  }

  /// The subtype of an album; the raw values match PhotoKit.
  public struct Subtype: RawRepresentable, Sendable, Hashable, Codable {
    /// The stored number.
    public let rawValue: Int

    /// Creates a value from its number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A user-created album.
    public static let albumRegular = Subtype(rawValue: 2)
    /// Any subtype, for fetches.
    public static let any = Subtype(rawValue: Int.max)
  }

  /// The permanent, opaque identifier of the collection.
  public let localIdentifier: String
  /// The kind of collection.
  public let kind: Kind
  /// The subtype of the collection.
  public let subtype: Subtype
  /// The title; for a moment, the town of most of its assets, or nil if no place is known.
  public let localizedTitle: String?
  /// The date of capture of the oldest asset.
  public let startDate: Date?
  /// The date of capture of the newest asset.
  public let endDate: Date?
  /// The seconds by which the clock at the place of a moment's first asset was ahead of UTC.
  package var startOffset: Int?
  /// The same for the last asset; nil if unknown, and for other collections.
  package var endOffset: Int?
  /// The number of assets that a default fetch of its members returns; exact despite the name.
  ///
  /// For `smartAlbumAllHidden` it is the number that a fetch with `includeHiddenAssets` returns.
  public let estimatedAssetCount: Int

  /// The database row; nil for computed and transient collections.
  let row: Int64?
  /// The members of a transient collection; nil for all others.
  var transientMembers: [Asset]? = nil
  var isLibraryChangeable = true
}

extension AssetCollection {
  /// Creates an album, smart album or moment that belongs to no library, for tests and previews of
  /// user interfaces.
  ///
  /// Its members cannot be fetched; those of a transient collection can.
  ///
  /// - Parameters:
  ///   - localIdentifier: The identifier; a new one if nil.
  ///   - subtype: The subtype of an album or smart album.
  ///   - estimatedAssetCount: The number of assets, 0 or more.
  public init(
    localIdentifier: String? = nil, kind: Kind = .album, subtype: Subtype = .albumRegular,
    localizedTitle: String? = nil, startDate: Date? = nil, endDate: Date? = nil,
    estimatedAssetCount: Int = 0
  ) {
    self.init(
      localIdentifier: localIdentifier ?? LocalIdentifier(new: .assetCollection).description,
      kind: kind, subtype: subtype, localizedTitle: localizedTitle, startDate: startDate,
      endDate: endDate, estimatedAssetCount: estimatedAssetCount, row: nil)
  }
}

/// The subtypes of albums and smart albums; the raw values match PhotoKit.
extension AssetCollection.Subtype {
  private init(_ number: Int) { self.init(rawValue: number) }

  // MARK: Albums

  /// An event album synced with a computer.
  public static let albumSyncedEvent = Self(3)
  /// An album of one person's photos, synced with a computer.
  public static let albumSyncedFaces = Self(4)
  /// An album synced with a computer.
  public static let albumSyncedAlbum = Self(5)
  /// An album of photos imported from a camera.
  public static let albumImported = Self(6)
  /// A stream of one person's photos; never created here.
  public static let albumMyPhotoStream = Self(100)
  /// An album shared by several people; never created here.
  public static let albumCloudShared = Self(101)

  // MARK: Smart albums

  /// A smart album with a user-defined rule; never created here.
  public static let smartAlbumGeneric = Self(200)
  /// Panoramas, by their GPano properties.
  public static let smartAlbumPanoramas = Self(201)
  /// All videos.
  public static let smartAlbumVideos = Self(202)
  /// All favorites.
  public static let smartAlbumFavorites = Self(203)
  /// Time-lapse videos: videos with few frames per second of real time.
  public static let smartAlbumTimelapses = Self(204)
  /// All hidden assets; fetch them with `includeHiddenAssets`.
  public static let smartAlbumAllHidden = Self(205)
  /// Assets added to the library in the last 30 days.
  public static let smartAlbumRecentlyAdded = Self(206)
  /// Bursts.
  public static let smartAlbumBursts = Self(207)
  /// Slow-motion videos: videos with many frames per second.
  public static let smartAlbumSlomoVideos = Self(208)
  /// All assets of the user's own library that are not hidden.
  public static let smartAlbumUserLibrary = Self(209)
  /// Photos taken with the front camera.
  public static let smartAlbumSelfPortraits = Self(210)
  /// Screenshots.
  public static let smartAlbumScreenshots = Self(211)
  /// Photos with a depth map.
  public static let smartAlbumDepthEffect = Self(212)
  /// Live Photos.
  public static let smartAlbumLivePhotos = Self(213)
  /// Animated images.
  public static let smartAlbumAnimated = Self(214)
  /// Long-exposure photos.
  public static let smartAlbumLongExposures = Self(215)
  /// Assets that could not be uploaded; always empty here.
  public static let smartAlbumUnableToUpload = Self(216)
  /// Photos with a RAW file.
  public static let smartAlbumRAW = Self(217)
  /// Videos whose focus can be changed.
  public static let smartAlbumCinematic = Self(218)
  /// Stereoscopic images.
  public static let smartAlbumSpatial = Self(219)
}

extension AssetCollection {
  /// Returns whether a change block may perform an operation on the collection.
  ///
  /// User-created albums allow every operation. Smart albums, moments and synced or shared albums
  /// allow only the deletion of the assets in them. Transient ones allow nothing.
  public func canPerform(_ operation: CollectionOperation) -> Bool {
    guard isLibraryChangeable, !isTransient else { return false }
    if kind == .album, subtype == .albumRegular { return true }
    return operation == .deleteContent
  }
}
