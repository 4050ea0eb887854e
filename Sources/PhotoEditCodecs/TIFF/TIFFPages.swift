// SPDX-License-Identifier: Apache-2.0

/// The directories of a file in memory.
typealias TIFFFile = TIFFReader<UnsafeRawBufferPointer>

/// The pages of a TIFF file, and which of them is its picture.
struct TIFFPages {
  /// The first page that is neither a thumbnail nor a mask, or else the first directory.
  let picture: TIFFFile.Directory
  /// Pages that are pictures of their own, the first one among them.
  let count: Int
  /// Whether the count stopped at its limit.
  let isCountCutOff: Bool
  /// What a raw file of a camera is called, with its article; nil when the file is none.
  let rawName: String?

  /// Most directories, and most of their entries, that are looked at.
  private static let maximumPages = 65_536
  private static let maximumEntries = 1 << 20

  /// Walks the chain of directories; nil when there is not even one.
  init?(_ file: TIFFFile) {
    guard let first = file.directory(at: file.first) else { return nil }
    var main: TIFFFile.Directory?
    var count = 0
    var entries = 0
    var seen: Set<Int> = []
    var next: TIFFFile.Directory? = first
    var isCutOff = false
    while let directory = next, seen.insert(directory.range.lowerBound).inserted {
      entries += directory.entries.count
      let kind = file.integer(TIFFTag.newSubfileType, in: directory) ?? 0
      // Bit 0: a smaller version of another page; bit 2: a mask of another page.
      if kind & 0b101 == 0 {
        main = main ?? directory
        count += 1
      }
      isCutOff = seen.count == Self.maximumPages || entries > Self.maximumEntries
      next = isCutOff ? nil : file.directory(at: directory.next)
    }
    picture = main ?? first
    self.count = max(count, 1)
    isCountCutOff = isCutOff
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
    // Where the first directory is a smaller version, the picture itself lies below it.
    if !subDirectories.isEmpty, file.integer(TIFFTag.newSubfileType, in: first) == 1 { return true }
    let second = file.directory(at: first.next).map { [$0] } ?? []
    return ([first] + second + subDirectories).contains { directory in
      let kind = file.integer(TIFFTag.photometricInterpretation, in: directory) ?? -1
      let compression = file.integer(TIFFTag.compression, in: directory) ?? -1
      return TIFFTag.rawInterpretations.contains(kind)
        || TIFFTag.rawCompressions.contains(compression)
    }
  }

  /// The beginnings of makers' names and what their raw files are called.
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
    guard let known = makers.first(where: { name.hasPrefix($0.0) }) else {
      return "a raw camera file"
    }
    return "a raw camera file (\(known.1))"
  }
}
