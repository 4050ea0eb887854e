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

  /// The seconds from 1970 to 2001, the reference date of Apple's databases.
  private static let referenceDate = 978_307_200.0

  /// Takes the properties from an export without bursts.
  init(_ metadata: SidecarMetadata) { self.metadata = metadata }

  init(_ item: PhotosDatabase.Item) {
    metadata = SidecarMetadata()
    metadata.isComplete = true
    metadata.title = item.title.flatMap { SidecarMetadata.text($0) }
    metadata.caption = item.caption.flatMap { SidecarMetadata.caption($0) }
    metadata.date = item.date.flatMap {
      CaptureDate(stated: $0 + Self.referenceDate, offset: item.utcOffset)
    }
    metadata.hasImpossibleDate = item.date != nil && metadata.date == nil
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

/// The burst of a photo according to its file name, as in the table of `NameScheme`.
struct NamedBurst: Sendable, Hashable {
  let identifier: String
  /// Indicates whether the name marks the best photo of the burst.
  let isCover: Bool

  /// Reads a file name; nil for any other form.
  init?(_ filename: String) {
    let stem = FileSystem.splitName(filename).stem
    guard let identifier = NameScheme.burst(stem) else { return nil }
    self.identifier = identifier
    isCover = stem.uppercased().hasSuffix("COVER")
  }

  /// Assigns the photos of one folder to bursts; a single photo with such a name is not part of one.
  static func assign(to groups: inout [ImportGroup]) {
    let bursts = groups.map { group in
      group.original.kind == .still && group.stated == nil ? NamedBurst(group.original.name) : nil
    }
    let counts = Dictionary(
      bursts.compactMap { $0 }.map { ($0.identifier, 1) }, uniquingKeysWith: +)
    for (index, burst) in bursts.enumerated() {
      guard let burst, counts[burst.identifier, default: 0] > 1 else { continue }
      groups[index].burst = burst
    }
  }
}
