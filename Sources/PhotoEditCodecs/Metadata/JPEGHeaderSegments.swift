// SPDX-License-Identifier: Apache-2.0

/// The marker segments before the image data of a JPEG, for changes in an existing file.
///
/// A Multi-Picture index is updated when data moves: it contains the length of the image and the
/// offset of the next one.
struct JPEGHeaderSegments {
  /// All bytes of the file.
  private(set) var file: [UInt8]

  /// Creates the head of a file; nil if it is not a JPEG.
  init?(_ file: [UInt8]) {
    guard file.starts(with: [0xFF, 0xD8]) else { return nil }
    self.file = file
  }

  /// The segments: the marker and the range of the payload.
  var segments: [(marker: UInt8, payload: Range<Int>)] {
    var found: [(UInt8, Range<Int>)] = []
    var position = 2
    while position + 4 <= file.count, file[position] == 0xFF,
      (0xE0...0xEF).contains(file[position + 1]) || file[position + 1] == 0xFE
    {
      guard let payload = JPEGMarker.payload(in: file, at: position + 2) else { break }
      found.append((file[position + 1], payload))
      position = payload.upperBound
    }
    return found
  }

  /// Returns the range of the payload of the first segment of a kind.
  func payload(_ kind: JPEGSegment.Kind) -> Range<Int>? {
    segments.first { marker, payload in
      JPEGSegment(marker: marker, payload: Array(file[payload].prefix(64))).kind == kind
    }?.payload
  }

  /// Replaces the payload of a segment.
  ///
  /// - Parameter payload: The range of the payload, from `payload(_:)`.
  /// - Returns: Whether the bytes fit in one segment; otherwise nothing is changed.
  mutating func replace(_ payload: Range<Int>, with bytes: [UInt8]) -> Bool {
    guard bytes.count <= JPEGSegment.maximumPayloadCount else { return false }
    let count = bytes.count + 2
    let length = [UInt8(count >> 8), UInt8(count & 255)]
    change((payload.lowerBound - 2)..<payload.upperBound, to: length + bytes)
    return true
  }

  /// Adds an APP1 segment after those that must come first: those of JFIF and EXIF.
  ///
  /// - Returns: Whether the payload fits in one segment; otherwise nothing is changed.
  mutating func insert(_ payload: [UInt8]) -> Bool {
    guard payload.count <= JPEGSegment.maximumPayloadCount else { return false }
    let count = payload.count + 2
    let first = [self.payload(.jfif), self.payload(.exif)].compactMap { $0?.upperBound }
    let target = first.max() ?? 2
    change(target..<target, to: [0xFF, 0xE1, UInt8(count >> 8), UInt8(count & 255)] + payload)
    return true
  }

  private mutating func change(_ range: Range<Int>, to bytes: [UInt8]) {
    let growth = bytes.count - range.count
    if growth != 0, let index = payload(.mpf) {
      MultiPictureIndex.move(index, in: &file, by: growth, from: range.upperBound)
    }
    file.replaceSubrange(range, with: bytes)
  }

  /// Adds properties to the XMP packet, or creates a packet with them.
  ///
  /// - Parameters:
  ///   - addition: Simple properties; existing ones with the same names are removed.
  ///   - elements: Further properties with their own namespace declarations.
  ///   - shouldRemove: Returns whether to remove an existing property as well.
  /// - Returns: Whether the packet was updated; otherwise nothing is changed.
  mutating func describe(
    _ addition: XMPPacket.Addition, elements: String = "",
    without shouldRemove: (XMPProperty) -> Bool = { _ in false }
  ) -> Bool {
    let signature = JPEGSegment.Signature.xmp
    let target = payload(.xmp)
    let packet = target.map { XMPPacket(payload: Array(file[$0])) } ?? .empty
    guard
      let bytes = packet.adding(
        addition, elements: elements, without: shouldRemove,
        limit: JPEGSegment.maximumPayloadCount - signature.count)
    else { return false }
    guard let target else { return insert(signature + bytes) }
    return replace(target, with: signature + bytes)
  }
}
