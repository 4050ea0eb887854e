// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// Metadata as stored in a container other than JPEG, for conversion to JPEG segments.
struct ContainerMetadata {
  /// The TIFF structure of EXIF, without any prefix.
  var exif: [UInt8]?
  /// The XMP packet in UTF-8.
  var xmp: [UInt8]?
  /// The ICC profile.
  var icc: [UInt8]?
  /// Photoshop image resources, beginning with "8BIM"; one of them contains IPTC.
  var photoshop: [UInt8]?
  /// The description of a gain map, as the payload of a JPEG segment.
  var gainMap: [UInt8]?
  /// Free text.
  var comments: [String] = []
  /// Findings from reading the container.
  var findings = MetadataDiagnostics()

  /// Returns the equivalent JPEG segments, in the order in which cameras write them.
  ///
  /// A profile too large for a JPEG becomes a loss.
  mutating func segments(limits: ImageLimits) throws(MetadataError) -> [JPEGSegment] {
    var segments: [JPEGSegment] = []
    if let exif {
      segments.append(JPEGSegment(marker: 0xE1, payload: Array("Exif\0\0".utf8) + exif))
    }
    if let xmp {
      segments.append(JPEGSegment(marker: 0xE1, payload: JPEGSegment.Signature.xmp + xmp))
    }
    if let icc {
      if let profileSegments = ICCProfile.segments(for: icc) {
        segments += profileSegments
      } else {
        findings.reportLoss(
          .colorProfile, "An ICC profile of \(icc.count) bytes does not fit in a JPEG.")
      }
    }
    if let gainMap { segments.append(JPEGSegment(marker: 0xE2, payload: gainMap)) }
    if let photoshop {
      // The resources form one stream, which may be split anywhere.
      let header = JPEGSegment.Signature.photoshop
      let capacity = JPEGSegment.maximumPayloadCount - header.count
      for start in stride(from: 0, to: photoshop.count, by: capacity) {
        let part = photoshop[start..<min(start + capacity, photoshop.count)]
        segments.append(JPEGSegment(marker: 0xED, payload: header + part))
      }
    }
    segments += comments.map { JPEGSegment(marker: 0xFE, payload: Array($0.utf8)) }
    guard segments.reduce(0, { $0 + $1.payload.count }) <= limits.maximumMetadataBytes else {
      throw .tooManyBytes(limit: limits.maximumMetadataBytes)
    }
    return segments
  }
}

extension ImageMetadata {
  /// Creates the metadata of an image in another container.
  init(_ container: ContainerMetadata, limits: ImageLimits) throws(MetadataError) {
    self.init()
    var container = container
    let segments = try container.segments(limits: limits)
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    interpret(segments, trailer: nothing, findings: container.findings)
  }
}
