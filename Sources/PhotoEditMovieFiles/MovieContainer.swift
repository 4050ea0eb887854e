// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The container of a video file, detected from its first bytes and never from its name.
public enum MovieContainer: String, Sendable, Hashable {
  /// Apple QuickTime: brand "qt  ", or the older files without a brand.
  case quickTime
  /// ISO 14496-12 and its relatives: MP4, M4V, M4A, 3GP.
  case mpeg4
  /// Matroska and WebM.
  case matroska
  /// RIFF AVI.
  case avi

  /// The uniform type identifier.
  public var typeIdentifier: String {
    switch self {
    case .quickTime: "com.apple.quicktime-movie"
    case .mpeg4: "public.mpeg-4"
    case .matroska: "org.matroska.mkv"
    case .avi: "public.avi"
    }
  }

  /// The number of bytes that `detect` examines.
  public static let detectionLength = 64

  /// Detects the container from the first bytes of a file; nil if it is not a supported one.
  public static func detect(_ bytes: [UInt8]) -> MovieContainer? {
    guard bytes.count >= 12 else { return nil }
    if bytes.starts(with: [0x1a, 0x45, 0xdf, 0xa3]) { return .matroska }
    let type = FourCC(bytes[4..<8])
    if FourCC(bytes[0..<4]) == "RIFF" && FourCC(bytes[8..<12]) == "AVI " { return .avi }
    if type == "ftyp" { return container(ofBrand: FourCC(bytes[8..<12])) }
    return oldQuickTimeBoxes.contains(type) ? .quickTime : nil
  }

  /// Reads the first bytes of a file and detects its container; nil if it is not a supported one.
  public static func detect(path: String) throws(MovieError) -> MovieContainer? {
    let file = try openMovie(path)
    return detect(try file.bytes(at: 0, atMost: detectionLength))
  }

  /// Files from before 2005 begin with one of these and have no brand.
  private static let oldQuickTimeBoxes: Set<FourCC> = [
    "moov", "mdat", "wide", "free", "skip", "pnot",
  ]

  static func container(ofBrand brand: FourCC) -> MovieContainer? {
    if brand == "qt  " { return .quickTime }
    return imageBrands[brand] == nil ? .mpeg4 : nil
  }

  /// Still images share the box format.
  private static let imageBrands: [FourCC: String] = [
    "heic": "public.heic", "heix": "public.heic", "heim": "public.heic", "heis": "public.heic",
    "mif1": "public.heif", "mif2": "public.heif", "msf1": "public.heif", "hevc": "public.heics",
    "avif": "public.avif", "avis": "public.avis", "crx ": "com.canon.cr3-raw-image",
    "jxl ": "public.jpeg-xl", "jp2 ": "public.jpeg-2000",
  ]

  /// Returns the name of a format that is not a supported video container.
  static func unsupportedFormatName(_ bytes: [UInt8]) -> String {
    if bytes.count >= 12, FourCC(bytes[4..<8]) == "ftyp",
      let name = imageBrands[FourCC(bytes[8..<12])]
    {
      return name
    }
    let signatures: [([UInt8], String)] = [
      ([0xff, 0xd8, 0xff], "public.jpeg"), ([0x89, 0x50, 0x4e, 0x47], "public.png"),
      ([0x47, 0x49, 0x46, 0x38], "com.compuserve.gif"), ([0x49, 0x49, 0x2a, 0], "public.tiff"),
      ([0x4d, 0x4d, 0, 0x2a], "public.tiff"), ([0x25, 0x50, 0x44, 0x46], "com.adobe.pdf"),
      ([0x50, 0x4b, 3, 4], "public.zip-archive"), ([0, 0, 1, 0xba], "public.mpeg"),
      ([0x47, 0x40], "public.mpeg-2-transport-stream"),
      ([0x46, 0x4c, 0x56], "com.adobe.flash.video"),
    ]
    if let match = signatures.first(where: { bytes.starts(with: $0.0) }) { return match.1 }
    let digits = Array("0123456789abcdef")
    let start = bytes.prefix(8).map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }
    return "data starting with \(start.joined(separator: " "))"
  }
}
