// SPDX-License-Identifier: Apache-2.0

/// One marker segment of a JPEG file that holds metadata: APP0 to APP15, or a comment.
///
/// - Source: ISO/IEC 10918-1, B.2.4.5 and B.2.4.6.
public struct JPEGSegment: Hashable, Sendable {
  /// Most bytes that one segment can hold: 65,535 less the two of its length field.
  public static let maximumPayloadCount = 65_533

  /// The second byte of the marker: 0xE0 to 0xEF, or 0xFE for a comment.
  public var marker: UInt8
  /// What follows the length field, signature included.
  ///
  /// A segment that stands for a PNG chunk can be larger than `maximumPayloadCount`; it is then
  /// understood, but no rendering can carry it.
  public var payload: [UInt8]

  /// Makes a segment from its marker and its bytes.
  public init(marker: UInt8, payload: [UInt8]) {
    self.marker = marker
    self.payload = payload
  }

  /// What a segment is for, judged by its marker and its signature.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// APP0 "JFIF": version and pixel density.
    case jfif
    /// APP0 "JFXX": a thumbnail that extends JFIF.
    case jfifExtension
    /// APP1 "Exif": a TIFF structure.
    case exif
    /// APP1 with the XMP packet.
    case xmp
    /// APP1 with a piece of an XMP packet that is too large for one segment.
    case extendedXMP
    /// APP2 with a piece of an ICC profile.
    case icc
    /// APP2 "MPF": where further pictures lie in the file.
    case mpf
    /// APP2 of ISO 21496-1: how a gain map is to be applied.
    case gainMap
    /// APP11 with a JUMBF box, which is where C2PA keeps its manifests.
    case jumbf
    /// APP13 "Photoshop 3.0": image resources, IPTC among them.
    case photoshop
    /// APP14 "Adobe": which colour transform the samples went through.
    case adobe
    /// COM: free text.
    case comment
    /// Anything else.
    case other
  }

  /// What the segment is for.
  public var kind: Kind {
    if marker == 0xFE { return .comment }
    for (kind, marker, signature) in Signature.table
    where marker == self.marker && payload.has(signature, at: 0) { return kind }
    return .other
  }

  /// The bytes with which the payloads of the known kinds begin.
  enum Signature {
    static let jfif: [UInt8] = Array("JFIF\0".utf8)
    // The sixth byte ought to be zero; some cameras write 0xFF.
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

  /// How many bytes of an EXIF payload stand before the TIFF structure.
  static let exifPrefixCount = 6
}
