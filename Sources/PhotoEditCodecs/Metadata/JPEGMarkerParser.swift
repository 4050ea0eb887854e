// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers
import PhotoEditPixels

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
    self.buffer = buffer
    self.limits = limits
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
