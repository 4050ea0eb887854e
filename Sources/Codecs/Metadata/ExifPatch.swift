// SPDX-License-Identifier: Apache-2.0
import Pixels

/// Changes an EXIF structure so that it describes a rendering.
///
/// Values are overwritten where they stand: nothing moves, so that offsets inside MakerNotes, which
/// count from places nobody documents, stay true.
struct ExifPatch {
  private var tiff: TIFFStructure
  private let facts: RenderingFacts

  /// The patched payload of an EXIF segment; nil when it cannot be made to say "upright".
  ///
  /// A payload without a TIFF header says nothing to anybody and is given back as it is.
  static func apply(to payload: [UInt8], facts: RenderingFacts) -> [UInt8]? {
    let prefix = payload.prefix(JPEGSegment.exifPrefixCount)
    guard let tiff = TIFFStructure(Array(payload.dropFirst(prefix.count))) else { return payload }
    var patch = ExifPatch(tiff: tiff, facts: facts)
    patch.run()
    // Structures that lie on top of each other can undo a patch; then the segment must not be
    // written, because a wrong orientation turns a picture that is upright already.
    guard let result = TIFFStructure(patch.tiff.bytes), result.exifOrientation.isUpright else {
      return nil
    }
    return prefix + patch.tiff.bytes
  }

  private mutating func run() {
    guard let main = tiff.main else { return }
    let exif = tiff.directory(pointedToBy: ExifTag.exifDirectory, in: main)
    let directories = [main, exif].compactMap { $0 }
    removeThumbnail(main: main, exif: exif)
    for directory in directories {
      patchDates(in: directory)
      patchSizes(in: directory)
    }
    for directory in directories { patchOrientation(in: directory) }
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
      case ExifTag.imageWidth, ExifTag.pixelXDimension: rewrite(entry, as: facts.size.width)
      case ExifTag.imageLength, ExifTag.pixelYDimension: rewrite(entry, as: facts.size.height)
      default: break
      }
    }
  }

  /// Makes an entry a single whole number, inside its own twelve bytes.
  private mutating func rewrite(_ entry: TIFFStructure.Entry, as value: Int) {
    var type = entry.type
    if (type != 3 && type != 4) || entry.count != 1 { type = value <= 0xFFFF ? 3 : 4 }
    if type == 3, value > 0xFFFF { type = 4 }
    tiff.bytes.store16(type, at: entry.position + 2, tiff.order)
    tiff.bytes.store32(1, at: entry.position + 4, tiff.order)
    if type == 4 {
      tiff.bytes.store32(value, at: entry.position + 8, tiff.order)
    } else {
      // A SHORT stands in the first two bytes of the field whatever the byte order.
      tiff.bytes.store16(value, at: entry.position + 8, tiff.order)
      if type != entry.type || entry.count != 1 {
        tiff.bytes.store16(0, at: entry.position + 10, tiff.order)
      }
    }
  }

  // MARK: Dates and program

  private mutating func patchDates(in directory: TIFFStructure.Directory) {
    if let entry = directory.entry(ExifTag.software) {
      write(facts.software, into: entry, leastRoom: facts.software.utf8.count + 1)
    }
    guard let date = facts.modificationDate, let text = date.exifText else { return }
    // Without the date the offset and the fraction would speak of the old one.
    let hasDate =
      tiff.main?.entry(ExifTag.modifyDate).map { write(text, into: $0, leastRoom: 20) } ?? false
    guard hasDate else { return }
    if let entry = directory.entry(ExifTag.offsetTime) {
      write(date.offsetText, into: entry, leastRoom: 6)
    }
    if let entry = directory.entry(ExifTag.subSecTime), entry.count > 1 {
      write(String(repeating: "0", count: min(entry.count - 1, 9)), into: entry, leastRoom: 1)
    }
  }

  /// Overwrites a text and fills the rest with zeros, when there is room and nobody shares it.
  @discardableResult
  private mutating func write(
    _ text: String, into entry: TIFFStructure.Entry, leastRoom: Int
  ) -> Bool {
    guard entry.type == 2, let value = entry.value, value.count >= leastRoom,
      !entry.isOutOfLine || !isShared(entry, value)
    else { return false }
    let bytes = Array(text.utf8)
    for (i, position) in value.enumerated() {
      tiff.bytes[position] = i < bytes.count ? bytes[i] : 0
    }
    return true
  }

  // Some writers store equal texts once: DateTimeOriginal must not change with ModifyDate.
  private func isShared(_ entry: TIFFStructure.Entry, _ value: Range<Int>) -> Bool {
    let main = tiff.main
    let exif = tiff.directory(pointedToBy: ExifTag.exifDirectory, in: main)
    return live(main: main, exif: exif, except: entry.position).overlaps(value)
  }

  /// What is in use: header, directories, and their values.
  private func live(
    main: TIFFStructure.Directory?, exif: TIFFStructure.Directory?, except position: Int = -1
  ) -> ByteRanges {
    let others = [
      tiff.directory(pointedToBy: ExifTag.gpsDirectory, in: main),
      tiff.directory(pointedToBy: ExifTag.interoperabilityDirectory, in: exif),
    ]
    let directories = ([main, exif] + others).compactMap { $0 }
    let values = directories.flatMap(\.entries).filter { $0.isOutOfLine && $0.position != position }
    return ByteRanges([0..<8] + directories.map(\.range) + values.compactMap(\.value))
  }

  // MARK: Thumbnail

  /// Unlinks the thumbnail and wipes its bytes: it may show what was cropped away.
  private mutating func removeThumbnail(
    main: TIFFStructure.Directory, exif: TIFFStructure.Directory?
  ) {
    guard let link = main.linkPosition, main.next != 0 else { return }
    let thumbnail = tiff.directory(at: main.next)
    tiff.bytes.store32(0, at: link, tiff.order)
    guard let thumbnail else { return }

    var dead = pictureRanges(of: thumbnail)
    // A directory that is cut off is no directory; only what is surely a picture is wiped then.
    if thumbnail.linkPosition != nil {
      dead.append(thumbnail.range)
      dead += thumbnail.entries.filter(\.isOutOfLine).compactMap(\.value)
    } else {
      dead = dead.filter { tiff.bytes.has([0xFF, 0xD8], at: $0.lowerBound) }
    }
    let wiped = ByteRanges(dead).subtracting(live(main: main, exif: exif))
    for range in wiped.ranges {
      for position in range { tiff.bytes[position] = 0 }
    }
    for range in wiped.ranges.reversed() where range.upperBound == tiff.bytes.count {
      tiff.bytes.removeSubrange(range)
    }
  }

  /// Where the pixels of a thumbnail lie, cut to the structure.
  private func pictureRanges(of directory: TIFFStructure.Directory) -> [Range<Int>] {
    let end = tiff.bytes.count
    var ranges: [Range<Int>] = []
    for (offsets, counts) in [
      (ExifTag.thumbnailOffset, ExifTag.thumbnailByteCount),
      (ExifTag.stripOffsets, ExifTag.stripByteCounts),
    ] {
      guard let entry = directory.entry(offsets) else { continue }
      let sizes = directory.entry(counts)
      for i in 0..<min(entry.count, end) {
        guard let start = tiff.integer(entry, at: i) else { break }
        guard start < end else { continue }
        // A JPEG whose size is not told is taken to fill the rest.
        let isJPEG = tiff.bytes.has([0xFF, 0xD8], at: start)
        let size = sizes.flatMap { tiff.integer($0, at: i) } ?? (isJPEG ? end : 0)
        ranges.append(start..<(start + min(size, end - start)))
      }
    }
    return ranges
  }
}
