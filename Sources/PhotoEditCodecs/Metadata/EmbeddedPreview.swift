// SPDX-License-Identifier: Apache-2.0

/// Finds images in metadata: previews in maker notes, in directories of their own, in segments of
/// camera makers, in Photoshop resources and in XMP.
///
/// They show the entire unedited image, which is unexpected after cropping.
enum EmbeddedPreview {
  /// Returns the ranges of the JPEGs, each from start marker to end marker, in order and without
  /// overlaps.
  ///
  /// Some cameras change the first byte of the start marker, so it may have any value.
  ///
  /// - Complexity: Linear in the number of bytes: each is examined once or as part of one marker
  ///   segment.
  static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var position = 0
    while let start = start(in: bytes, from: position) {
      switch end(of: start, in: bytes) {
      case .found(let end):
        found.append(start..<end)
        position = end
      case .noImage: position = start + 1
      // If no end marker follows here, none follows any later start marker either.
      case .truncated: return found
      }
    }
    return found
  }

  /// Returns whether there is an image, even a truncated one, as bytes or in Base64.
  static func occurs(in bytes: [UInt8]) -> Bool {
    occurs(asBytesIn: bytes) || occurs(asTextIn: bytes)
  }

  /// Returns whether there is an image, even a truncated one.
  static func occurs(asBytesIn bytes: [UInt8]) -> Bool {
    isMarked(bytes) || beginning(in: bytes) != nil || !ranges(in: bytes).isEmpty
  }

  /// The bytes by which images other than JPEG and TIFF are recognized: PNG, WebP, HEIF, AVIF,
  /// JPEG XL, JPEG 2000 and GIF.
  private static let marks: [[UInt8]] = [
    "\u{89}PNG\r\n\u{1A}\n", "WEBPVP8", "ftypheic", "ftypheix", "ftypmif1", "ftypavif",
    "JXL \r\n\u{87}\n", "jP  \r\n\u{87}\n", "GIF87a", "GIF89a", "II+\0\u{8}\0\0\0",
    "MM\0+\0\u{8}\0\0",
  ].map { $0.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }

  /// Returns whether there is an image other than a JPEG.
  private static func isMarked(_ bytes: [UInt8]) -> Bool {
    if marks.contains(where: { bytes.firstOffset(of: $0) != nil }) || hasBitmap(bytes) {
      return true
    }
    return ["II*\0", "MM\0*"].map { Array($0.utf8) }.contains { header in
      var position = 0
      // Each attempt may copy the rest, so their number is limited.
      for _ in 0..<ExifPatch.maximumDirectories {
        guard let hit = bytes.firstOffset(of: header, from: position) else { return false }
        if isTIFFImage(Array(bytes[hit...])) { return true }
        position = hit + 1
      }
      return true
    }
  }

  /// The sizes of the header of a BMP image, by version.
  private static let bitmapHeaders: Set<Int> = [12, 40, 52, 56, 64, 108, 124]

  /// Returns whether there is a BMP image: its mark has only two bytes, but four of the following
  /// are zero, and two sizes fit each other.
  private static func hasBitmap(_ bytes: [UInt8]) -> Bool {
    func number(_ offset: Int) -> Int {
      bytes[offset..<(offset + 4)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    var position = 0
    while let hit = bytes.firstOffset(of: [0x42, 0x4D], from: position), hit + 18 <= bytes.count {
      position = hit + 1
      let header = number(hit + 14)
      if number(hit + 6) == 0, bitmapHeaders.contains(header), number(hit + 10) >= 14 + header,
        number(hit + 2) >= number(hit + 10)
      {
        return true
      }
    }
    return false
  }

  /// Returns whether a TIFF structure has the samples of an image, or continues after the bytes.
  private static func isTIFFImage(_ bytes: [UInt8]) -> Bool {
    guard let tiff = TIFFStructure(exif: bytes) else { return false }
    var next = tiff.first
    for _ in 0..<ExifPatch.maximumDirectories where next != 0 {
      guard let directory = tiff.directory(at: next) else { return next >= bytes.count }
      let further = tiff.directories(
        pointedToBy: ExifTag.subdirectories, in: directory, limit: ExifPatch.maximumDirectories)
      let hasSamples = ([directory] + further).contains { directory in
        [ExifTag.stripOffsets, ExifTag.tileOffsets].contains { directory.entry($0) != nil }
      }
      if hasSamples { return true }
      next = directory.next
    }
    return false
  }

  /// Returns the offset of a JPEG's start marker that a first marker segment follows.
  ///
  /// - Parameter mayContinue: Whether the first segment may be truncated, because an image can
  ///   continue in the next segment of the file.
  static func beginning(
    in bytes: [UInt8], from first: Int = 0, mayContinue: Bool = true
  ) -> Int? {
    var position = first
    while let start = bytes.firstOffset(of: [0xFF, 0xD8, 0xFF], from: position) {
      position = start + 1
      // Quantization tables, a frame, Huffman tables, JFIF, EXIF or a comment come first.
      guard let marker = bytes.dropFirst(start + 3).first,
        [0xDB, 0xC0, 0xC1, 0xC2, 0xC4, 0xFE].contains(marker) || (0xE0...0xEF).contains(marker)
      else { continue }
      if let payload = JPEGMarker.payload(in: bytes, at: start + 4) {
        if payload.upperBound == bytes.count || bytes[payload.upperBound] == 0xFF { return start }
      } else if mayContinue, bytes.unsigned16(at: start + 4) ?? 2 >= 2 {
        return start
      }
    }
    return nil
  }

  private static func start(in bytes: [UInt8], from position: Int) -> Int? {
    bytes.firstOffset(of: [0xD8, 0xFF], from: position + 1).map { $0 - 1 }
  }

  private enum End { case found(Int), noImage, truncated }

  private static func end(of start: Int, in bytes: [UInt8]) -> End {
    var position = start + 2
    while position + 4 <= bytes.count, bytes[position] == 0xFF {
      let marker = bytes[position + 1]
      guard (0xC0...0xFE).contains(marker), !(0xD0...0xD9).contains(marker),
        let payload = JPEGMarker.payload(in: bytes, at: position + 2)
      else { return .noImage }
      position = payload.upperBound
      guard marker == 0xDA else { continue }
      guard let end = bytes.firstOffset(of: [0xFF, 0xD9], from: position) else { return .truncated }
      return .found(end + 2)
    }
    return .noImage
  }

  /// Returns the indexes of the comments and of the segments of camera makers that contain
  /// images.
  ///
  /// A preview can be the content of a segment, or have a name before it; a larger one continues in
  /// the following segments, even under other markers. Without a legible end, all segments up to
  /// the next known one belong to it.
  static func segments(in segments: [JPEGSegment]) -> Set<Int> {
    var found: Set<Int> = []
    var next = 0
    while next < segments.count {
      let index = next
      next += 1
      guard [.other, .comment].contains(segments[index].kind) else { continue }
      let payload = segments[index].payload
      let rest = Array(payload[(ranges(in: payload).last?.upperBound ?? 0)...])
      if let start = beginning(in: rest) {
        let run = segments[index...].prefix { $0.kind == .other || $0.kind == segments[index].kind }
        let joined = rest + run.dropFirst().flatMap(\.payload)
        var end = joined.count
        if case .found(let position) = Self.end(of: start, in: joined) { end = position }
        var position = rest.count - payload.count
        for part in run.indices where position < end {
          found.insert(part)
          position += segments[part].payload.count
          next = part + 1
        }
      } else if isMarked(payload) {
        let run = segments[index...].prefix { $0.kind == .other || $0.kind == segments[index].kind }
        found.formUnion(run.indices)
        next = run.endIndex
      } else if rest.count < payload.count || occurs(in: payload) {
        found.insert(index)
      }
    }
    return found
  }

  /// The names of segments with samples of another sensor, or with the rest of a wider range.
  private static let sampleNames = ["FLIR\0", "HDR_RI"].map { Array($0.utf8) }
  /// The names of segments that may be large and contain no samples.
  private static let dataNames = ["GoPro\0", "DJI-DBG\0", "Ducky"].map { Array($0.utf8) }
  /// The size of the smallest images of thermal cameras: 80 × 60 samples of two bytes.
  private static let minimumSampleBytes = 9600

  /// Returns the indexes of the segments of camera makers that may contain an image as plain
  /// samples: of a thermal camera, of a depth sensor or of a wider range.
  ///
  /// Some have a name. The others are found by their size: all of one marker together are large
  /// enough for an image, and are not text.
  static func sampleSegments(in segments: [JPEGSegment]) -> Set<Int> {
    var indexes: [UInt8: [Int]] = [:]
    var sizes: [UInt8: Int] = [:]
    for (index, segment) in segments.enumerated() where segment.kind == .other {
      if sampleNames.contains(where: { segment.payload.has($0, at: 0) }) {
        indexes[segment.marker, default: []].append(index)
        sizes[segment.marker] = minimumSampleBytes
      } else if !dataNames.contains(where: { segment.payload.has($0, at: 0) }),
        !isText(segment.payload)
      {
        indexes[segment.marker, default: []].append(index)
        sizes[segment.marker] = min(
          minimumSampleBytes, sizes[segment.marker, default: 0] + segment.payload.count)
      }
    }
    return Set(indexes.filter { sizes[$0.key] == minimumSampleBytes }.flatMap(\.value))
  }

  /// Returns whether a segment contains only text after its name.
  private static func isText(_ payload: [UInt8]) -> Bool {
    let start = payload.firstIndex(of: 0).map { $0 + 1 } ?? 0
    return payload[start...].allSatisfy { $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }
  }
}
