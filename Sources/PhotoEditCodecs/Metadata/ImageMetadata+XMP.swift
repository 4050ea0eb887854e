// SPDX-License-Identifier: Apache-2.0

extension ImageMetadata {
  /// The XMP packet without the signature of its segment; nil where there is none.
  package var xmpPacket: [UInt8]? {
    segments.first { $0.kind == .xmp }.map {
      Array($0.payload.dropFirst(JPEGSegment.Signature.xmp.count))
    }
  }

  /// Whether a piece of extended XMP has some bytes in it.
  package func hasExtendedXMP(with bytes: [UInt8]) -> Bool {
    segments.contains { $0.kind == .extendedXMP && $0.payload.firstOffset(of: bytes) != nil }
  }
}
