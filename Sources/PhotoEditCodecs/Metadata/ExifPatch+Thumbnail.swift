// SPDX-License-Identifier: Apache-2.0

extension ExifPatch {
  /// The values of the old thumbnail directory that the new one keeps.
  struct PreviousThumbnail {
    /// Numerators and denominators of the two resolutions, as eight bytes each.
    let resolutions: [[UInt8]]
    let unit: Int
    let hasOrientation: Bool
    let hasPositioning: Bool
  }

  /// Unlinks the thumbnail and erases its bytes: it may show areas that were cropped away.
  ///
  /// Returns the values that a new one should keep; nil if there was no image.
  mutating func removeThumbnail(
    main: TIFFStructure.Directory, exif: TIFFStructure.Directory?
  ) -> PreviousThumbnail? {
    guard let link = main.linkPosition, main.next != 0 else { return nil }
    let thumbnail = tiff.directory(at: main.next)
    tiff.bytes.store32(0, at: link, tiff.order)
    guard let thumbnail else { return nil }

    var dead = imageRanges(of: thumbnail)
    var next = thumbnail.next
    for _ in 0..<Self.maximumDirectories where next != 0 {
      guard let directory = tiff.directory(at: next) else { break }
      dead += imageRanges(of: directory)
      next = directory.next
    }
    hadThumbnail = dead.contains { !$0.isEmpty }
    let old = hadThumbnail ? previousValues(of: thumbnail) : nil
    if !hadThumbnail {
      notices.append("The second EXIF directory contains no thumbnail and is left out.")
    }
    // A truncated directory is not reliable; then only data that is certainly an image is erased.
    if thumbnail.linkPosition != nil {
      dead.append(thumbnail.range)
      dead += thumbnail.entries.filter(\.isOutOfLine).compactMap(\.value)
    } else {
      dead = dead.filter { tiff.bytes.has([0xFF, 0xD8], at: $0.lowerBound) }
    }
    let erased = erase(dead)
    holes = erased.ranges
    for range in erased.ranges.reversed() where range.upperBound == tiff.bytes.count {
      tiff.bytes.removeSubrange(range)
      holes.removeLast()
    }
    return old
  }

  private func previousValues(of directory: TIFFStructure.Directory) -> PreviousThumbnail {
    let usual = tiff.long(72) + tiff.long(1)
    let resolutions = [ExifTag.xResolution, ExifTag.yResolution].map { tag in
      let entry = directory.entry(tag)
      guard let entry, entry.type == 5, entry.count == 1, let value = entry.value else {
        return usual
      }
      return Array(tiff.bytes[value])
    }
    let ordered = facts.exchangesResolutions ? resolutions.reversed() : resolutions
    let unit = directory.entry(ExifTag.resolutionUnit).flatMap { tiff.integer($0) } ?? 2
    return PreviousThumbnail(
      resolutions: ordered, unit: (2...3).contains(unit) ? unit : 2,
      hasOrientation: directory.entry(ExifTag.orientation) != nil,
      hasPositioning: directory.entry(ExifTag.chromaPositioning) != nil)
  }

  /// Adds a directory with the thumbnail of the rendering; returns whether there was space.
  mutating func addThumbnail(like old: PreviousThumbnail) -> Bool {
    guard let thumbnail = facts.thumbnail, let link = tiff.main?.linkPosition else { return false }
    var tags = [ExifTag.compression]
    if old.hasOrientation { tags.append(ExifTag.orientation) }
    tags += [ExifTag.xResolution, ExifTag.yResolution, ExifTag.resolutionUnit]
    tags += [ExifTag.thumbnailOffset, ExifTag.thumbnailByteCount]
    if old.hasPositioning && !thumbnail.isGray { tags.append(ExifTag.chromaPositioning) }
    let valueOffset = 2 + 12 * tags.count + 4
    let imageOffset = valueOffset + 16
    // One byte may be needed for an even offset.
    let atEnd = Self.limit - tiff.bytes.count - 1 - imageOffset
    let inHole = (holes.map(\.count).max() ?? 0) - 1 - imageOffset
    guard let jpeg = thumbnail.jpeg(atMost: max(atEnd, inHole)) else { return false }
    func block(at start: Int) -> [UInt8] {
      var entries = tiff.short(tags.count)
      for tag in tags {
        let (type, value): (Int, [UInt8]) =
          switch tag {
          case ExifTag.compression: (3, tiff.short(6) + [0, 0])
          case ExifTag.xResolution: (5, tiff.long(start + valueOffset))
          case ExifTag.yResolution: (5, tiff.long(start + valueOffset + 8))
          case ExifTag.resolutionUnit: (3, tiff.short(old.unit) + [0, 0])
          case ExifTag.thumbnailOffset: (4, tiff.long(start + imageOffset))
          case ExifTag.thumbnailByteCount: (4, tiff.long(jpeg.count))
          default: (3, tiff.short(1) + [0, 0])
          }
        entries += tiff.short(tag) + tiff.short(type) + tiff.long(1) + value
      }
      return entries + tiff.long(0) + old.resolutions.flatMap { $0 } + jpeg
    }
    let count = imageOffset + jpeg.count
    let directoryOffset: Int
    if let hole = holes.first(where: { count <= $0.count - 1 }) {
      directoryOffset = (hole.lowerBound + 1) & ~1
      tiff.bytes.replaceSubrange(
        directoryOffset..<(directoryOffset + count), with: block(at: directoryOffset))
    } else {
      let next = (tiff.bytes.count + 1) & ~1
      guard let end = tiff.append(block(at: next), limit: Self.limit) else { return false }
      directoryOffset = end
    }
    tiff.bytes.store32(directoryOffset, at: link, tiff.order)
    return true
  }

  /// Returns the ranges of a thumbnail's pixels, clamped to the structure.
  private func imageRanges(of directory: TIFFStructure.Directory) -> [Range<Int>] {
    let end = tiff.bytes.count
    var ranges: [Range<Int>] = []
    for (offsets, counts) in [
      (ExifTag.thumbnailOffset, ExifTag.thumbnailByteCount),
      (ExifTag.stripOffsets, ExifTag.stripByteCounts),
      (ExifTag.tileOffsets, ExifTag.tileByteCounts),
    ] {
      guard let entry = directory.entry(offsets) else { continue }
      let sizes = directory.entry(counts)
      for i in 0..<min(entry.count, end) {
        guard let start = tiff.integer(entry, at: i) else { break }
        guard start < end else { continue }
        // A JPEG of unknown size is assumed to fill the rest.
        let isJPEG = tiff.bytes.has([0xFF, 0xD8], at: start)
        let size = sizes.flatMap { tiff.integer($0, at: i) } ?? (isJPEG ? end : 0)
        ranges.append(start..<(start + min(size, end - start)))
      }
    }
    return ranges
  }

  /// Erases the images of the directories that the first one refers to.
  mutating func eraseSubdirectoryImages() {
    guard let entry = tiff.main?.entry(ExifTag.subdirectories) else { return }
    for index in 0..<min(entry.count, Self.maximumDirectories) {
      guard let directory = tiff.integer(entry, at: index).flatMap({ tiff.directory(at: $0) })
      else { continue }
      let images = imageRanges(of: directory)
      if images.contains(where: { !$0.isEmpty }) { hadThumbnail = true }
      erase(images)
    }
  }

  /// Replaces every preview by the thumbnail of the rendering or by zeros.
  ///
  /// Bytes are overwritten in place, so that offsets to them remain valid. A truncated preview is
  /// assumed to fill the rest of the value that it is in.
  ///
  /// - Returns: Whether there were previews, and whether each was replaced by a thumbnail of the
  ///   rendering.
  mutating func replacePreviews() -> (found: Bool, replaced: Bool) {
    let own = tiff.thumbnail?.entry(ExifTag.thumbnailOffset).flatMap { tiff.integer($0) }
    let complete = EmbeddedPreview.ranges(in: tiff.bytes)
    var ranges = complete.filter { $0.lowerBound != own }
    var position = complete.last?.upperBound ?? 0
    while let start = EmbeddedPreview.beginning(
      in: tiff.bytes, from: position, mayContinue: false)
    {
      let values = directories.flatMap(\.entries).compactMap(\.value)
      let end = values.first { $0.contains(start) }?.upperBound ?? tiff.bytes.count
      ranges.append(start..<end)
      position = end
    }
    var isReplaced = true
    for range in ranges {
      let jpeg = facts.thumbnail?.jpeg(atMost: range.count) ?? []
      if jpeg.isEmpty { isReplaced = false }
      let zeros = [UInt8](repeating: 0, count: range.count - jpeg.count)
      tiff.bytes.replaceSubrange(range, with: jpeg + zeros)
    }
    return (!ranges.isEmpty, isReplaced)
  }
}

extension TIFFStructure {
  /// Indicates whether the second directory contains an image.
  var hasThumbnail: Bool {
    guard let directory = thumbnail else { return false }
    return directory.entry(ExifTag.thumbnailOffset) != nil
      || directory.entry(ExifTag.stripOffsets) != nil
  }
}
