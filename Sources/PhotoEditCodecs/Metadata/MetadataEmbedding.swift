// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// Writes the properties that a library has about a photo into a JPEG.
///
/// Title, caption, keywords, rating, label, people and the names of the place are written to XMP,
/// date and location to EXIF and XMP. Nothing changes if the file has the same values. Copies in
/// other places that would contradict them (texts and stars in EXIF, fields of IPTC) are removed.
/// The image data is not touched.
package enum MetadataEmbedding {
  /// The result of an attempt.
  package enum Outcome: Hashable, Sendable {
    /// The file has the same values.
    case unchanged
    /// The file was changed.
    case changed
    /// The file cannot contain the values, and is unchanged.
    case impossible
  }

  /// Writes the properties into a JPEG.
  ///
  /// A capture date in the file stays if the library has none; a location is removed.
  ///
  /// - Parameter date: The date of the metadata, in seconds since 1970.
  package static func embed(
    _ metadata: SidecarMetadata, at date: Double, into jpeg: inout [UInt8]
  ) -> Outcome {
    guard let existing = try? ImageMetadata.read(jpeg: FileBytes(jpeg)),
      var head = JPEGHeaderSegments(jpeg)
    else { return .impossible }
    let facts = existing.captureFacts(of: .jpeg, texts: metadata.texts)
    var metadata = metadata
    let comparison = Comparison(metadata, facts, existing.summary)
    guard !comparison.differing.isEmpty else { return .unchanged }
    metadata.date = metadata.date ?? facts.date
    let written = metadata.written
    guard updateExif(&head, metadata, comparison), removeIPTC(&head, comparison),
      head.describe(
        .init(
          namespace: .xmp, values: [("MetadataDate", CaptureDate(seconds: date).iso)]),
        elements: metadata.elements, without: { $0.isNamed(in: written) }),
      let result = try? ImageMetadata.read(jpeg: FileBytes(head.file)),
      Comparison(
        metadata, result.captureFacts(of: .jpeg, texts: metadata.texts), result.summary
      ).isConsistent(withAll: result.segments.contains { $0.kind == .extendedXMP })
    else { return .impossible }
    jpeg = head.file
    return .changed
  }

  /// The properties in which a file differs from a library.
  private struct Comparison {
    let differing: Set<MetadataName>

    init(_ metadata: SidecarMetadata, _ facts: CaptureMetadata, _ summary: MetadataSummary) {
      var differing = Set(
        metadata.texts.filter { metadata[$0].flatMap($0.clean) != facts.tags[$0] })
      if metadata.tags.keywords != facts.tags.keywords || metadata.tags.rating != facts.tags.rating
        || metadata.tags.label != facts.tags.label || metadata.tags.people != facts.tags.people
      {
        differing.formUnion([.keywords, .rating, .label, .people])
      }
      if let new = metadata.date,
        facts.date.map({ abs($0.seconds - new.seconds) > 1e-4 || $0.offset != new.offset }) ?? true
      {
        differing.insert(.date)
      }
      if metadata.place != nil, metadata.place != PlaceNames(summary) {
        differing.formUnion(PlaceNames.names)
      }
      func differ(_ first: Double?, _ second: Double?, _ tolerance: Double) -> Bool {
        guard let first, let second else { return (first == nil) != (second == nil) }
        return abs(first - second) > tolerance
      }
      if differ(metadata.latitude, facts.latitude, 1e-6)
        || differ(metadata.longitude, facts.longitude, 1e-6)
        || (metadata.latitude != nil && differ(metadata.altitude, facts.altitude, 0.01))
      {
        differing.insert(.location)
      }
      self.differing = differing
    }

    /// Returns whether date and location are equal, of which a file may have several.
    ///
    /// - Parameter withAll: Whether everything else must be, too: extended XMP is not changed.
    func isConsistent(withAll: Bool) -> Bool {
      withAll ? differing.isEmpty : differing.isDisjoint(with: [.date, .location])
    }
  }

  // MARK: EXIF

  private static func updateExif(
    _ head: inout JPEGHeaderSegments, _ metadata: SidecarMetadata, _ comparison: Comparison
  ) -> Bool {
    let range = head.payload(.exif)
    let (date, location) = (
      comparison.differing.contains(.date), comparison.differing.contains(.location)
    )
    // A file without EXIF gets one only for a date or a location.
    guard range != nil || date || (location && metadata.latitude != nil) else { return true }
    let prefix = Array("Exif\0\0".utf8)
    let bytes = range.map { Array(head.file[$0].dropFirst(prefix.count)) }
    // Without EXIF: an empty directory.
    guard
      var tiff = TIFFStructure(
        exif: bytes ?? Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 0, 0, 0, 0, 0]),
      let main = tiff.main
    else { return false }
    let contradicted = Set(comparison.differing.flatMap(\.exif))
    let exif = tiff.directory(pointedToBy: ExifTag.exifDirectory, in: main)
    for directory in [exif, main].compactMap(\.self) {
      for entry in tiff.remove(contradicted, from: directory) where entry.isOutOfLine {
        for position in entry.value ?? 0..<0 { tiff.bytes[position] = 0 }
      }
    }
    if date, let date = metadata.date {
      guard tiff.write(date) else { return false }
    }
    if location {
      guard tiff.write(metadata.latitude, metadata.longitude, metadata.altitude) else {
        return false
      }
    }
    guard tiff.bytes != bytes else { return true }
    return range.map { head.replace($0, with: prefix + tiff.bytes) }
      ?? head.insert(prefix + tiff.bytes)
  }

  // MARK: IPTC

  /// Removes the fields of IPTC that would contradict the new values.
  private static func removeIPTC(
    _ head: inout JPEGHeaderSegments, _ comparison: Comparison
  ) -> Bool {
    guard let range = head.payload(.photoshop) else { return true }
    let numbers = Set(comparison.differing.flatMap(\.iptc).map(\.fullNumber))
    let payload = Array(head.file[range])
    var resources = PhotoshopResources(payloads: [payload], removing: numbers)
    guard let patched = resources.patched().first, patched != payload else { return true }
    return head.replace(range, with: patched ?? JPEGSegment.Signature.photoshop)
  }
}

extension TIFFStructure {
  private static let limit = JPEGSegment.maximumPayloadCount - JPEGSegment.exifPrefixCount

  /// Writes the capture date, its fraction and its offset.
  fileprivate mutating func write(_ date: CaptureDate) -> Bool {
    let text = Array(date.localISO)
    let clock = text[..<19].map { $0 == "-" ? ":" : $0 == "T" ? " " : $0 }
    let rest = String(text[19...])
    let fraction = rest.hasPrefix(".") ? String(rest.dropFirst().prefix { $0.isNumber }) : ""
    var offset = String(rest.drop { $0 == "." || $0.isNumber })
    if offset == "Z" { offset = "+00:00" }
    guard
      let entries = entries([
        (ExifTag.dateTimeOriginal, String(clock)), (ExifTag.offsetTimeOriginal, offset),
        (ExifTag.subSecTimeOriginal, fraction),
      ])
    else { return false }
    // Offsets from UTC exist since version 2.31.
    let version = NewEntry(
      tag: ExifTag.exifVersion, type: 7, count: 4, field: Array("0231".utf8))
    return put(
      entries, version,
      removing: [
        ExifTag.dateTimeOriginal, ExifTag.offsetTimeOriginal, ExifTag.subSecTimeOriginal,
        ExifTag.offsetTime,
      ], in: ExifTag.exifDirectory)
  }

  /// Writes the location, or removes it.
  fileprivate mutating func write(
    _ latitude: Double?, _ longitude: Double?, _ altitude: Double?
  ) -> Bool {
    guard let latitude, let longitude else { return removeLocation() }
    guard
      let references = entries([
        (ExifTag.gpsLatitudeReference, latitude < 0 ? "S" : "N"),
        (ExifTag.gpsLongitudeReference, longitude < 0 ? "W" : "E"),
      ]), let north = append(degrees(latitude), limit: Self.limit),
      let east = append(degrees(longitude), limit: Self.limit)
    else { return false }
    var entries = references
    entries.append(NewEntry(tag: ExifTag.gpsLatitude, type: 5, count: 3, field: long(north)))
    entries.append(NewEntry(tag: ExifTag.gpsLongitude, type: 5, count: 3, field: long(east)))
    if let altitude, abs(altitude) < 1e6 {
      let millimeters = Int((abs(altitude) * 1000).rounded())
      guard let offset = append(long(millimeters) + long(1000), limit: Self.limit) else {
        return false
      }
      entries.append(
        NewEntry(
          tag: ExifTag.gpsAltitudeReference, type: 1, count: 1,
          field: [altitude < 0 ? 1 : 0, 0, 0, 0]))
      entries.append(NewEntry(tag: ExifTag.gpsAltitude, type: 5, count: 1, field: long(offset)))
    }
    let version = NewEntry(tag: ExifTag.gpsVersion, type: 1, count: 4, field: [2, 3, 0, 0])
    return put(
      entries, version,
      removing: Set(ExifTag.gpsLatitudeReference...ExifTag.gpsAltitude), in: ExifTag.gpsDirectory)
  }

  /// Removes the directory of the location, and overwrites its values with zeros.
  private mutating func removeLocation() -> Bool {
    guard let main, main.entry(ExifTag.gpsDirectory) != nil else { return true }
    if let gps = directory(pointedToBy: ExifTag.gpsDirectory, in: main) {
      for value in gps.entries.compactMap(\.value) + [gps.range] {
        for position in value { bytes[position] = 0 }
      }
    }
    return !remove([ExifTag.gpsDirectory], from: main).isEmpty
  }

  /// Returns degrees, minutes and seconds as fractions.
  private func degrees(_ value: Double) -> [UInt8] {
    // The unit is 1/10,000 of a second: 3 mm.
    let units = Int((abs(value) * 36_000_000).rounded())
    let parts = [(units / 36_000_000, 1), (units / 600_000 % 60, 1), (units % 600_000, 10_000)]
    return parts.flatMap { long($0.0) + long($0.1) }
  }

  /// Returns entries with texts; empty texts are omitted.
  private mutating func entries(_ texts: [(tag: Int, text: String)]) -> [NewEntry]? {
    var entries: [NewEntry] = []
    for (tag, text) in texts where !text.isEmpty {
      let value = Array(text.utf8) + [0]
      var field = value + [UInt8](repeating: 0, count: max(0, 4 - value.count))
      if value.count > 4 {
        guard let offset = append(value, limit: Self.limit) else { return nil }
        field = long(offset)
      }
      entries.append(NewEntry(tag: tag, type: 2, count: value.count, field: field))
    }
    return entries
  }

  /// Replaces entries of a directory; creates the directory if necessary.
  ///
  /// - Parameter version: The lowest version that the directory may state, if any.
  mutating func put(
    _ entries: [NewEntry], _ version: NewEntry? = nil, removing tags: Set<Int>, in pointer: Int
  ) -> Bool {
    guard let main else { return false }
    var (entries, tags) = (entries, tags)
    if let version {
      let stated = directory(pointedToBy: pointer, in: main)?.entry(version.tag)?.value
      if stated.map({ bytes[$0].lexicographicallyPrecedes(version.field) }) ?? true {
        entries.append(version)
        tags.insert(version.tag)
      }
    }
    if let link = main.entry(pointer) {
      guard link.type == 4 || link.type == 13,
        let old = directory(pointedToBy: pointer, in: main)
      else { return false }
      _ = remove(tags, from: old)
      guard let directory = directory(pointedToBy: pointer, in: main),
        let grown = grow(directory, by: entries, limit: Self.limit)
      else { return false }
      bytes.store32(grown, at: link.position + 8, order)
      return true
    }
    let sorted = entries.sorted { $0.tag < $1.tag }
    let rows = sorted.flatMap { short($0.tag) + short($0.type) + long($0.count) + $0.field }
    guard let start = append(short(sorted.count) + rows + long(0), limit: Self.limit),
      let grown = grow(
        main, by: [NewEntry(tag: pointer, type: 4, count: 1, field: long(start))],
        limit: Self.limit)
    else { return false }
    bytes.store32(grown, at: 4, order)
    return true
  }
}
