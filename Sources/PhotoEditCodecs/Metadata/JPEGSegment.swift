// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// One marker segment of a JPEG file that holds metadata: APP0 to APP15, or a comment.
///
/// - Source: ISO/IEC 10918-1, B.2.4.5 and B.2.4.6.
public struct JPEGSegment: Hashable, Sendable {
  /// The maximum size of a payload: 65,535 bytes less the two of the length field.
  public static let maximumPayloadCount = 65_533

  /// The second byte of the marker: 0xE0 to 0xEF, or 0xFE for a comment.
  public var marker: UInt8
  /// The bytes after the length field, including the signature.
  ///
  /// A segment that represents a PNG chunk can be larger than `maximumPayloadCount`; it is then
  /// interpreted, but cannot be written to a rendering.
  public var payload: [UInt8]

  /// Creates a segment from its marker and its bytes.
  public init(marker: UInt8, payload: [UInt8]) { (self.marker, self.payload) = (marker, payload) }

  /// The purpose of a segment, determined by its marker and its signature.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// APP0 "JFIF": version and pixel density.
    case jfif
    /// APP0 "JFXX": a thumbnail that extends JFIF.
    case jfifExtension
    /// APP1 "Exif": a TIFF structure.
    case exif
    /// APP1 with the XMP packet.
    case xmp
    /// APP1 with a part of an XMP packet that is too large for one segment.
    case extendedXMP
    /// APP2 with a part of an ICC profile.
    case icc
    /// APP2 "MPF": the locations of further images in the file.
    case mpf
    /// APP2 of ISO 21496-1: the parameters of a gain map.
    case gainMap
    /// APP11 with a JUMBF box, in which C2PA stores its manifests.
    case jumbf
    /// APP13 "Photoshop 3.0": image resources, IPTC among them.
    case photoshop
    /// APP14 "Adobe": the color transform of the samples.
    case adobe
    /// COM: free text.
    case comment
    /// Anything else.
    case other
  }

  /// The purpose of the segment.
  public var kind: Kind {
    if marker == 0xFE { return .comment }
    return Signature.table[marker]?.first { payload.has($0.signature, at: 0) }?.kind ?? .other
  }

  /// The signatures at the beginning of the payloads of the known kinds.
  enum Signature {
    static let jfif: [UInt8] = Array("JFIF\0".utf8)
    // The sixth byte should be zero; some cameras write 0xFF.
    static let exif: [UInt8] = Array("Exif\0".utf8)
    static let xmp: [UInt8] = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    static let extendedXMP: [UInt8] = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
    static let icc: [UInt8] = Array("ICC_PROFILE\0".utf8)
    static let mpf: [UInt8] = Array("MPF\0".utf8)
    static let photoshop: [UInt8] = Array("Photoshop 3.0\0".utf8)
    static let gainMap: [UInt8] = Array("urn:iso:std:iso:ts:21496:-1".utf8)

    /// The kinds of each marker.
    static let table: [UInt8: [(kind: Kind, signature: [UInt8])]] = [
      0xE0: [(.jfif, jfif), (.jfifExtension, Array("JFXX\0".utf8))],
      0xE1: [(.exif, exif), (.xmp, xmp), (.extendedXMP, extendedXMP)],
      0xE2: [
        (.icc, icc), (.mpf, mpf), (.gainMap, gainMap),
      ],
      0xEB: [(.jumbf, Array("JP".utf8))],
      0xED: [(.photoshop, photoshop)],
      0xEE: [(.adobe, Array("Adobe".utf8))],
    ]
  }

  /// The number of bytes of an EXIF payload before the TIFF structure.
  static let exifPrefixCount = 6
}

/// The APP0 segment that marks a file as JFIF and states its pixel density.
///
/// - Source: ITU-T T.871 (JFIF 1.02), 10.1.
enum JFIF {
  /// Returns a payload without a thumbnail; nil if a density is 0 or above 65,535.
  static func payload(unit: UInt8, x: Int, y: Int) -> [UInt8]? {
    guard (1...0xFFFF).contains(x), (1...0xFFFF).contains(y) else { return nil }
    var payload = JPEGSegment.Signature.jfif + [1, 1, unit, 0, 0, 0, 0, 0, 0]
    payload.store16(x, at: 8)
    payload.store16(y, at: 10)
    return payload
  }

  /// A payload of version 1.01 that states only that the pixels are square.
  static let plain: [UInt8] = JPEGSegment.Signature.jfif + [1, 1, 0, 0, 1, 0, 1, 0, 0]

  /// Returns the version and density of a payload without its thumbnail; nil if it is truncated.
  ///
  /// - Parameter exchangesDensities: Whether horizontal and vertical density change places.
  static func withoutThumbnail(_ payload: [UInt8], exchangesDensities: Bool) -> [UInt8]? {
    guard payload.count >= 12 else { return nil }
    let (x, y) = (payload[8..<10], payload[10..<12])
    return payload[..<8] + (exchangesDensities ? y + x : x + y) + [0, 0]
  }
}

/// Iterates over the markers of a JPEG file, collects metadata segments and finds the end.
///
/// - Source: ISO/IEC 10918-1, annex B.
struct JPEGMarkerParser {
  private(set) var segments: [JPEGSegment] = []
  /// The position after the EOI marker, or the end of the file without one.
  private(set) var end: Int
  private(set) var findings = MetadataDiagnostics()
  /// The ranges of the metadata segments, including their markers and lengths.
  private(set) var metadataRanges: [Range<Int>] = []

  private let buffer: UnsafeRawBufferPointer
  private let limits: ImageLimits
  private var byteCount = 0
  private var segmentCount = 0
  private var isInsideScan = false

  init(_ buffer: UnsafeRawBufferPointer, limits: ImageLimits) {
    (self.buffer, self.limits) = (buffer, limits)
    end = buffer.count
  }

  mutating func run() throws(MetadataError) {
    guard buffer.has([0xFF, 0xD8], at: 0) else {
      findings.notice("The file does not start like a JPEG; its metadata is not read.")
      return
    }
    var position = 2
    while let (marker, after) = nextMarker(from: position) {
      switch marker {
      case 0xD9:
        end = after
        return
      // Markers without a segment: TEM, RST0 to RST7, and a further SOI.
      case 0x01, 0xD0...0xD8: position = after
      default:
        guard let payload = JPEGMarker.payload(in: buffer, at: after) else {
          findings.notice("A marker segment is truncated or has an invalid length; reading stops.")
          return
        }
        if marker == 0xFE || (0xE0...0xEF).contains(marker) {
          metadataRanges.append((after - 2)..<payload.upperBound)
          try read(marker, payload)
        }
        if (0xF0...0xFD).contains(marker) {
          findings.reportLoss(
            .unknownChunks, "Segments with the reserved markers JPG0 to JPG13 are left out.")
        }
        if marker == 0xDA { isInsideScan = true }
        position = payload.upperBound
      }
    }
    findings.notice("The JPEG has no end marker; it is probably truncated.")
  }

  /// Returns the next marker at or after a position, and its end.
  private mutating func nextMarker(from start: Int) -> (UInt8, Int)? {
    let (marker, followsStrayBytes) = JPEGMarker.next(in: buffer, from: start)
    if followsStrayBytes, !isInsideScan {
      findings.notice("There are stray bytes between the marker segments.")
    }
    return marker.map { ($0.code, $0.end) }
  }

  private mutating func read(_ marker: UInt8, _ payload: Range<Int>) throws(MetadataError) {
    segmentCount += 1
    byteCount += payload.count
    guard segmentCount <= ImageMetadata.maximumSegmentCount else {
      throw .tooManySegments(limit: ImageMetadata.maximumSegmentCount)
    }
    guard byteCount <= limits.maximumMetadataBytes else {
      throw .tooManyBytes(limit: limits.maximumMetadataBytes)
    }
    if isInsideScan {
      findings.reportLoss(
        .segmentsBetweenScans,
        "There are metadata segments after the first scan; they are left out.")
    } else {
      segments.append(JPEGSegment(marker: marker, payload: Array(buffer[payload])))
    }
  }
}
