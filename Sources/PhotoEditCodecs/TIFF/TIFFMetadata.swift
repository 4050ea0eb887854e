// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

extension ContainerMetadata {
  /// Reads the metadata of a TIFF file.
  ///
  /// EXIF becomes a separate structure: the descriptive tags of the image in its first directory,
  /// and the directories of EXIF, GPS and interoperability, with unchanged values.
  init(tiff buffer: UnsafeRawBufferPointer, limits: ImageLimits) throws(MetadataError) {
    self.init()
    guard let file = TIFFFile(buffer), let pages = TIFFPages(file) else {
      findings.notice("The TIFF has no directory; its metadata is not read.")
      return
    }
    var reading = TIFFMetadataReading(file: file, limit: limits.maximumMetadataBytes)
    xmp = try reading.bytes(TIFFTag.xmp, of: pages.image)
    icc = try reading.bytes(TIFFTag.iccProfile, of: pages.image)
    photoshop = try reading.photoshop(of: pages.image)
    exif = try reading.exif(of: pages.image)
    findings = reading.findings
    note(pages, in: file)
  }

  private mutating func note(_ pages: TIFFPages, in file: TIFFFile) {
    if pages.count > 1 {
      let number = pages.isCountLimited ? "\(pages.count) or more" : "\(pages.count)"
      findings.reportLoss(.frames, "The TIFF has \(number) pages; only the first is kept.")
    }
    let further = file.directories(
      pointedToBy: TIFFTag.subDirectories, in: pages.image, limit: 64
    ).count { file.integer(TIFFTag.newSubfileType, in: $0) ?? 0 == 0 }
    if further > 0 {
      findings.reportLoss(.frames, "The TIFF contains \(further) images below its first page.")
    }
    let extra = pages.image.entry(TIFFTag.extraSamples).map { entry in
      (0..<min(entry.count, 32)).count { file.integer(entry, at: $0) ?? 0 == 0 }
    }
    if let extra, extra > 0 {
      findings.reportLoss(.channels, "\(extra) channels other than color and alpha are left out.")
    }
    if icc == nil, pages.image.entry(TIFFTag.primaryChromaticities) != nil,
      !hasPrimariesOfSRGB(pages.image, in: file)
    {
      findings.reportLoss(
        .colorTags, "The TIFF defines its primaries by tags instead of a profile.")
    }
    let unknown = Set(pages.image.entries.map(\.tag)).subtracting(TIFFTag.descriptive)
      .subtracting(TIFFTag.structural)
    findings.reportUnknown("TIFF tags", unknown.sorted().map { "\($0)" })
  }
}

/// Returns whether the primaries, and the white point if there is one, are those of sRGB, which is
/// what a rendering without a profile means.
private func hasPrimariesOfSRGB(_ directory: TIFFFile.Directory, in file: TIFFFile) -> Bool {
  let sRGB = [
    (TIFFTag.primaryChromaticities, [0.64, 0.33, 0.3, 0.6, 0.15, 0.06]),
    (TIFFTag.whitePoint, [0.3127, 0.329]),
  ]
  return sRGB.allSatisfy { tag, values in
    guard let entry = directory.entry(tag) else { return tag == TIFFTag.whitePoint }
    return values.indices.allSatisfy { index in
      file.fraction(entry, at: index).map { abs($0 - values[index]) < 0.001 } == true
    }
  }
}

/// Reads the metadata of one directory.
private struct TIFFMetadataReading {
  let file: TIFFFile
  let limit: Int
  var findings = MetadataDiagnostics()
  var byteCount = 0

  /// Returns the bytes of an entry's value, regardless of its type.
  mutating func bytes(
    _ tag: Int, of directory: TIFFFile.Directory
  ) throws(MetadataError) -> [UInt8]? {
    guard let entry = directory.entry(tag) else { return nil }
    guard let value = entry.value else {
      findings.reportLoss(.damagedMetadata, "The TIFF tag \(tag) is damaged: its value is missing.")
      return nil
    }
    return try bytes(value)
  }

  private mutating func bytes(_ value: Range<Int>) throws(MetadataError) -> [UInt8] {
    byteCount += value.count
    guard byteCount <= limit else { throw .tooManyBytes(limit: limit) }
    return Array(file.bytes[value])
  }

  // MARK: Photoshop and IPTC

  /// Returns Photoshop's resources, with IPTC added if it is stored separately.
  mutating func photoshop(of directory: TIFFFile.Directory) throws(MetadataError) -> [UInt8]? {
    let resources = try bytes(TIFFTag.photoshop, of: directory)
    let iptc = try bytes(TIFFTag.iptc, of: directory)
    // Resource 1028 is IPTC; programs that write both forms store the same data in both.
    if let resources, resources.firstOffset(of: Array("8BIM".utf8) + [4, 4]) != nil {
      return resources
    }
    guard let iptc, !iptc.isEmpty else { return resources }
    var resource = Array("8BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, 0]
    resource.store32(iptc.count, at: 8)
    return resource + iptc + (iptc.count % 2 == 0 ? [] : [0]) + (resources ?? [])
  }

  // MARK: EXIF

  /// Returns a separate structure; nil if it would be empty.
  mutating func exif(of directory: TIFFFile.Directory) throws(MetadataError) -> [UInt8]? {
    var builder = ExifBuilder(order: file.order)
    builder.main = try fields(of: directory) { TIFFTag.descriptive.contains($0.tag) }
    if let exif = file.directories(
      pointedToBy: ExifTag.exifDirectory, in: directory, limit: 1
    ).first {
      builder.exif = try fields(of: exif) { $0.tag != ExifTag.interoperabilityDirectory }
      noteMakerNote(builder.exif)
      if let interop = file.directories(
        pointedToBy: ExifTag.interoperabilityDirectory, in: exif, limit: 1
      ).first {
        builder.interoperability = try fields(of: interop) { _ in true }
      }
    }
    if let gps = file.directories(
      pointedToBy: ExifTag.gpsDirectory, in: directory, limit: 1
    ).first {
      builder.gps = try fields(of: gps) { _ in true }
    }
    guard !builder.isEmpty else { return nil }
    shrink(&builder)
    return builder.build()
  }

  private mutating func fields(
    of directory: TIFFFile.Directory, where isIncluded: (TIFFFile.Entry) -> Bool
  ) throws(MetadataError) -> [ExifBuilder.Field] {
    var fields: [ExifBuilder.Field] = []
    var seen: Set<Int> = []
    for entry in directory.entries where isIncluded(entry) && seen.insert(entry.tag).inserted {
      // 64-bit types exist only in BigTIFF.
      guard let value = entry.value, !(16...18).contains(entry.type) else {
        findings.reportLoss(
          .damagedMetadata, "The TIFF tag \(entry.tag) is damaged or not an EXIF tag.")
        continue
      }
      fields.append(
        ExifBuilder.Field(
          tag: entry.tag, type: entry.type, count: entry.count, bytes: try bytes(value)))
    }
    return fields
  }

  /// Leaves out the largest values until the structure fits in a segment.
  private mutating func shrink(_ builder: inout ExifBuilder) {
    let capacity = JPEGSegment.maximumPayloadCount - JPEGSegment.exifPrefixCount
    var size = builder.byteCount
    guard size > capacity else { return }
    let parts: [WritableKeyPath<ExifBuilder, [ExifBuilder.Field]>] = [
      \.main, \.exif, \.gps, \.interoperability,
    ]
    var candidates: [(part: Int, index: Int, size: Int)] = []
    for (part, path) in parts.enumerated() {
      for (index, field) in builder[keyPath: path].enumerated() {
        candidates.append((part, index, field.bytes.count))
      }
    }
    // Values of equal size are dropped from the front.
    candidates.sort { ($1.size, $0.part, $0.index) < ($0.size, $1.part, $1.index) }
    var dropped: [Set<Int>] = parts.map { _ in [] }
    for candidate in candidates where size > capacity {
      let field = builder[keyPath: parts[candidate.part]][candidate.index]
      dropped[candidate.part].insert(candidate.index)
      // An entry takes twelve bytes; the bytes saved by an empty directory are not counted.
      size -= 12 + field.outerCount
      findings.reportLoss(
        field.tag == ExifTag.makerNote ? .makerNote : .exif,
        "The EXIF tag \(field.tag) (\(field.bytes.count) bytes) does not fit in a JPEG segment.")
    }
    for (part, path) in parts.enumerated() where !dropped[part].isEmpty {
      builder[keyPath: path] = builder[keyPath: path].enumerated().compactMap { index, field in
        dropped[part].contains(index) ? nil : field
      }
    }
  }

  /// Signatures of MakerNotes whose offsets count from their own start.
  private static let selfContained = [
    "Apple iOS\0", "FUJIFILM", "Nikon\0\u{2}", "OLYMPUS\0", "OM SYSTEM\0", "PENTAX \0",
  ].map { Array($0.utf8) }

  private mutating func noteMakerNote(_ fields: [ExifBuilder.Field]) {
    guard let note = fields.first(where: { $0.tag == ExifTag.makerNote }), note.bytes.count > 4,
      !Self.selfContained.contains(where: { note.bytes.has($0, at: 0) })
    else { return }
    findings.reportLoss(
      .makerNote,
      "The MakerNote is copied unchanged, but offsets in it relative to the start of the TIFF "
        + "are no longer valid.")
  }
}
