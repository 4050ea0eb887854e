// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// The Multi-Picture index of a file that contains an image followed by a gain map.
///
/// - Source: CIPA DC-007, 5.2: version, number of images, and for each its kind, size and offset.
package enum MultiPictureIndex {
  /// The index with sizes and offsets still zero; `complete` fills them in.
  static let blank: [UInt8] = {
    func entry(_ tag: UInt8, type: UInt8, count: UInt8, _ value: [UInt8]) -> [UInt8] {
      [0xB0, tag, 0, type, 0, 0, 0, count] + value
    }
    let header: [UInt8] = Array("MM".utf8) + [0, 42, 0, 0, 0, 8]
    let directory: [UInt8] =
      [0, 3] + entry(0, type: 7, count: 4, Array("0100".utf8))
      + entry(1, type: 4, count: 1, [0, 0, 0, 2])
      + entry(2, type: 7, count: 32, [0, 0, 0, UInt8(imagesOffset)]) + [0, 0, 0, 0]
    // Programs without support for the second image show the first.
    let images: [UInt8] = [0, 3, 0, 0] + [UInt8](repeating: 0, count: 28)
    return JPEGSegment.Signature.mpf + header + directory + images
  }()

  /// The offset of the image list from the header of the index.
  private static let imagesOffset = 50

  /// Appends a gain map to an image and writes the sizes and offsets of both into the blank index.
  ///
  /// - Returns: Whether there was a blank index; if not, nothing is changed.
  package static func append(_ gainMap: [UInt8], to file: inout [UInt8]) -> Bool {
    guard let header = header(in: file), let size = UInt32(exactly: file.count),
      let second = UInt32(exactly: gainMap.count)
    else { return false }
    let entries = header + imagesOffset
    file.store32(Int(size), at: entries + 4, .big)
    file.store32(Int(second), at: entries + 20, .big)
    file.store32(Int(size) - header, at: entries + 24, .big)
    file += gainMap
    return true
  }

  /// Adjusts an index for a change in size of the first image.
  ///
  /// - Parameters:
  ///   - payload: The range of the index; a damaged one is left unchanged.
  ///   - growth: The size difference in bytes, negative if the image shrinks.
  ///   - position: The offset in the file from which bytes are moved.
  static func move(
    _ payload: Range<Int>, in file: inout [UInt8], by growth: Int, from position: Int
  ) {
    let header = payload.lowerBound + JPEGSegment.Signature.mpf.count
    guard header <= payload.upperBound,
      let tiff = TIFFStructure(exif: Array(file[header..<payload.upperBound])),
      let images = tiff.main?.entry(imagesTag)?.value
    else { return }
    // The first image has no offset; those of the others count from the header.
    for entry in stride(from: images.lowerBound, to: images.upperBound - 15, by: 16) {
      let isFirst = entry == images.lowerBound
      guard isFirst || position > header else { continue }
      let field = entry + (isFirst ? 4 : 8)
      guard let value = tiff.bytes.unsigned32(at: field, tiff.order), value > 0,
        let moved = UInt32(exactly: value + growth)
      else { continue }
      file.store32(Int(moved), at: header + field, tiff.order)
    }
  }

  /// The entry that lists the images: flags, size, offset and two numbers, 16 bytes each.
  private static let imagesTag = 0xB002

  /// Returns the offset of the header of the blank index.
  private static func header(in file: [UInt8]) -> Int? {
    let index = JPEGHeaderSegments(file)?.segments.first { file[$0.payload].elementsEqual(blank) }
    return index.map { $0.payload.lowerBound + JPEGSegment.Signature.mpf.count }
  }
}

/// A complete JPEG after the main image of a file.
///
/// - Source: CIPA DC-007 (Multi-Picture Format); Google Ultra HDR 1.1; ISO 21496-1, annex C.
struct TrailingImage {
  /// The range in the file.
  let range: Range<Int>
  /// Indicates whether it is a gain map, which brightens areas on a display with more range.
  let isGainMap: Bool

  /// The maximum number of images examined.
  private static let maximumCount = 16

  /// Returns the images from an offset on, separated by nothing but zeros.
  static func all(
    in file: UnsafeRawBufferPointer, from start: Int, limits: ImageLimits
  ) throws(MetadataError) -> [TrailingImage] {
    var images: [TrailingImage] = []
    var position = start
    while images.count < maximumCount {
      while position < file.count, file[position] == 0 { position += 1 }
      guard file.has([0xFF, 0xD8, 0xFF], at: position) else { break }
      var walk = JPEGMarkerParser(
        UnsafeRawBufferPointer(rebasing: file[position...]), limits: limits)
      try walk.run()
      let end = position + walk.end
      images.append(
        TrailingImage(
          range: position..<end, isGainMap: walk.segments.contains(where: describesGainMap)))
      position = end
    }
    return images
  }

  private static func describesGainMap(_ segment: JPEGSegment) -> Bool {
    switch segment.kind {
    case .gainMap: true
    case .xmp:
      XMPPacket(payload: segment.payload).scan.properties.contains {
        $0.namespace == .gainMap || $0.namespace == .appleGainMap
      } || segment.payload.firstOffset(of: appleType) != nil
    default: false
    }
  }

  /// Apple's type identifier for a gain map.
  static let appleType = Array("urn:com:apple:photo:2020:aux:hdrgainmap".utf8)
}
