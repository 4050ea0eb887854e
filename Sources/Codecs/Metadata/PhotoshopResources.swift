// SPDX-License-Identifier: Apache-2.0

/// Photoshop image resources: reads one, or removes the thumbnails and keeps all other bytes.
///
/// The resources of a file form one stream that may be cut anywhere into segments.
///
/// - Source: Adobe Photoshop File Formats Specification, "Image Resources Section".
enum PhotoshopResources {
  /// Resource 1033 is the thumbnail of Photoshop 4, resource 1036 that of later versions.
  private static let thumbnails = [1033, 1036]

  /// The segments without thumbnails; one that holds nothing else becomes nil.
  static func removingThumbnails(from payloads: [[UInt8]]) -> [[UInt8]?] {
    let header = JPEGSegment.Signature.photoshop
    var stream: [UInt8] = []
    var starts: [Int] = []
    for payload in payloads {
      starts.append(stream.count)
      stream += payload.dropFirst(header.count)
    }
    let removed = ByteRanges(thumbnailRanges(in: stream, pieces: starts))
    return starts.indices.map { i in
      let end = i + 1 < starts.count ? starts[i + 1] : stream.count
      let piece = ByteRanges([starts[i]..<end])
      let kept = piece.subtracting(removed)
      if kept.ranges == piece.ranges { return payloads[i] }
      return kept.ranges.isEmpty ? nil : kept.ranges.reduce(header) { $0 + stream[$1] }
    }
  }

  /// The bytes of the first resource with a number; nil when there is none.
  static func content(of number: Int, in payloads: [[UInt8]]) -> ArraySlice<UInt8>? {
    let stream = payloads.reduce(into: [UInt8]()) {
      $0 += $1.dropFirst(JPEGSegment.Signature.photoshop.count)
    }
    var position = 0
    while let (id, range) = resource(at: position, in: stream) {
      if id == number {
        let name = (Int(stream[position + 6]) + 2) & ~1
        let size = stream.unsigned32(at: position + 6 + name) ?? 0
        return stream[range].dropFirst(10 + name).prefix(size)
      }
      position = range.upperBound
    }
    return nil
  }

  private static func thumbnailRanges(in stream: [UInt8], pieces: [Int]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var position = 0
    var following = pieces[...]
    while position < stream.count {
      if let (id, range) = resource(at: position, in: stream) {
        if thumbnails.contains(id) { found.append(range) }
        position = range.upperBound
      } else {
        // A damaged piece does not hide the ones behind it.
        following = following.drop { $0 <= position }
        guard let next = following.first else { break }
        position = next
      }
    }
    return found
  }

  private static func resource(at start: Int, in stream: [UInt8]) -> (id: Int, Range<Int>)? {
    guard stream.has(Array("8BIM".utf8), at: start), let id = stream.unsigned16(at: start + 4),
      start + 6 < stream.count
    else { return nil }
    // The name has a length byte and is padded so that both together are even.
    let name = (Int(stream[start + 6]) + 2) & ~1
    guard let size = stream.unsigned32(at: start + 6 + name) else { return nil }
    let end = start + 10 + name + size
    // A thumbnail that is cut off is one all the same.
    guard end <= stream.count || thumbnails.contains(id) else { return nil }
    return (id, start..<min(end + size % 2, stream.count))
  }
}
