// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// Changes an EXIF structure so that it describes a rendering.
///
/// Values are overwritten where they stand, and what needs more room is added at the end: nothing
/// moves, so that offsets inside MakerNotes, which count from places nobody documents, stay true.
struct ExifPatch {
  /// What the patched structure is like.
  struct Result {
    /// The payload of the segment.
    let payload: [UInt8]
    /// Whether there was a thumbnail before.
    let hadThumbnail: Bool
    /// Whether there is one now.
    let hasThumbnail: Bool
    /// What was stripped, in words.
    let stripped: [StrippedMetadata]
    /// What else is to be told, in sentences.
    var notices: [String] = []
  }

  /// What the colours of a rendering are, as far as EXIF can say.
  enum ColorTruth {
    /// What they were.
    case unchanged
    /// sRGB, by the profile that is kept.
    case profiledSRGB
    /// sRGB now, whatever they were.
    case convertedToSRGB
    /// Not sRGB.
    case uncalibrated
  }

  /// Most bytes of a structure that a segment can hold.
  static let limit = JPEGSegment.maximumPayloadCount - JPEGSegment.exifPrefixCount

  var tiff: TIFFStructure
  let facts: RenderingFacts
  let colors: ColorTruth
  var hadThumbnail = false
  var stripped: [StrippedMetadata] = []
  var notices: [String] = []
  /// Whether the MakerNote goes for the places in it.
  var losesMakerNote = false
  /// Whether there was more to strip than anybody would write.
  var isBeyondStripping = false
  /// Bytes in the middle that were wiped and may be used again.
  var holes: [Range<Int>] = []

  /// The patched payload of an EXIF segment; nil when it cannot be made to say "upright".
  ///
  /// A payload without a TIFF header says nothing to anybody and is given back as it is.
  static func apply(
    to payload: [UInt8], facts: RenderingFacts, colors: ColorTruth
  ) -> Result? {
    let prefix = payload.prefix(JPEGSegment.exifPrefixCount)
    guard let tiff = TIFFStructure(exif: Array(payload.dropFirst(prefix.count))) else {
      return Result(payload: payload, hadThumbnail: false, hasThumbnail: false, stripped: [])
    }
    var patch = ExifPatch(tiff: tiff, facts: facts, colors: colors)
    let hasThumbnail = patch.run()
    // Structures that lie on top of each other can undo a patch; then the segment must not be
    // written, because a wrong orientation turns a picture that is upright already.
    guard let result = TIFFStructure(exif: patch.tiff.bytes), result.exifOrientation.isUpright,
      !patch.holdsWhatWasStripped(result)
    else { return nil }
    return Result(
      payload: prefix + patch.tiff.bytes, hadThumbnail: patch.hadThumbnail,
      hasThumbnail: hasThumbnail, stripped: patch.stripped, notices: patch.notices)
  }

  /// The first directory, and the one of EXIF.
  var directories: [TIFFStructure.Directory] { [tiff.main, exif].compactMap { $0 } }

  /// The directory of EXIF.
  var exif: TIFFStructure.Directory? {
    tiff.directory(pointedToBy: ExifTag.exifDirectory, in: tiff.main)
  }

  /// Gives whether there is a thumbnail afterwards.
  private mutating func run() -> Bool {
    guard let main = tiff.main else { return false }
    let old = removeThumbnail(main: main, exif: exif)
    strip()
    patchDates()
    for directory in directories {
      patchSizes(in: directory)
      patchColors(in: directory)
      patchChroma(in: directory)
    }
    for directory in directories { patchOrientation(in: directory) }
    patchSubject()
    let hasThumbnail = old.map { addThumbnail(like: $0) } ?? false
    wipeUnused()
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
      case ExifTag.imageWidth, ExifTag.pixelXDimension: rewrite(entry, as: facts.size.width)
      case ExifTag.imageLength, ExifTag.pixelYDimension: rewrite(entry, as: facts.size.height)
      default: break
      }
    }
  }

  /// Moves the place of the main subject: its centre in stored pixels, and maybe its size.
  private mutating func patchSubject() {
    guard let entry = exif?.entry(ExifTag.subjectArea), entry.type == 3,
      (2...4).contains(entry.count), let value = entry.value, facts.geometry?.isIdentity != true,
      let x = tiff.integer(entry, at: 0), let y = tiff.integer(entry, at: 1)
    else { return }
    // Where the place cannot be told, or lies outside, the whole picture is the subject.
    var numbers = [
      facts.size.width / 2, facts.size.height / 2, facts.size.width, facts.size.height,
    ]
    if let map = facts.geometry, let stored = facts.storedSize {
      let (u, v) = (Double(x) / Double(stored.width), Double(y) / Double(stored.height))
      let (newX, newY) = (map.xx * u + map.xy * v + map.x0, map.yx * u + map.yy * v + map.y0)
      if (0...1).contains(newX), (0...1).contains(newY) {
        let (width, height) = (Double(facts.size.width), Double(facts.size.height))
        func side(_ index: Int) -> Double { Double(tiff.integer(entry, at: index) ?? 0) }
        let (w, h) = (
          side(2) / Double(stored.width), side(entry.count == 4 ? 3 : 2) / Double(stored.height)
        )
        numbers = [
          Int(newX * width), Int(newY * height),
          Int((abs(map.xx) * w + abs(map.xy) * h) * width),
          Int((abs(map.yx) * w + abs(map.yy) * h) * height),
        ]
      }
    }
    for index in 0..<entry.count {
      let number = min(max(numbers[index], 0), 0xFFFF)
      tiff.bytes.store16(number, at: value.lowerBound + 2 * index, tiff.order)
    }
  }

  /// Makes an entry a single whole number, inside its own twelve bytes.
  mutating func rewrite(_ entry: TIFFStructure.Entry, as value: Int) {
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

  // MARK: Colours

  private mutating func patchColors(in directory: TIFFStructure.Directory) {
    for entry in directory.entries where entry.tag == ExifTag.colorSpace {
      let value = tiff.integer(entry)
      switch colors {
      case .unchanged: break
      // 0xFFFF says that one has to look at the profile, which is not untrue of sRGB.
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

  private mutating func patchChroma(in directory: TIFFStructure.Directory) {
    guard let sampling = facts.sampling, !facts.isGray else { return }
    for entry in directory.entries {
      switch entry.tag {
      case ExifTag.chromaSubsampling:
        guard entry.type == 3, entry.count == 2 else { continue }
        tiff.bytes.store16(sampling.horizontal, at: entry.position + 8, tiff.order)
        tiff.bytes.store16(sampling.vertical, at: entry.position + 10, tiff.order)
      // The encoder takes the mean of the pixels that share a sample.
      case ExifTag.chromaPositioning: rewrite(entry, as: 1)
      default: break
      }
    }
  }

  // MARK: What is in use

  /// Whether something else also uses the bytes of an entry's value.
  ///
  /// Some writers store equal texts once: DateTimeOriginal must not change with ModifyDate.
  func isShared(_ entry: TIFFStructure.Entry, _ value: Range<Int>) -> Bool {
    live(except: entry.position).overlaps(value)
  }

  /// What is in use: header, directories, and their values.
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

  /// Zeros all bytes of some ranges that nothing uses; gives those that were.
  @discardableResult
  mutating func wipe(_ ranges: [Range<Int>]) -> ByteRanges {
    let wiped = ByteRanges(ranges).subtracting(live())
    for range in wiped.ranges {
      for position in range { tiff.bytes[position] = 0 }
    }
    return wiped
  }
}
