// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers
package import PhotoEditPixels
package import PhotoEditStorage

/// Joins bands into one JPEG and puts marker segments in front.
///
/// Bands may come from several threads and in any order; those that come early wait. The result
/// equals, byte for byte, what one encoder with a restart marker per MCU row writes.
package final class JPEGAssembler: Sendable {
  private struct State {
    var file: [UInt8]
    /// Bytes of the start marker and the segments.
    var openingCount: Int
    /// What the bands have in common, out of the first one.
    var head: JPEGBandLayout?
    var headBytes: [UInt8] = []
    /// Rows that have been joined, and the number of bands they came in.
    var rows = 0
    var joined = 0
    var early: [Int: [UInt8]] = [:]
  }

  private let size: PixelSize
  private let state: Guarded<State>

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - size: The whole picture.
  ///   - segments: Written behind the start marker, in this order.
  ///   - capacity: Bytes that the bands take at most; more is possible and costs a copy.
  ///   - addsJFIF: Whether a JFIF segment goes first if the segments bring none.
  package init(
    size: PixelSize, segments: [JPEGSegment] = [], capacity: Int = 0, addsJFIF: Bool = true
  ) throws(CodecError) {
    guard (1...65_500).contains(size.height) else {
      throw .encoding("a JPEG has 1 to 65500 rows, not \(size.height)")
    }
    self.size = size
    let opening = try Self.opening(segments: segments, addsJFIF: addsJFIF)
    // Space that is not used costs nothing; few files have more than a byte for a pixel.
    var file = LargeMemory.array(
      capacity: opening.count + max(size.pixelCount, capacity) + (16 << 10) + Self.laterCount)
    file += opening
    state = Guarded(State(file: file, openingCount: opening.count))
  }

  /// Takes a band of `JPEGStripEncoder`.
  ///
  /// - Parameters:
  ///   - band: Made with the same settings as the others; a multiple of eight MCU rows high, unless
  ///     it is the last one.
  ///   - index: Its place, counted from the top.
  package func add(_ band: UnsafeBufferPointer<UInt8>, at index: Int) throws(CodecError) {
    try state.withLock { state throws(CodecError) in
      if index > state.joined {
        state.early[index] = Array(band)
        return
      }
      try join(band, to: &state)
      while let next = state.early.removeValue(forKey: state.joined) {
        try next.withUnsafeBufferPointer { band throws(CodecError) in
          try join(band, to: &state)
        }
      }
    }
  }

  private func join(_ band: UnsafeBufferPointer<UInt8>, to state: inout State) throws(CodecError) {
    let part = try JPEGBandLayout(band)
    if let head = state.head {
      guard state.headBytes.withUnsafeBufferPointer({ part.hasSameTables(as: head, band, $0) })
      else { throw .encoding("band \(state.joined) was made with other settings") }
      guard state.rows % (8 * part.mcuHeight) == 0 else {
        throw .encoding(
          "the bands above band \(state.joined) have \(state.rows) rows, no multiple of eight MCU rows"
        )
      }
      // Behind a multiple of eight MCU rows the next marker is always the eighth.
      state.file += [0xFF, 0xD7]
    } else {
      guard part.width == size.width else {
        throw .encoding("the bands are \(part.width) pixels wide, expected \(size)")
      }
      state.head = part
      state.headBytes = Array(band[..<part.scanStart])
      let start = state.file.count - 2
      state.file += band[2..<part.scanStart]
      state.file[start + part.heightOffset] = UInt8(size.height >> 8)
      state.file[start + part.heightOffset + 1] = UInt8(size.height & 255)
    }
    state.file += UnsafeBufferPointer(rebasing: band[part.scanStart..<band.count - 2])
    state.rows += part.height
    state.joined += 1
  }

  /// The SHA-256 of what the bands have given so far; marker segments in front of them do not count.
  package var digest: Digest {
    state.withLock { state in
      var digest = DigestBuilder()
      state.file.withUnsafeBytes {
        digest.update(UnsafeRawBufferPointer(rebasing: $0[state.openingCount...]))
      }
      return digest.finish()
    }
  }

  /// Room that is left for segments that come at the end.
  private static let laterCount = 256 << 10

  /// Ends the file and gives it; to be called once.
  ///
  /// - Parameters:
  ///   - segments: What takes the place of the segments with which the file began; nil to keep
  ///     them. The picture moves within its memory.
  ///   - addsJFIF: Whether a JFIF segment goes first if these segments bring none.
  package func finish(
    with segments: [JPEGSegment]? = nil, addsJFIF: Bool = true
  ) throws(CodecError) -> [UInt8] {
    var opening: [UInt8]?
    if let segments { opening = try Self.opening(segments: segments, addsJFIF: addsJFIF) }
    let (file, rows, isEmpty) = state.withLock { state in
      if let opening { state.file.replaceSubrange(0..<state.openingCount, with: opening) }
      state.file += [0xFF, 0xD9]
      let file = state.file
      state.file = []
      return (file, state.rows, state.joined == 0)
    }
    if isEmpty { throw .encoding("there are no bands to join") }
    guard rows == size.height else {
      throw .encoding("the bands make \(size.width)×\(rows) pixels, expected \(size)")
    }
    return file
  }

  /// Joins bands that are all in memory, from top to bottom.
  package static func join(
    bands: [[UInt8]], size: PixelSize, segments: [JPEGSegment] = [],
    addsJFIF: Bool = true
  ) throws(CodecError) -> [UInt8] {
    let assembler = try JPEGAssembler(size: size, segments: segments, addsJFIF: addsJFIF)
    for (index, band) in bands.enumerated() {
      try band.withUnsafeBufferPointer { band throws(CodecError) in
        try assembler.add(band, at: index)
      }
    }
    return try assembler.finish()
  }

  /// The start marker and the segments behind it.
  static func opening(segments: [JPEGSegment], addsJFIF: Bool)
    throws(CodecError) -> [UInt8]
  {
    let name = Array("JFIF\0".utf8)
    var bytes: [UInt8] = [0xFF, 0xD8]
    if addsJFIF, !segments.contains(where: { $0.kind == .jfif }) {
      // Version 1.01, square pixels of no known size, no thumbnail: as libjpeg writes it.
      bytes += [0xFF, 0xE0, 0, 16] + name + [1, 1, 0, 0, 1, 0, 1, 0, 0]
    }
    for segment in segments {
      let (marker, payload) = (segment.marker, segment.payload)
      guard (0xE0...0xEF).contains(marker) || marker == 0xFE else {
        throw .encoding("marker \(marker) cannot stand in front of a picture")
      }
      guard payload.count <= JPEGSegment.maximumPayloadCount else {
        throw .encoding(
          "a segment of \(payload.count) bytes, at most \(JPEGSegment.maximumPayloadCount) fit")
      }
      let length = payload.count + 2
      bytes += [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)]
      bytes += payload
    }
    return bytes
  }
}

/// Where the parts of a band lie.
private struct JPEGBandLayout {
  var width = 0
  var height = 0
  var mcuHeight = 8
  /// The two bytes that hold the height.
  var heightOffset = 0
  /// The first byte of entropy-coded data.
  var scanStart = 0

  init(_ band: UnsafeBufferPointer<UInt8>) throws(CodecError) {
    let damage = CodecError.encoding("a band is not a JPEG of this encoder")
    guard band.count >= 4, band[0] == 0xFF, band[1] == 0xD8, band[band.count - 2] == 0xFF,
      band[band.count - 1] == 0xD9
    else { throw damage }
    var offset = 2
    while offset + 4 <= band.count - 2, band[offset] == 0xFF {
      let marker = band[offset + 1]
      guard let payload = JPEGMarker.payload(in: band.dropLast(2), at: offset + 2) else {
        throw damage
      }
      let end = payload.upperBound
      if marker == 0xC0 || marker == 0xC1 {
        guard end - offset >= 13 else { throw damage }
        heightOffset = offset + 5
        height = Int(band[offset + 5]) << 8 | Int(band[offset + 6])
        width = Int(band[offset + 7]) << 8 | Int(band[offset + 8])
        // The sampling of a single component says nothing; of several, luma has the largest.
        mcuHeight = band[offset + 9] == 1 ? 8 : 8 * Int(band[offset + 11] & 15)
      }
      offset = end
      if marker == 0xDA {
        guard heightOffset > 0, height > 0, mcuHeight > 0 else { throw damage }
        scanStart = offset
        return
      }
    }
    throw damage
  }

  /// Whether two heads differ in nothing but the height.
  func hasSameTables(
    as other: JPEGBandLayout, _ band: UnsafeBufferPointer<UInt8>,
    _ otherHead: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    scanStart == other.scanStart && heightOffset == other.heightOffset
      && band[..<heightOffset].elementsEqual(otherHead[..<heightOffset])
      && band[(heightOffset + 2)..<scanStart].elementsEqual(
        otherHead[(heightOffset + 2)..<scanStart])
  }
}
