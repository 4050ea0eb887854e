// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels
import PhotoEditPlatform
package import PhotoEditStorage

/// An assembler that joins bands into one JPEG, after its marker segments.
///
/// Bands may come from several threads and in any order; early bands are kept until their turn. The
/// result is byte for byte equal to the output of one encoder with a restart marker per MCU row.
package final class JPEGAssembler: Sendable {
  private struct State {
    var file: [UInt8]
    /// Bytes of the start marker and the segments.
    var openingCount: Int
    /// The common header of the bands, from the first one.
    var head: JPEGBandLayout?
    var headBytes: [UInt8] = []
    /// Rows joined so far, and the number of bands that contained them.
    var rows = 0
    var joined = 0
    var early: [Int: [UInt8]] = [:]
  }

  private let size: PixelSize
  private let staged: StagedFile?
  private let otherBytes: Int
  private let limits: ImageLimits?
  private let state: LockedValue<State>

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - size: The size of the whole image.
  ///   - segments: Segments to write after the start marker, in this order.
  ///   - capacity: Expected maximum size of the bands in bytes; exceeding it costs a copy.
  ///   - staged: A file to write while the bands are joined, if the segments are final.
  ///   - otherBytes: The memory that is used besides the file, in bytes.
  ///   - limits: The limits for both together, which a file of noise can exceed.
  ///   - addsJFIF: Whether to write a JFIF segment first if the segments do not include one.
  package init(
    size: PixelSize, segments: [JPEGSegment] = [], capacity: Int = 0,
    writing staged: StagedFile? = nil, besides otherBytes: Int = 0, limits: ImageLimits? = nil,
    addsJFIF: Bool = true
  ) throws(CodecError) {
    guard (1...65_500).contains(size.height) else {
      throw .encoding("JPEG height must be 1–65500 (found \(size.height))")
    }
    self.size = size
    self.staged = staged
    (self.otherBytes, self.limits) = (otherBytes, limits)
    let opening = try Self.opening(segments: segments, addsJFIF: addsJFIF)
    // Unused space costs nothing; few files have more than one byte per pixel.
    var file = HugePageMemory.array(
      capacity: opening.count + max(size.pixelCount, capacity) + (16 << 10) + Self.laterCount)
    file += opening
    state = LockedValue(State(file: file, openingCount: opening.count))
  }

  /// Adds a band of `JPEGStripEncoder`.
  ///
  /// - Parameters:
  ///   - band: Encoded with the same settings as the others; its height is a multiple of eight MCU
  ///     rows, except for the last band.
  ///   - index: The index of the band from the top.
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
      state.file.withUnsafeBytes { staged?.grow(to: $0) }
    }
  }

  private func join(_ band: UnsafeBufferPointer<UInt8>, to state: inout State) throws(CodecError) {
    let part = try JPEGBandLayout(band)
    if let head = state.head {
      guard state.headBytes.withUnsafeBufferPointer({ part.hasSameTables(as: head, band, $0) })
      else { throw .encoding("band \(state.joined) has different settings") }
      guard state.rows % (8 * part.mcuHeight) == 0 else {
        throw .encoding(
          "\(state.rows) rows before band \(state.joined) are not a multiple of eight MCU rows"
        )
      }
      // After a multiple of eight MCU rows, the next restart marker is always the eighth.
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
    try limits?.check(memory: otherBytes + state.file.count + band.count)
    state.file += UnsafeBufferPointer(rebasing: band[part.scanStart..<band.count - 2])
    state.rows += part.height
    state.joined += 1
  }

  /// The SHA-256 digest of the joined bands so far, without the marker segments before them.
  package var digest: SHA256Digest {
    state.withLock { state in
      var digest = DigestBuilder()
      state.file.withUnsafeBytes {
        digest.update(UnsafeRawBufferPointer(rebasing: $0[state.openingCount...]))
      }
      return digest.finish()
    }
  }

  /// Space reserved for segments supplied at the end.
  private static let laterCount = 256 << 10

  /// Ends the file and returns it; must be called once.
  ///
  /// - Parameters:
  ///   - segments: Replacements for the initial segments; nil to keep those. The image data is
  ///     moved within its memory.
  ///   - addsJFIF: Whether to write a JFIF segment first if these segments do not include one.
  package func finish(
    with segments: [JPEGSegment]? = nil, addsJFIF: Bool = true
  ) throws(CodecError) -> [UInt8] {
    var opening: [UInt8]?
    if let segments {
      opening = try Self.opening(segments: segments, addsJFIF: addsJFIF)
      staged?.restart()
    }
    let (file, rows, isEmpty) = state.withLock { state in
      if let opening { state.file.replaceSubrange(0..<state.openingCount, with: opening) }
      state.file += [0xFF, 0xD9]
      let file = state.file
      state.file = []
      return (file, state.rows, state.joined == 0)
    }
    if isEmpty { throw .encoding("there are no bands to join") }
    guard rows == size.height else {
      throw .encoding("the bands contain \(size.width)×\(rows) pixels, expected \(size)")
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

  /// Returns the start marker and the segments after it.
  static func opening(segments: [JPEGSegment], addsJFIF: Bool)
    throws(CodecError) -> [UInt8]
  {
    var bytes: [UInt8] = [0xFF, 0xD8]
    let hasJFIF = segments.contains { $0.kind == .jfif }
    // The same as libjpeg.
    let added = addsJFIF && !hasJFIF ? [JPEGSegment(marker: 0xE0, payload: JFIF.plain)] : []
    for segment in added + segments {
      let (marker, payload) = (segment.marker, segment.payload)
      guard (0xE0...0xEF).contains(marker) || marker == 0xFE else {
        throw .encoding("marker \(marker) is not allowed before an image")
      }
      guard payload.count <= JPEGSegment.maximumPayloadCount else {
        throw .encoding(
          "a segment of \(payload.count) bytes (maximum: \(JPEGSegment.maximumPayloadCount))")
      }
      let length = payload.count + 2
      bytes += [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)]
      bytes += payload
    }
    return bytes
  }
}

/// The positions of the parts of a band.
private struct JPEGBandLayout {
  var width = 0
  var height = 0
  var mcuHeight = 8
  /// The offset of the two bytes with the height.
  var heightOffset = 0
  /// The first byte of entropy-coded data.
  var scanStart = 0

  init(_ band: UnsafeBufferPointer<UInt8>) throws(CodecError) {
    let damage = CodecError.encoding("a band is not a JPEG written by this encoder")
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
        // The sampling of a single component is ignored; among several components, luma has the
        // largest.
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

  /// Returns whether two headers differ only in the height.
  func hasSameTables(
    as other: JPEGBandLayout, _ band: UnsafeBufferPointer<UInt8>,
    _ otherHead: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard scanStart == other.scanStart, heightOffset == other.heightOffset,
      let first = band.baseAddress, let second = otherHead.baseAddress
    else { return false }
    let rest = heightOffset + 2
    return memcmp(first, second, heightOffset) == 0
      && memcmp(first + rest, second + rest, scanStart - rest) == 0
  }
}
