// SPDX-License-Identifier: Apache-2.0

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
