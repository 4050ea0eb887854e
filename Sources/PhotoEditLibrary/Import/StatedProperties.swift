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
    (metadata.latitude, metadata.longitude) = (item.latitude, item.longitude)
    (metadata.isFavorite, metadata.isHidden) = (item.isFavorite, item.isHidden)
    metadata.tags.keywords = KeywordPath.set(
      item.keywords.compactMap { KeywordPath.normalized($0) })
    metadata.tags.people = PhotoTags.names(item.people)
    burst = item.burst
    if item.burstPick & 4 != 0 { burstSelection.insert(.autoPick) }
    if item.burstPick & 8 != 0 { burstSelection.insert(.userPick) }
    representsBurst = item.burstPick & 16 != 0
  }
}

/// The burst of a photo according to its file name.
///
/// - `00015IMG_00015_BURST20171111030039_COVER.jpg` (Nexus and Pixel): the cover is the best photo.
/// - `20231207_101605_031.jpg` (Samsung): the date and time of the burst, then a number.
struct NamedBurst: Sendable, Hashable {
  let identifier: String
  let isCover: Bool

  /// Reads a file name; nil for any other form.
  init?(_ filename: String) {
    var stem = Substring(FileSystem.splitName(filename).stem)
    let cover = "_COVER"
    isCover = stem.hasSuffix(cover)
    if isCover { stem = stem.dropLast(cover.count) }
    func areDigits(_ text: Substring, _ counts: ClosedRange<Int>) -> Bool {
      counts.contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    let parts = stem.split(separator: "_", omittingEmptySubsequences: false)
    let mark = "BURST"
    if let last = parts.last, parts.count >= 3, last.hasPrefix(mark),
      areDigits(last.dropFirst(mark.count), 14...17), areDigits(parts[parts.count - 2], 5...5)
    {
      identifier = String(last)
    } else if !isCover, parts.count == 3, areDigits(parts[0], 8...8), areDigits(parts[1], 6...6),
      areDigits(parts[2], 3...3)
    {
      identifier = "\(parts[0])_\(parts[1])"
    } else {
      return nil
    }
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
