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

  /// The names of all containers, for messages.
  package static let readable = "QuickTime, MPEG-4, Matroska, AVI"

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

/// Checks that a Matroska or AVI file has all the bytes that its outermost element declares.
enum ContainerCompleteness {
  static func requireComplete(
    _ file: borrowing OpenFile, container: MovieContainer
  ) throws(MovieError) {
    let size = try file.movieSize()
    let head = try file.bytes(at: 0, atMost: 256)
    let announced = container == .avi ? aviSize(head) : matroskaSize(head)
    guard let announced else { throw .damaged("the video has no \(container) header") }
    guard announced <= size else {
      throw .damaged("the file has \(size) of \(announced) bytes")
    }
  }

  private static func aviSize(_ head: [UInt8]) -> Int? {
    guard head.count >= 12 else { return nil }
    let payload = head[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
    return payload + 8
  }

  /// Returns the end of the segment; RFC 8794 for the numbers, RFC 9559 for the elements.
  private static func matroskaSize(_ head: [UInt8]) -> Int? {
    var position = 4
    guard let header = number(head, &position) else { return nil }
    let (segment, overflows) = position.addingReportingOverflow(header)
    guard !overflows, segment <= head.count - 12,
      Array(head[segment..<(segment + 4)]) == [0x18, 0x53, 0x80, 0x67]
    else { return nil }
    position = segment + 4
    // A streamed recording has no stored size.
    guard let body = number(head, &position) else { return 0 }
    return position.addingReportingOverflow(body).partialValue
  }

  /// Reads a size of one to eight bytes; nil if it is unknown or truncated.
  static func number(_ bytes: [UInt8], _ position: inout Int) -> Int? {
    guard position < bytes.count, bytes[position] != 0 else { return nil }
    let length = bytes[position].leadingZeroBitCount + 1
    guard position + length <= bytes.count else { return nil }
    var value = Int(bytes[position]) & ((1 << (8 - length)) - 1)
    for byte in bytes[(position + 1)..<(position + length)] { value = value << 8 | Int(byte) }
    position += length
    return value == 1 << (7 * length) - 1 ? nil : value
  }
}
