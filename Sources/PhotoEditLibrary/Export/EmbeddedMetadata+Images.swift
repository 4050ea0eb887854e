// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditStorage

/// The properties of an asset that a file of an image other than a JPEG does not have.
extension EmbeddedMetadata {
  /// Returns a note about the properties that are not in an image that is written as it is; nil if it
  /// has all of them, and if they are in a metadata file next to it.
  func note(on resource: ResourceRecord, _ path: String) -> String? {
    guard !hasSidecar, [.photo, .fullSizePhoto].contains(resource.type),
      resource.uniformType != ImageFormat.jpeg.uniformTypeIdentifier,
      let bytes = try? FileBytes.reading(path, maximumBytes: ResourceStager.maximumImageBytes),
      let written = Self.metadata(of: bytes)
    else { return nil }
    let notes = losses(differing(written), of: "image") + [unwritableDate].compactMap(\.self)
    return notes.isEmpty ? nil : notes.joined(separator: "; ")
  }

  private static func metadata(of bytes: FileBytes) -> ImageMetadata? {
    if let raw = try? CameraRawFormat(bytes) { return raw.metadata }
    return try? ImageMetadata.read(bytes)
  }

  private func differing(_ image: ImageMetadata) -> Set<MetadataName> {
    let facts = image.captureFacts(of: nil, texts: metadata.texts)
    let (old, new) = (facts.tags, metadata.tags)
    var differing = Set(metadata.texts.filter { metadata[$0].flatMap($0.clean) != old[$0] })
    if old.keywords != new.keywords { differing.insert(.keywords) }
    if old.rating ?? 0 != new.rating ?? 0 { differing.insert(.rating) }
    if old.label != new.label { differing.insert(.label) }
    if old.people != new.people { differing.insert(.people) }
    if let date = metadata.date, !isSame(date, facts.date) { differing.insert(.date) }
    if isFar(metadata.latitude, facts.latitude) || isFar(metadata.longitude, facts.longitude) {
      differing.insert(.location)
    }
    return differing
  }

  /// Returns whether dates are the same moment, or the same time of a clock whose offset from UTC
  /// only the library knows.
  private func isSame(_ date: CaptureDate, _ written: CaptureDate?) -> Bool {
    guard let written else { return false }
    let clock = date.seconds + Double(date.offset ?? 0)
    return abs(written.seconds - date.seconds) < 1
      || !written.hasOffset && abs(written.seconds - clock) < 1
  }

  private func isFar(_ first: Double?, _ second: Double?) -> Bool {
    guard let first, let second else { return (first == nil) != (second == nil) }
    return abs(first - second) > 1e-5
  }
}
