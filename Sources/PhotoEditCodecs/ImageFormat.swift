// SPDX-License-Identifier: Apache-2.0
// Every format here consists of markers, boxes, directories or chunks.
@_exported public import PhotoEditContainers
import PhotoEditPlatform

/// An image file format that can be read.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
  /// JPEG (ITU-T T.81) with eight bits per sample.
  case jpeg
  /// PNG (ISO/IEC 15948).
  case png
  /// HEIF (ISO/IEC 23008-12) with HEVC, as written by phones: HEIC.
  case heif
  /// HEIF with AV1.
  case avif
  /// WebP (RFC 9649).
  case webp
  /// TIFF 6.0.
  case tiff
  /// GIF 87a and 89a; only the first image is read.
  case gif
  /// A camera raw file of any maker, which is developed.
  case raw

  /// The display name with its article.
  public var nameWithArticle: String {
    switch self {
    case .jpeg: "a JPEG image"
    case .png: "a PNG image"
    case .heif: "an HEIC image"
    case .avif: "an AVIF image"
    case .webp: "a WebP image"
    case .tiff: "a TIFF image"
    case .gif: "a GIF image"
    case .raw: "a raw camera file"
    }
  }

  /// The formats that this build reads, for messages: "jpeg, png, webp".
  package static var readable: String {
    allCases.filter(\.isReadable).map(\.rawValue).joined(separator: ", ")
  }

  /// Indicates whether this build reads the format; see the package traits.
  public var isReadable: Bool { Self.built.contains(self) }

  private static let built: Set<ImageFormat> = {
    var built: Set<ImageFormat> = [.jpeg, .png]
    #if HEIF
      built.formUnion([.heif, .avif])
    #endif
    #if WebP
      built.insert(.webp)
    #endif
    #if TIFF
      built.insert(.tiff)
    #endif
    #if GIF
      built.insert(.gif)
    #endif
    #if RAW
      built.insert(.raw)
    #endif
    return built
  }()

  /// The uniform type identifier of the format on Apple's systems.
  public var uniformTypeIdentifier: String {
    switch self {
    case .jpeg: "public.jpeg"
    case .png: "public.png"
    case .heif: "public.heif"
    case .avif: "public.avif"
    case .webp: "org.webmproject.webp"
    case .tiff: "public.tiff"
    case .gif: "com.compuserve.gif"
    case .raw: "public.camera-raw-image"
    }
  }

  /// Detects the format of a file from its first bytes; the file name is ignored.
  ///
  /// Most raw files are TIFF files, and are recognized by their directories: the beginning of one
  /// may look like a TIFF image.
  /// Other images throw `.unsupported`, everything else `.notAnImage`, both with the name of the
  /// format, and an empty file `.empty`.
  public static func detect(_ bytes: UnsafeRawBufferPointer) throws(CodecError) -> ImageFormat {
    if bytes.isEmpty { throw .empty }
    let head = FileSignature(bytes)
    if head.has([0xFF, 0xD8]) { return .jpeg }
    // The first byte is the one damaged by a transfer in text mode.
    if head.has("PNG", at: 1) { return .png }
    if let format = head.otherFormat {
      return format == .tiff && TIFFPages.isRaw(bytes) ? .raw : format
    }
    if let name = head.imageName { throw .unsupported(name) }
    let media = UnsupportedMedia(signature: head.bytes)
    if let media, media.kind == .image { throw .unsupported(media.format) }
    throw .notAnImage(found: head.otherName)
  }
}

/// The first bytes of a file, for comparison with signatures.
private struct FileSignature {
  /// The number of bytes needed by the longest check.
  let bytes: [UInt8]

  init(_ file: UnsafeRawBufferPointer) {
    bytes = Array(file.prefix(1024))
  }

  func has(_ signature: [UInt8], at offset: Int = 0) -> Bool { bytes.has(signature, at: offset) }

  func has(_ signature: StaticString, at offset: Int = 0) -> Bool {
    let count = signature.utf8CodeUnitCount
    guard count <= bytes.count - offset else { return false }
    return bytes.withUnsafeBufferPointer { bytes in
      bytes.baseAddress.map { memcmp($0 + offset, signature.utf8Start, count) == 0 } ?? false
    }
  }

  /// The name of an unsupported image format.
  var imageName: String? {
    if has([0xFF, 0x0A]) || has("JXL ", at: 4) { return "a JPEG XL image" }
    if has("jP  ", at: 4) || has([0xFF, 0x4F, 0xFF, 0x51]) { return "a JPEG 2000 image" }
    if has("P"), bytes.count > 2, (0x31...0x37).contains(bytes[1]), bytes[2] == 0x0A {
      return "a PNM image"
    }
    if has("8BPS") { return "a Photoshop document" }
    if has("BM"), bytes.count >= 14, has([0, 0, 0, 0], at: 6) { return "a BMP image" }
    if has([0, 0, 1, 0]), bytes.count > 4, bytes[4] > 0 { return "an icon (ICO)" }
    if isText, contains("<svg") { return "an SVG image" }
    return nil
  }

  private var isRaw: Bool {
    let isCanon = has("II*\0") && has("CR", at: 8)
    let isOther =
      has("FUJIFILMCCD-RAW") || has("IIRO") || has("IIRS") || has("MMOR")
      || has("IIU\0") || has("FOVb") || has("\0MRM") || has("HEAPCCDR", at: 6)
    return isCanon || isOther || has("ftypcrx ", at: 4)
  }

  /// A format other than JPEG and PNG that a build can read.
  var otherFormat: ImageFormat? {
    if has("GIF87a") || has("GIF89a") { return .gif }
    if has("RIFF"), has("WEBP", at: 8) { return .webp }
    if isRaw { return .raw }
    if has("II*\0") || has("MM\0*") || has("II+\0") || has("MM\0+") { return .tiff }
    return has("ftyp", at: 4) ? formatOfBrands : nil
  }

  private var formatOfBrands: ImageFormat? {
    let brands: [StaticString] = [
      "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1",
    ]
    for brand in brands where has(brand, at: 8) { return contains("avif") ? .avif : .heif }
    return has("avif", at: 8) || has("avis", at: 8) ? .avif : nil
  }

  /// The name of a file type other than images.
  var otherName: String {
    if has("%PDF") { return "a PDF document" }
    if has("acsp", at: 36) { return "an ICC profile" }
    if has("ftypqt  ", at: 4) || has("moov", at: 4) || has("mdat", at: 4) || has("wide", at: 4) {
      return "a QuickTime movie"
    }
    if has("ftyp", at: 4) { return "an MP4 video" }
    if let media = UnsupportedMedia(signature: bytes) { return media.format }
    if has("RIFF") { return "a RIFF file" }
    if has([0x1A, 0x45, 0xDF, 0xA3]) { return "a Matroska or WebM video" }
    if has("PK\u{3}\u{4}") { return "a ZIP archive" }
    if has([0x1F, 0x8B]) { return "a gzip archive" }
    if has("bplist") { return "a property list" }
    if has("SQLite format 3") { return "an SQLite database" }
    return isText ? "text" : "data of an unknown kind"
  }

  /// Indicates whether the bytes look like text: no control characters other than those of plain
  /// text, or a UTF-16 byte order mark.
  private var isText: Bool {
    if has([0xFF, 0xFE]) || has([0xFE, 0xFF]) { return true }
    return bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) || $0 == 0x1B }
  }

  private func contains(_ text: StaticString) -> Bool {
    bytes.indices.contains { has(text, at: $0) }
  }
}
