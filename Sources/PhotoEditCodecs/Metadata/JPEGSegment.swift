// SPDX-License-Identifier: Apache-2.0

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
  public init(marker: UInt8, payload: [UInt8]) {
    self.marker = marker
    self.payload = payload
  }

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
    for (kind, marker, signature) in Signature.table
    where marker == self.marker && payload.has(signature, at: 0) { return kind }
    return .other
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

    static let table: [(Kind, UInt8, [UInt8])] = [
      (.jfif, 0xE0, jfif),
      (.jfifExtension, 0xE0, Array("JFXX\0".utf8)),
      (.exif, 0xE1, exif),
      (.xmp, 0xE1, xmp),
      (.extendedXMP, 0xE1, extendedXMP),
      (.icc, 0xE2, icc),
      (.mpf, 0xE2, mpf),
      (.gainMap, 0xE2, Array("urn:iso:std:iso:ts:21496:-1".utf8)),
      (.jumbf, 0xEB, Array("JP".utf8)),
      (.photoshop, 0xED, photoshop),
      (.adobe, 0xEE, Array("Adobe".utf8)),
    ]
  }

  /// The number of bytes of an EXIF payload before the TIFF structure.
  static let exifPrefixCount = 6
}
