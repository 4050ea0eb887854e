// SPDX-License-Identifier: Apache-2.0

/// The subtypes of albums and smart albums; the numbers are PhotoKit's.
extension AssetCollection.Subtype {
  private init(_ number: Int) { self.init(rawValue: number) }

  // MARK: Albums

  /// An album in step with a computer, by event.
  public static let albumSyncedEvent = Self(3)
  /// An album in step with a computer, by person.
  public static let albumSyncedFaces = Self(4)
  /// An album in step with a computer.
  public static let albumSyncedAlbum = Self(5)
  /// What came from a camera.
  public static let albumImported = Self(6)
  /// A stream of one person's photos; never made here.
  public static let albumMyPhotoStream = Self(100)
  /// An album that several people share; never made here.
  public static let albumCloudShared = Self(101)

  // MARK: Smart albums

  /// Filled by a person's own rule; never made here.
  public static let smartAlbumGeneric = Self(200)
  /// Panoramas, by their GPano properties.
  public static let smartAlbumPanoramas = Self(201)
  /// All movies.
  public static let smartAlbumVideos = Self(202)
  /// All favourites.
  public static let smartAlbumFavorites = Self(203)
  /// Movies with few frames per second of real time.
  public static let smartAlbumTimelapses = Self(204)
  /// Everything that is hidden; fetch its assets with `includeHiddenAssets`.
  public static let smartAlbumAllHidden = Self(205)
  /// What came into the library in the last 30 days.
  public static let smartAlbumRecentlyAdded = Self(206)
  /// Bursts.
  public static let smartAlbumBursts = Self(207)
  /// Movies with many frames per second.
  public static let smartAlbumSlomoVideos = Self(208)
  /// Everything of one's own that is not hidden.
  public static let smartAlbumUserLibrary = Self(209)
  /// Photos of the front camera.
  public static let smartAlbumSelfPortraits = Self(210)
  /// Pictures of screens.
  public static let smartAlbumScreenshots = Self(211)
  /// Photos with a depth map.
  public static let smartAlbumDepthEffect = Self(212)
  /// Stills with the movie around them.
  public static let smartAlbumLivePhotos = Self(213)
  /// Pictures of several frames.
  public static let smartAlbumAnimated = Self(214)
  /// Photos of long exposure.
  public static let smartAlbumLongExposures = Self(215)
  /// What could not be sent to a remote place; always empty here.
  public static let smartAlbumUnableToUpload = Self(216)
  /// Photos with a RAW file.
  public static let smartAlbumRAW = Self(217)
  /// Movies whose focus can be changed.
  public static let smartAlbumCinematic = Self(218)
  /// Pictures for two eyes.
  public static let smartAlbumSpatial = Self(219)
}
