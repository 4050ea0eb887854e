// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditStorage

/// The properties of a photo according to another program's library, which take precedence over
/// those in its files.
struct StatedProperties: Sendable, Hashable {
  var metadata: SidecarMetadata
  var burst: String?
  var burstSelection: BurstSelection = []
  var representsBurst = false

  /// Takes the properties from an export without bursts.
  init(_ metadata: SidecarMetadata) { self.metadata = metadata }

  init(_ item: PhotosDatabase.Item) {
    metadata = SidecarMetadata()
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
