// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

extension Asset {
  /// Makes an asset that is in no library, for tests and previews of programs that show assets.
  ///
  /// - Parameter localIdentifier: Its name; a new one if nil.
  public init(
    localIdentifier: String? = nil, mediaType: MediaType = .image,
    mediaSubtypes: MediaSubtype = [], sourceType: SourceType = .userLibrary, pixelWidth: Int = 0,
    pixelHeight: Int = 0,
    duration: Double = 0, creationDate: Date? = nil, modificationDate: Date? = nil,
    location: GeoPoint? = nil, isFavorite: Bool = false, isHidden: Bool = false,
    burstIdentifier: String? = nil, representsBurst: Bool = false, hasAdjustments: Bool = false,
    originalFilename: String = "", title: String? = nil, caption: String? = nil
  ) {
    let style: PlaybackStyle =
      switch mediaType {
      case .image: mediaSubtypes.contains(.photoLive) ? .livePhoto : .image
      case .video: .video
      case .audio, .unknown: .unsupported
      }
    let date = modificationDate ?? creationDate ?? Date(timeIntervalSince1970: 0)
    self.init(
      localIdentifier: localIdentifier ?? LocalIdentifier(new: .asset).description,
      mediaType: mediaType, mediaSubtypes: mediaSubtypes, playbackStyle: style,
      sourceType: sourceType, traits: [], pixelWidth: pixelWidth, pixelHeight: pixelHeight,
      duration: duration, creationDate: creationDate, modificationDate: date,
      contentModificationDate: date, addedDate: date, location: location, isFavorite: isFavorite,
      isHidden: isHidden, burstIdentifier: burstIdentifier, representsBurst: representsBurst,
      burstSelectionTypes: [], hasAdjustments: hasAdjustments, originalFilename: originalFilename,
      title: title, caption: caption, trashedDate: nil, row: 0, contentRevision: 0)
  }
}
