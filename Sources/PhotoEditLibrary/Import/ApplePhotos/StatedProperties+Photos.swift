// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs

extension StatedProperties {
  /// Takes the properties from a photo of a library of Apple Photos, iPhoto or Aperture.
  init(_ item: PhotosDatabase.Item) {
    self.init(SidecarMetadata())
    metadata.provenance = .library
    metadata[.title] = item.title.flatMap(MetadataName.title.clean)
    metadata[.caption] = item.caption.flatMap(MetadataName.caption.clean)
    let date = item.date == 0 ? nil : item.date
    metadata.date = date.flatMap {
      CaptureDate(stated: $0 + CaptureDate.reference, offset: item.utcOffset)
    }
    metadata.hasImpossibleDate = date != nil && metadata.date == nil
    (metadata.latitude, metadata.longitude) = (item.latitude, item.longitude)
    (metadata.isFavorite, metadata.isHidden) = (item.isFavorite, item.isHidden)
    metadata.tags.keywords = KeywordPath.set(
      item.keywords.compactMap { KeywordPath.normalized($0, separator: nil) })
    metadata.tags.people = PhotoTags.names(item.people)
    burst = item.burst
    if item.burstPick & 4 != 0 { burstSelection.insert(.autoPick) }
    if item.burstPick & 8 != 0 { burstSelection.insert(.userPick) }
    representsBurst = item.burstPick & 16 != 0
  }
}
