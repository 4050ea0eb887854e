// SPDX-License-Identifier: Apache-2.0

/// A file format that can be decoded here, told by its first bytes and never by its name.
public enum ImageFormat: String, Sendable, Hashable, CaseIterable {
  /// JPEG.
  case jpeg
  /// PNG.
  case png

  /// The name that Apple's systems use.
  public var uniformTypeIdentifier: String { "public." + rawValue }

  /// Tells the format of some bytes.
  ///
  /// - Throws: `CodecError` naming what the bytes are instead.
  public static func detect(_ bytes: UnsafeRawBufferPointer) throws(CodecError) -> ImageFormat {
    if bytes.isEmpty { throw .empty }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    throw .notAnImage(found: name(of: bytes))
  }

  private static let signatures: [(offset: Int, text: String, name: String)] = [
    (0, "GIF8", "a GIF"), (8, "WEBP", "a WebP picture"), (0, "II*\0", "a TIFF or raw file"),
    (0, "MM\0*", "a TIFF or raw file"), (0, "BM", "a BMP"), (0, "%PDF", "a PDF"),
    (0, "8BPS", "a Photoshop document"), (0, "FUJIFILM", "a Fujifilm raw file"),
    (4, "ftyphei", "a HEIC picture"), (4, "ftypmif", "a HEIF picture"),
    (4, "ftypavi", "an AVIF picture"), (4, "ftypcrx", "a Canon raw file"),
    (4, "ftypqt", "a QuickTime movie"), (4, "ftyp", "an MPEG-4 movie"),
    (4, "moov", "a QuickTime movie"), (4, "mdat", "a QuickTime movie"),
    (4, "JXL ", "a JPEG XL picture"), (4, "jP  ", "a JPEG 2000 picture"),
    (0, "\u{1A}E", "a Matroska movie"), (0, "PK", "a ZIP archive"), (0, "<svg", "an SVG drawing"),
    (0, "<?xml", "XML text"), (0, "bplist", "a property list"),
    (0, "SQLite format 3", "a database"),
  ]

  private static func name(of bytes: UnsafeRawBufferPointer) -> String {
    if bytes.starts(with: [0xFF, 0x0A]) { return "a JPEG XL picture" }
    if bytes.starts(with: [0xFF, 0x4F, 0xFF, 0x51]) { return "a JPEG 2000 picture" }
    for (offset, text, name) in signatures
    where bytes.count >= offset && bytes.dropFirst(offset).starts(with: text.utf8) { return name }
    let head = bytes.prefix(512)
    if head.allSatisfy({ $0 == 9 || $0 == 10 || $0 == 13 || $0 >= 32 }) { return "text" }
    return head.allSatisfy({ $0 == 0 }) ? "zeros" : "data of no known picture format"
  }
}
