// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditStorage

extension SidecarMetadata {
  /// Removes what a rendering must not state.
  mutating func remove(_ removed: MetadataRemoval) {
    guard !removed.contains(.all) else { return self = SidecarMetadata(texts: texts) }
    if removed.contains(.location) {
      (latitude, longitude, altitude, place) = (nil, nil, nil, nil)
    }
    if removed.contains(.people) { tags.people = [] }
    if removed.contains(.dates) { date = nil }
  }

  /// Reads an XMP file with all texts that a library stores; nil if it is not one.
  init?(file bytes: FileBytes) { self.init(bytes.array, texts: PhotoProperties.textNames) }

  /// Takes the properties of an asset, without its albums.
  ///
  /// A date that was set is a moment; without an offset, readers would take it for a clock time.
  init(_ asset: Asset) {
    self.init(texts: PhotoProperties.textNames)
    for text in PhotoProperties.texts { self[text.metadata] = asset.properties[keyPath: text.path] }
    let isMoment = asset.userFields?.contains(.date) == true
    date = asset.creationDate.flatMap {
      CaptureDate(
        stated: $0.timeIntervalSince1970, offset: asset.utcOffset ?? (isMoment ? 0 : nil))
    }
    (latitude, longitude) = (asset.location?.latitude, asset.location?.longitude)
    altitude = asset.location?.altitude
    (isFavorite, isHidden) = (asset.isFavorite, asset.isHidden)
    tags.keywords = asset.keywords
    tags.people = asset.people
    tags.rating = asset.rating == 0 ? nil : asset.rating
    tags.label = asset.label?.rawValue
    burst = asset.burstIdentifier.map {
      Burst(
        identifier: $0, selection: asset.burstSelectionTypes.rawValue,
        isRepresentative: asset.representsBurst)
    }
  }
}
