// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels
package import PhotoEditStorage

/// A camera raw file: its kind, its size and its metadata; the samples are not decoded.
package struct CameraRawFormat: Sendable {
  /// The uniform type identifier of the format, such as "com.adobe.raw-image".
  package let uniformTypeIdentifier: String
  /// The file extension: "dng".
  package let fileExtension: String
  /// The stored size of the largest image in the file; nil if it is not known.
  package let size: PixelSize?
  /// The metadata from EXIF, XMP and IPTC.
  package let metadata: ImageMetadata

  /// Reads a file; nil if it is not a camera raw file.
  ///
  /// - Throws: `CodecError` if a side of the image is larger than the limits allow.
  package init?(
    _ bytes: FileBytes, limits: ImageLimits = ImageLimits()
  ) throws(CodecError) {
    guard let kind = Self.kind(of: bytes.buffer) else { return nil }
    (uniformTypeIdentifier, fileExtension) = kind
    if let separate = Self.separateMetadata(fileExtension, bytes.buffer, limits: limits) {
      (size, metadata) = separate
      if let size { try limits.check(size) }
      return
    }
    let bytes = fileExtension == "orf" ? Self.withHeaderOfTIFF(bytes) : bytes
    let file = TIFFFile(bytes.buffer)
    size = file.flatMap { Self.size($0) }
    if let size { try limits.check(size) }
    if file == nil {
      metadata = ImageMetadata()
      return
    }
    // Damaged metadata is not a reason to reject the image.
    do {
      metadata = try ImageMetadata(
        ContainerMetadata(tiff: bytes.buffer, limits: limits), limits: limits)
    } catch {
      metadata = ImageMetadata()
    }
  }

  /// The formats of camera makers: file extension and type.
  private static let kinds: [(extension: String, type: String)] = [
    ("dng", "com.adobe.raw-image"), ("nef", "com.nikon.raw-image"),
    ("arw", "com.sony.arw-raw-image"), ("pef", "com.pentax.raw-image"),
    ("srw", "com.samsung.raw-image"), ("orf", "com.olympus.raw-image"),
    ("cr2", "com.canon.cr2-raw-image"), ("cr3", "com.canon.cr3-raw-image"),
    ("erf", "com.epson.raw-image"), ("dcr", "com.kodak.raw-image"),
    ("3fr", "com.hasselblad.3fr-raw-image"), ("mef", "com.mamiya.raw-image"),
    ("mos", "com.leafamerica.raw-image"), ("iiq", "com.phaseone.raw-image"),
    ("rw2", "com.panasonic.rw2-raw-image"), ("raf", "com.fuji.raw-image"),
    ("x3f", "com.sigma.raw-image"), ("mrw", "com.minolta.raw-image"),
    ("crw", "com.canon.crw-raw-image"),
  ]

  /// The known file extensions of camera raw files, in lower case.
  package static let fileExtensions: Set<String> = Set(kinds.map(\.extension)).union([
    "nrw", "sr2", "srf", "rwl", "kdc", "raw", "gpr",
  ])

  private static func kind(
    of buffer: UnsafeRawBufferPointer
  ) -> (type: String, fileExtension: String)? {
    guard let name = name(of: buffer) else { return nil }
    let type = kinds.first { $0.extension == name }?.type
    return (type ?? "public.camera-raw-image", name)
  }

  private static func name(of buffer: UnsafeRawBufferPointer) -> String? {
    func has(_ text: String, at offset: Int = 0) -> Bool {
      buffer.has(Array(text.utf8), at: offset)
    }
    if has("II*\0"), has("CR", at: 8) { return "cr2" }
    if has("ftypcrx ", at: 4) { return "cr3" }
    if has("FUJIFILMCCD-RAW") { return "raf" }
    if has("IIRO") || has("IIRS") || has("MMOR") { return "orf" }
    if has("IIU\0") { return "rw2" }
    if has("FOVb") { return "x3f" }
    if has("\0MRM") { return "mrw" }
    if has("HEAPCCDR", at: 6) { return "crw" }
    guard let file = TIFFFile(buffer), let raw = TIFFPages(file)?.rawName else { return nil }
    let match = kinds.first { raw.hasSuffix("(\($0.extension.uppercased()))") }
    return match?.extension ?? "raw"
  }

  /// Returns an Olympus file with the header of the TIFF file that it is otherwise.
  private static func withHeaderOfTIFF(_ bytes: FileBytes) -> FileBytes {
    var copy = bytes.array
    copy.replaceSubrange(2..<4, with: copy[0] == 0x49 ? [42, 0] : [0, 42])
    return FileBytes(copy)
  }

  /// Returns the size of the largest image among the first directories and their subdirectories.
  private static func size(_ file: TIFFFile) -> PixelSize? {
    var best: PixelSize?
    var next = file.directory(at: file.first)
    var remaining = 16
    while let directory = next, remaining > 0 {
      remaining -= 1
      let below = file.directories(
        pointedToBy: TIFFTag.subDirectories, in: directory, limit: 16)
      for candidate in [directory] + below {
        guard let width = file.integer(ExifTag.imageWidth, in: candidate),
          let height = file.integer(ExifTag.imageLength, in: candidate),
          (1...(1 << 20)).contains(width), (1...(1 << 20)).contains(height)
        else { continue }
        if width * height > best.map({ $0.width * $0.height }) ?? 0 {
          best = PixelSize(width: width, height: height)
        }
      }
      next = file.directory(at: directory.next)
    }
    return best
  }
}

/// The metadata of camera raw files that are not TIFF files.
extension CameraRawFormat {
  /// Returns the size and the metadata of such a file; nil for all other files.
  static func separateMetadata(
    _ fileExtension: String, _ file: UnsafeRawBufferPointer, limits: ImageLimits
  ) -> (size: PixelSize?, metadata: ImageMetadata)? {
    switch fileExtension {
    case "cr3":
      guard let canon = CanonRawMetadata(file) else { return nil }
      return (canon.size, metadata(exif: canon.exif, xmp: canon.packet, limits))
    case "crw": return CanonHeapMetadata(file).map { (nil, metadata(exif: $0.exif, limits)) }
    case "mrw": return minoltaExif(file).map { (nil, metadata(exif: $0, limits)) }
    case "raf":
      return metadata(ofPreview: rafPreview(file), file, limits).map { (rafSize(file), $0) }
    case "rw2":
      let preview = metadata(ofPreview: panasonicRange(file, 0x2E), file, limits)
      // Programs write XMP outside of the preview.
      guard let packet = panasonicRange(file, 0x2BC) else {
        return preview.map { (panasonicSize(file), $0) }
      }
      let rest = (preview ?? ImageMetadata()).segments.filter {
        $0.kind != .xmp && $0.kind != .extendedXMP
      }
      let segment = JPEGSegment(
        marker: 0xE1, payload: JPEGSegment.Signature.xmp + Array(file[packet]))
      var metadata = ImageMetadata()
      metadata.interpret(
        rest + [segment], trailer: UnsafeRawBufferPointer(start: nil, count: 0),
        findings: MetadataDiagnostics())
      return (panasonicSize(file), metadata)
    default: return nil
    }
  }

  private static func metadata(
    exif: [UInt8], xmp: [UInt8]? = nil, _ limits: ImageLimits
  ) -> ImageMetadata {
    let metadata = try? ImageMetadata(ContainerMetadata(exif: exif, xmp: xmp), limits: limits)
    return metadata ?? ImageMetadata()
  }

  private static func metadata(
    ofPreview range: Range<Int>?, _ file: UnsafeRawBufferPointer, _ limits: ImageLimits
  ) -> ImageMetadata? {
    guard let range, range.upperBound <= file.count else { return nil }
    return try? ImageMetadata.read(jpeg: FileBytes(Array(file[range])), limits: limits)
  }

  // MARK: Fujifilm

  /// - Source: exiftool:lib/Image/ExifTool/FujiFilm.pm, ProcessRAF.
  private static func rafPreview(_ file: UnsafeRawBufferPointer) -> Range<Int>? {
    guard let start = file.unsigned32(at: 84, .big), let count = file.unsigned32(at: 88, .big),
      count > 0
    else { return nil }
    return start..<(start + count)
  }

  private static func rafSize(_ file: UnsafeRawBufferPointer) -> PixelSize? {
    guard var position = file.unsigned32(at: 92, .big),
      let count = file.unsigned32(at: position, .big)
    else { return nil }
    position += 4
    var size: PixelSize?
    for _ in 0..<min(count, 255) {
      guard let tag = file.unsigned16(at: position, .big),
        let length = file.unsigned16(at: position + 2, .big)
      else { break }
      // The size of the whole sensor, or of the image on it.
      if tag == 0x100 || tag == 0x111, let height = file.unsigned16(at: position + 4, .big),
        let width = file.unsigned16(at: position + 6, .big), width > 0, height > 0
      {
        size = PixelSize(width: width, height: height)
      }
      position += 4 + length
    }
    return size
  }

  // MARK: Panasonic

  /// Returns the entries of the main directory: count and offset or value, by tag.
  ///
  /// - Source: exiftool:lib/Image/ExifTool/PanasonicRaw.pm.
  private static func panasonicEntries(
    _ file: UnsafeRawBufferPointer
  ) -> [Int: (count: Int, value: Int)] {
    guard let start = file.unsigned32(at: 4, .little),
      let count = file.unsigned16(at: start, .little)
    else { return [:] }
    var entries: [Int: (count: Int, value: Int)] = [:]
    for index in 0..<min(count, 1000) {
      let position = start + 2 + 12 * index
      guard let tag = file.unsigned16(at: position, .little),
        let type = file.unsigned16(at: position + 2, .little),
        let count = file.unsigned32(at: position + 4, .little),
        let value = type == 3
          ? file.unsigned16(at: position + 8, .little)
          : file.unsigned32(at: position + 8, .little)
      else { break }
      entries[tag] = (count, value)
    }
    return entries
  }

  /// Returns the range of the bytes that an entry refers to.
  private static func panasonicRange(_ file: UnsafeRawBufferPointer, _ tag: Int) -> Range<Int>? {
    let range = panasonicEntries(file)[tag].map { $0.value..<($0.value + $0.count) }
    return range.flatMap { $0.upperBound <= file.count ? $0 : nil }
  }

  private static func panasonicSize(_ file: UnsafeRawBufferPointer) -> PixelSize? {
    let entries = panasonicEntries(file)
    guard let top = entries[4]?.value, let left = entries[5]?.value,
      let bottom = entries[6]?.value, let right = entries[7]?.value, top < bottom, left < right
    else { return nil }
    return PixelSize(width: right - left, height: bottom - top)
  }

  // MARK: Minolta

  /// Returns the TIFF structure among the blocks of the header.
  ///
  /// - Source: exiftool:lib/Image/ExifTool/MinoltaRaw.pm, ProcessMRW.
  private static func minoltaExif(_ file: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let size = file.unsigned32(at: 4, .big) else { return nil }
    var position = 8
    let end = min(size + 8, file.count)
    while position < end, let count = file.unsigned32(at: position + 4, .big) {
      let block = (position + 8)..<(position + 8 + count)
      guard block.upperBound <= end else { return nil }
      if file.has(Array("\0TTW".utf8), at: position) { return Array(file[block]) }
      position = block.upperBound
    }
    return nil
  }
}
