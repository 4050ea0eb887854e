// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// The units of an AV1 stream that are relevant before decoding.
///
/// - Source: AV1 Bitstream & Decoding Process Specification (2019), 5.3 (units), 5.5 (sequence
///   header).
struct OBUParser {
  /// The first readable sequence header.
  private(set) var sequence: SequenceParameters?
  /// The largest size in any of the sequence headers.
  private(set) var largest: PixelSize?
  /// The number of frames.
  private(set) var frameCount = 0

  /// Walks through the complete units.
  init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) {
    var reader = BoxReader(bytes, in: range)
    while let header = try? reader.unsigned(1) {
      let hasSize = header & 2 != 0
      if header & 4 != 0, (try? reader.skip(1)) == nil { return }
      guard let length = hasSize ? Self.length(&reader) : reader.remaining,
        length <= reader.remaining
      else {
        return
      }
      let body = reader.position..<(reader.position + length)
      read(header >> 3 & 15, bytes, body)
      guard (try? reader.skip(length)) != nil else { return }
    }
  }

  private mutating func read(_ kind: Int, _ bytes: UnsafeRawBufferPointer, _ body: Range<Int>) {
    switch kind {
    case 1:
      var reader = BitReader(Array(bytes[body].prefix(1024)))
      guard let found = Self.sequence(&reader) else { return }
      sequence = sequence ?? found
      if found.size.pixelCount > largest?.pixelCount ?? 0 { largest = found.size }
    case 3, 6: frameCount += 1
    default: break
    }
  }

  /// Returns a number of up to eight groups of seven bits, lowest first.
  private static func length(_ reader: inout BoxReader) -> Int? {
    var value = 0
    for group in 0..<8 {
      guard let byte = try? reader.unsigned(1) else { return nil }
      value |= (byte & 0x7F) << (7 * group)
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }

  private static func sequence(_ reader: inout BitReader) -> SequenceParameters? {
    let profile = reader.bits(3)
    reader.skip(1)
    let isReduced = reader.flag()
    if isReduced {
      reader.skip(5)
    } else {
      skipTiming(&reader)
    }
    let widthBits = reader.bits(4) + 1
    let heightBits = reader.bits(4) + 1
    let size = PixelSize(width: reader.bits(widthBits) + 1, height: reader.bits(heightBits) + 1)
    skipTools(&reader, isReduced: isReduced)
    let isHigh = reader.flag()
    let isTwelve = profile == 2 && isHigh && reader.flag()
    let isMonochrome = profile != 1 && reader.flag()
    var codedColor = CodedColor.unstated
    if reader.flag() { codedColor.readCodes(&reader) }
    // sRGB primaries and transfer with the identity matrix imply full range without a flag.
    let isRGB = codedColor.primaries == 1 && codedColor.transfer == 13 && codedColor.matrix == 0
    codedColor.isFullRange = !isMonochrome && isRGB || reader.flag()
    var chroma = ChromaFormat.full
    if isMonochrome {
      chroma = .gray
    } else if !isRGB, profile != 1 {
      let isHalf = profile == 0 || !isTwelve || reader.flag()
      let hasHalfRows = profile == 0 || isTwelve && isHalf && reader.flag()
      chroma = hasHalfRows ? .halfBoth : isHalf ? .halfColumns : .full
    }
    guard !reader.isExhausted else { return nil }
    return SequenceParameters(
      size: size, visibleSize: size, bitDepth: isTwelve ? 12 : isHigh ? 10 : 8, chroma: chroma,
      color: codedColor)
  }

  private static func skipTiming(_ reader: inout BitReader) {
    var delayBits: Int?
    if reader.flag() {
      reader.skip(64)
      if reader.flag() { _ = reader.exponential() }
      if reader.flag() {
        delayBits = reader.bits(5) + 1
        reader.skip(32 + 5 + 5)
      }
    }
    let hasDelay = reader.flag()
    for _ in 0...reader.bits(5) {
      reader.skip(12)
      if reader.bits(5) > 7 { reader.skip(1) }
      if let delayBits, reader.flag() { reader.skip(2 * delayBits + 1) }
      if hasDelay, reader.flag() { reader.skip(4) }
    }
  }

  private static func skipTools(_ reader: inout BitReader, isReduced: Bool) {
    if !isReduced, reader.flag() { reader.skip(7) }
    reader.skip(3)
    if !isReduced {
      reader.skip(4)
      let hasOrderHint = reader.flag()
      if hasOrderHint { reader.skip(2) }
      let choosesScreenTools = reader.flag()
      let usesScreenTools = choosesScreenTools || reader.flag()
      if usesScreenTools, !reader.flag() { reader.skip(1) }
      if hasOrderHint { reader.skip(3) }
    }
    reader.skip(3)
  }
}
