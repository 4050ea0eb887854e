// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// Changes an EXIF structure so that it describes a rendering.
///
/// Values are overwritten in place, and larger values are appended: nothing is moved, so that
/// offsets inside MakerNotes, which count from undocumented origins, remain valid.
struct ExifPatch {
  /// The patched structure and what was changed.
  struct Result {
    /// The payload of the segment.
    let payload: [UInt8]
    /// Indicates whether there was a thumbnail before.
    let hadThumbnail: Bool
    /// Indicates whether there is a thumbnail now.
    let hasThumbnail: Bool
    /// Descriptions of what was stripped.
    let stripped: [StrippedMetadata]
    /// Other messages for the user, one sentence each.
    var notices: [String] = []
    /// Indicates whether the position of a map in the image was removed.
    var isMapPositionRemoved = false
    /// Indicates whether XMP, IPTC or Photoshop resources were removed because of the edit.
    var hasLostCopies = false
    /// Indicates whether a subject was removed that is outside of the rendering.
    var isSubjectRemoved = false
  }

  /// The color space of a rendering, as far as EXIF can express it.
  enum RenderedColorSpace {
    /// The same as before.
    case unchanged
    /// sRGB, according to the profile that is kept.
    case profiledSRGB
    /// sRGB now, regardless of the previous value.
    case convertedToSRGB
    /// Not sRGB.
    case uncalibrated
  }

  /// The maximum size in bytes of a structure that fits in a segment.
  static let limit = JPEGSegment.maximumPayloadCount - JPEGSegment.exifPrefixCount

  var tiff: TIFFStructure
  let facts: RenderedImageProperties
  let colors: RenderedColorSpace
  /// The people and places whose names are to be stripped from keywords.
  let people: PersonNames
  var hadThumbnail = false
  var stripped: [StrippedMetadata] = []
  var notices: [String] = []
  /// Indicates whether the MakerNote is removed because of the locations in it.
  var removesMakerNote = false
  /// Indicates whether there was more to strip than the limit allows.
  var exceedsStripLimit = false
  /// Indicates whether the position of a map in the image was removed.
  var isMapPositionRemoved = false
  /// Indicates whether XMP, IPTC or Photoshop resources were removed because of the edit.
  var hasLostCopies = false
  /// Indicates whether a subject was removed that is outside of the rendering.
  var isSubjectRemoved = false
  /// Erased bytes in the middle that may be reused.
  var holes: [Range<Int>] = []

  /// Returns the patched payload of an EXIF segment; nil if its orientation cannot be set to `up`.
  ///
  /// A payload without a TIFF header cannot be read by any program and is returned unchanged.
  static func apply(
    to payload: [UInt8], facts: RenderedImageProperties, colors: RenderedColorSpace,
    people: PersonNames = PersonNames()
  ) -> Result? {
    let prefix = payload.prefix(JPEGSegment.exifPrefixCount)
    guard let tiff = TIFFStructure(exif: Array(payload.dropFirst(prefix.count))) else {
      return Result(payload: payload, hadThumbnail: false, hasThumbnail: false, stripped: [])
    }
    var patch = ExifPatch(tiff: tiff, facts: facts, colors: colors, people: people)
    let hasThumbnail = patch.run()
    // Overlapping structures can undo a patch. Then the segment must not be written, because a
    // wrong orientation would rotate an image whose orientation has already been applied.
    guard let result = TIFFStructure(exif: patch.tiff.bytes), result.exifOrientation.isUp,
      !patch.containsStrippedData(result)
    else { return nil }
    return Result(
      payload: prefix + patch.tiff.bytes, hadThumbnail: patch.hadThumbnail,
      hasThumbnail: hasThumbnail, stripped: patch.stripped, notices: patch.notices,
      isMapPositionRemoved: patch.isMapPositionRemoved, hasLostCopies: patch.hasLostCopies,
      isSubjectRemoved: patch.isSubjectRemoved)
  }

  /// The first directory and the EXIF directory.
  var directories: [TIFFStructure.Directory] { [tiff.main, exif].compactMap { $0 } }

  /// The EXIF directory.
  var exif: TIFFStructure.Directory? {
    tiff.directory(pointedToBy: ExifTag.exifDirectory, in: tiff.main)
  }

  /// Applies all patches; returns whether there is a thumbnail afterwards.
  private mutating func run() -> Bool {
    guard let main = tiff.main else {
      hadThumbnail = replacePreviews().found
      return false
    }
    eraseSubdirectoryImages()
    let old = removeThumbnail(main: main, exif: exif)
    strip()
    removeCopies()
    removeMapPosition()
    removeSubject()
    patchDates()
    for directory in directories {
      patchSizes(in: directory)
      patchColors(in: directory)
      patchChroma(in: directory)
      patchSubject(in: directory)
      patchResolutions(in: directory)
    }
    for directory in directories {
      patchFocalPlane(in: directory)
      patchOrientation(in: directory)
    }
    if let main = tiff.main { patchCoding(in: main) }
    for directory in directories { patchComponents(in: directory) }
    removeCompression()
    patchRelatedSize()
    let hasThumbnail = old.map { addThumbnail(like: $0) } ?? false
    eraseUnused()
    let previews = replacePreviews()
    if previews.found { hadThumbnail = true }
    return previews.found ? previews.replaced && (old == nil || hasThumbnail) : hasThumbnail
  }

  // MARK: Orientation and size

  private mutating func patchOrientation(in directory: TIFFStructure.Directory) {
    for entry in directory.entries where entry.tag == ExifTag.orientation {
      rewrite(entry, as: 1)
    }
  }

  private mutating func patchSizes(in directory: TIFFStructure.Directory) {
    for entry in directory.entries {
      switch entry.tag {
      case ExifTag.imageWidth, ExifTag.pixelXDimension, ExifTag.relatedImageWidth:
        rewrite(entry, as: facts.size.width)
      case ExifTag.imageLength, ExifTag.pixelYDimension, ExifTag.relatedImageLength:
        rewrite(entry, as: facts.size.height)
      default: break
      }
    }
  }

  /// Writes the size that the interoperability directory repeats.
  private mutating func patchRelatedSize() {
    for owner in directories {
      let directory = tiff.directory(
        pointedToBy: ExifTag.interoperabilityDirectory, in: owner)
      for entry in directory?.entries ?? [] {
        if entry.tag == ExifTag.relatedImageWidth { rewrite(entry, as: facts.size.width) }
        if entry.tag == ExifTag.relatedImageLength { rewrite(entry, as: facts.size.height) }
      }
    }
  }

  /// Moves the subject: its center in stored pixels and, if present, its size.
  private mutating func patchSubject(in directory: TIFFStructure.Directory) {
    guard facts.geometry?.isIdentity != true else { return }
    for entry in directory.entries where ExifTag.ofSubject.contains(entry.tag) {
      guard entry.type == 3, (2...4).contains(entry.count), let value = entry.value,
        let numbers = facts.subject((0..<entry.count).map { tiff.integer(entry, at: $0) ?? 0 })
      else { continue }
      for (index, number) in numbers.enumerated() {
        tiff.bytes.store16(number, at: value.lowerBound + 2 * index, tiff.order)
      }
    }
  }

  /// Removes a subject that is outside of the rendering.
  private mutating func removeSubject() {
    guard facts.geometry?.isIdentity != true else { return }
    for index in directories.indices where index < directories.count {
      let directory = directories[index]
      let outside = directory.entries.filter { entry in
        ExifTag.ofSubject.contains(entry.tag) && entry.type == 3 && (2...4).contains(entry.count)
          && facts.subject((0..<entry.count).map { tiff.integer(entry, at: $0) ?? 0 }) == nil
      }
      guard !outside.isEmpty else { continue }
      let removed = tiff.remove(Set(outside.map(\.tag)), from: directory)
      erase(removed.filter(\.isOutOfLine).compactMap(\.value))
      isSubjectRemoved = true
    }
  }

  /// Adapts the resolution of the focal plane to the size of the pixels.
  private mutating func patchFocalPlane(in directory: TIFFStructure.Directory) {
    guard let scale = facts.pixelScale else { return }
    for (tag, scale) in [
      (ExifTag.focalPlaneXResolution, scale.x), (ExifTag.focalPlaneYResolution, scale.y),
    ] {
      guard let entry = directory.entry(tag), entry.type == 5, entry.count == 1,
        let start = entry.value?.lowerBound, !isShared(entry, start..<(start + 8)),
        let top = tiff.bytes.unsigned32(at: start, tiff.order),
        let bottom = tiff.bytes.unsigned32(at: start + 4, tiff.order),
        let scaled = RenderedImageProperties.scaled(top, bottom, by: scale)
      else { continue }
      tiff.bytes.store32(scaled.top, at: start, tiff.order)
      tiff.bytes.store32(scaled.bottom, at: start + 4, tiff.order)
    }
  }

  /// Exchanges horizontal and vertical resolution after a 90° rotation.
  private mutating func patchResolutions(in directory: TIFFStructure.Directory) {
    guard facts.exchangesResolutions else { return }
    for (first, second) in [
      (ExifTag.xResolution, ExifTag.yResolution),
      (ExifTag.focalPlaneXResolution, ExifTag.focalPlaneYResolution),
    ] {
      guard let x = directory.entry(first), let y = directory.entry(second) else { continue }
      // Everything but the tag: the type, the count, and the value or its offset.
      let (xRange, yRange) = (
        (x.position + 2)..<(x.position + 12), (y.position + 2)..<(y.position + 12)
      )
      let (xBytes, yBytes) = (tiff.bytes[xRange], tiff.bytes[yRange])
      tiff.bytes.replaceSubrange(xRange, with: yBytes)
      tiff.bytes.replaceSubrange(yRange, with: xBytes)
    }
  }

  /// Removes the position of a map in the image, which GeoTIFF states in pixels.
  private mutating func removeMapPosition() {
    guard facts.geometry?.isIdentity != true, !facts.strip.contains(.location) else { return }
    for index in directories.indices where index < directories.count {
      let removed = tiff.remove(ExifTag.ofMapPosition, from: directories[index])
      erase(removed.filter(\.isOutOfLine).compactMap(\.value))
      if !removed.isEmpty { isMapPositionRemoved = true }
    }
  }

  /// Sets an entry to a single integer within its own twelve bytes.
  mutating func rewrite(_ entry: TIFFStructure.Entry, as value: Int) {
    var type = entry.type
    if (type != 3 && type != 4) || entry.count != 1 { type = value <= 0xFFFF ? 3 : 4 }
    if type == 3, value > 0xFFFF { type = 4 }
    tiff.bytes.store16(type, at: entry.position + 2, tiff.order)
    tiff.bytes.store32(1, at: entry.position + 4, tiff.order)
    if type == 4 {
      tiff.bytes.store32(value, at: entry.position + 8, tiff.order)
    } else {
      // A SHORT occupies the first two bytes of the field in either byte order.
      tiff.bytes.store16(value, at: entry.position + 8, tiff.order)
      if type != entry.type || entry.count != 1 {
        tiff.bytes.store16(0, at: entry.position + 10, tiff.order)
      }
    }
  }

  // MARK: Color

  private mutating func patchColors(in directory: TIFFStructure.Directory) {
    for entry in directory.entries where entry.tag == ExifTag.colorSpace {
      let value = tiff.integer(entry)
      switch colors {
      case .unchanged: break
      // 0xFFFF refers readers to the profile, which is not wrong for sRGB.
      case .profiledSRGB: if value == 2 { rewrite(entry, as: 1) }
      case .convertedToSRGB: if value != 1 { rewrite(entry, as: 1) }
      case .uncalibrated: if value == 1 { rewrite(entry, as: 0xFFFF) }
      }
    }
    guard colors == .convertedToSRGB else { return }
    if let gamma = directory.entry(ExifTag.gamma), gamma.type == 5, let value = gamma.value,
      !isShared(gamma, value)
    {
      tiff.bytes.store32(22, at: value.lowerBound, tiff.order)
      tiff.bytes.store32(10, at: value.lowerBound + 4, tiff.order)
    }
    let index = tiff.directory(
      pointedToBy: ExifTag.interoperabilityDirectory, in: directory)?.entry(
        ExifTag.interoperabilityIndex)
    if let index, index.type == 2, !index.isOutOfLine, let value = index.value,
      tiff.bytes.has(Array("R03".utf8), at: value.lowerBound)
    {
      tiff.bytes.replaceSubrange(value.lowerBound..<(value.lowerBound + 3), with: "R98".utf8)
    }
  }

  /// Describes the samples in the tags that a TIFF has, which some cameras write to EXIF.
  private mutating func patchCoding(in directory: TIFFStructure.Directory) {
    for entry in directory.entries {
      let value = tiff.integer(entry)
      switch entry.tag {
      case ExifTag.compression where value != 7: rewrite(entry, as: 6)
      case ExifTag.samplesPerPixel: rewrite(entry, as: facts.componentCount)
      case ExifTag.photometricInterpretation where facts.isGray: rewrite(entry, as: 1)
      case ExifTag.photometricInterpretation where value != 2: rewrite(entry, as: 6)
      case ExifTag.planarConfiguration: rewrite(entry, as: 1)
      case ExifTag.bitsPerSample where facts.isGray: rewrite(entry, as: 8)
      case ExifTag.bitsPerSample where entry.type == 3 && entry.count == 3:
        guard let bits = entry.value, !isShared(entry, bits) else { continue }
        for index in 0..<3 { tiff.bytes.store16(8, at: bits.lowerBound + 2 * index, tiff.order) }
      default: break
      }
    }
    let bits = directory.entry(ExifTag.bitsPerSample)
    if let bits, !facts.isGray, bits.type != 3 || bits.count != 3 {
      let removed = tiff.remove([ExifTag.bitsPerSample], from: directory)
      erase(removed.filter(\.isOutOfLine).compactMap(\.value))
    }
  }

  /// Describes the components and their order: Y, Cb, Cr.
  private mutating func patchComponents(in directory: TIFFStructure.Directory) {
    guard let entry = directory.entry(ExifTag.componentsConfiguration), entry.count == 4,
      !entry.isOutOfLine
    else { return }
    let components: [UInt8] = facts.isGray ? [1, 0, 0, 0] : [1, 2, 3, 0]
    let start = entry.position + 8
    tiff.bytes.replaceSubrange(start..<(start + 4), with: components)
  }

  /// Removes the compression of the source; that of the rendering follows from its size.
  private mutating func removeCompression() {
    for index in directories.indices where index < directories.count {
      let removed = tiff.remove([ExifTag.compressedBitsPerPixel], from: directories[index])
      erase(removed.filter(\.isOutOfLine).compactMap(\.value))
    }
  }

  private mutating func patchChroma(in directory: TIFFStructure.Directory) {
    guard let sampling = facts.sampling, !facts.isGray else { return }
    for entry in directory.entries {
      switch entry.tag {
      case ExifTag.chromaSubsampling:
        guard entry.type == 3, entry.count == 2 else { continue }
        tiff.bytes.store16(sampling.horizontal, at: entry.position + 8, tiff.order)
        tiff.bytes.store16(sampling.vertical, at: entry.position + 10, tiff.order)
      // The encoder averages the pixels that share a sample.
      case ExifTag.chromaPositioning: rewrite(entry, as: 1)
      default: break
      }
    }
  }

  // MARK: Ranges in use

  /// Returns whether another entry also uses the bytes of an entry's value.
  ///
  /// Some writers store equal texts only once: DateTimeOriginal must not change with ModifyDate.
  func isShared(_ entry: TIFFStructure.Entry, _ value: Range<Int>) -> Bool {
    live(except: entry.position).overlaps(value)
  }

  /// Returns the ranges in use: header, directories, and their values.
  func live(except position: Int = -1) -> ByteRanges {
    let (main, exif) = (tiff.main, exif)
    let others = [
      tiff.directory(pointedToBy: ExifTag.gpsDirectory, in: main),
      tiff.directory(pointedToBy: ExifTag.interoperabilityDirectory, in: exif),
    ]
    let directories = ([main, exif] + others).compactMap { $0 }
    let values = directories.flatMap(\.entries).filter { $0.isOutOfLine && $0.position != position }
    return ByteRanges([0..<8] + directories.map(\.range) + values.compactMap(\.value))
  }

  /// Zeros all bytes of the ranges that are not in use; returns the zeroed ranges.
  @discardableResult
  mutating func erase(_ ranges: [Range<Int>]) -> ByteRanges {
    let erased = ByteRanges(ranges).subtracting(live())
    for range in erased.ranges {
      for position in range { tiff.bytes[position] = 0 }
    }
    return erased
  }
}
