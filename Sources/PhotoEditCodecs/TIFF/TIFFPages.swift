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
