// SPDX-License-Identifier: Apache-2.0

/// The directories of a file in memory.
typealias TIFFFile = TIFFReader<UnsafeRawBufferPointer>

/// The pages of a TIFF file, and the one that is its main image.
struct TIFFPages {
  /// The first page that is neither a thumbnail nor a mask, or else the first directory.
  let image: TIFFFile.Directory
  /// The number of pages that are separate images, including the first.
  let count: Int
  /// Indicates whether counting stopped at the limit.
  let isCountLimited: Bool
  /// The name of a camera raw format, with its article; nil if the file is not one.
  let rawName: String?

  /// The maximum number of directories, and of entries in all of them, that are read.
  private static let maximumPages = 65_536
  private static let maximumEntries = 1 << 20

  /// Follows the chain of directories; nil if there is not even one.
  init?(_ file: TIFFFile) {
    guard let first = file.directory(at: file.first) else { return nil }
    var main: TIFFFile.Directory?
    var count = 0
    var entries = 0
    var seen: Set<Int> = []
    var next: TIFFFile.Directory? = first
    var isTruncated = false
    while let directory = next, seen.insert(directory.range.lowerBound).inserted {
      entries += directory.entries.count
      let kind = file.integer(TIFFTag.newSubfileType, in: directory) ?? 0
      // Bit 0: a smaller version of another page; bit 2: a mask of another page.
      if kind & 0b101 == 0 {
        main = main ?? directory
        count += 1
      }
      isTruncated = seen.count == Self.maximumPages || entries > Self.maximumEntries
      next = isTruncated ? nil : file.directory(at: directory.next)
    }
    image = main ?? first
    self.count = max(count, 1)
    isCountLimited = isTruncated
    rawName = Self.isRaw(file, first) ? Self.rawName(file, first) : nil
  }

  /// Returns whether a file is the raw file of a camera.
  static func isRaw(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let file = TIFFFile(bytes), let first = file.directory(at: file.first) else {
      return false
    }
    return isRaw(file, first)
  }

  private static func isRaw(_ file: TIFFFile, _ first: TIFFFile.Directory) -> Bool {
    if first.entry(TIFFTag.dngVersion) != nil || first.entry(TIFFTag.leafMakerNote) != nil
      || file.bytes.has(Array("IIII".utf8), at: 8)
    {
      return true
    }
    let subDirectories = file.directories(
      pointedToBy: TIFFTag.subDirectories, in: first, limit: 16)
    // If the first directory is a smaller version, the image itself is in a subdirectory.
    if !subDirectories.isEmpty, file.integer(TIFFTag.newSubfileType, in: first) == 1 { return true }
    let second = file.directory(at: first.next).map { [$0] } ?? []
    return ([first] + second + subDirectories).contains { directory in
      let kind = file.integer(TIFFTag.photometricInterpretation, in: directory) ?? -1
      let compression = file.integer(TIFFTag.compression, in: directory) ?? -1
      return TIFFTag.rawInterpretations.contains(kind)
        || TIFFTag.rawCompressions.contains(compression)
    }
  }

  /// Prefixes of makers' names and the names of their raw formats.
  static let makers = [
    ("NIKON", "NEF"), ("SONY", "ARW"), ("PENTAX", "PEF"), ("RICOH", "PEF"), ("SAMSUNG", "SRW"),
    ("OLYMPUS", "ORF"), ("CANON", "CR2"), ("EPSON", "ERF"), ("SEIKO", "ERF"), ("KODAK", "DCR"),
    ("EASTMAN", "DCR"), ("HASSELBLAD", "3FR"), ("MAMIYA", "MEF"), ("LEAF", "MOS"),
    ("PHASE", "IIQ"), ("PANASONIC", "RW2"),
  ]

  private static func rawName(_ file: TIFFFile, _ first: TIFFFile.Directory) -> String {
    if first.entry(TIFFTag.dngVersion) != nil { return "a raw camera file (DNG)" }
    guard let maker = first.entry(ExifTag.make)?.value else { return "a raw camera file" }
    let name = MetadataText.latin1(file.bytes[maker].prefix(20)).uppercased()
    guard let match = makers.first(where: { name.hasPrefix($0.0) }) else {
      return "a raw camera file"
    }
    return "a raw camera file (\(match.1))"
  }
}

/// The TIFF tags that this module uses, apart from those of EXIF.
///
/// - Source: TIFF 6.0; Adobe PageMaker 6.0 TIFF Technical Notes; TIFF/EP (ISO 12234-2); DNG 1.7.
enum TIFFTag {
  static let newSubfileType = 254
  static let compression = 259
  static let photometricInterpretation = 262
  static let stripOffsets = 273
  static let stripByteCounts = 279
  static let whitePoint = 318
  static let primaryChromaticities = 319
  static let tileOffsets = 324
  static let tileByteCounts = 325
  static let subDirectories = 330
  static let extraSamples = 338
  static let xmp = 700
  static let iptc = 33_723
  static let photoshop = 34_377
  static let colorPattern = 33_422
  static let iccProfile = 34_675
  static let leafMakerNote = 34_310
  static let dngVersion = 50_706

  /// Descriptive tags that have the same meaning in EXIF's first directory.
  static let descriptive: Set<Int> = [
    269, 270, 271, 272, 274, 282, 283, 285, 296, 305, 306, 315, 316, 0x4746, 0x4749, 0x8298, 0x9C9B,
    0x9C9C, 0x9C9D, 0x9C9E, 0x9C9F, 0xC4A5,
    // TIFF/EP stores here what EXIF has in a separate directory.
    0x829A, 0x829D, 0x8822, 0x8827, 0x9003, 0x9201, 0x9202, 0x9203, 0x9204, 0x9205, 0x9206, 0x9207,
    0x9208, 0x9209, 0x920A,
  ]

  /// Tags that describe sample storage, which do not apply to a rendering, and tags that are
  /// handled separately.
  static let structural: Set<Int> = [
    254, 255, 256, 257, 258, 259, 262, 263, 264, 265, 266, 273, 277, 278, 279, 280, 281, 284, 286,
    287, 288, 289, 290, 291, 292, 293, 297, 301, 317, 318, 319, 320, 321, 322, 323, 324, 325, 326,
    327, 328, 330, 332, 333, 334, 336, 337, 338, 339, 340, 341, 342, 347, 512, 513, 514, 515, 517,
    518, 519, 520, 521, 529, 530, 531, 532, 700, 33_723, 34_377, 34_665, 34_675, 34_853,
  ]

  /// Compressions used only by camera raw files.
  static let rawCompressions: Set<Int> = [
    32_767, 32_769, 32_770, 32_772, 34_713, 34_892, 65_000, 65_535,
  ]

  /// Color filter array, and the linear raw samples of DNG.
  static let rawInterpretations: Set<Int> = [32_803, 34_892]
}
