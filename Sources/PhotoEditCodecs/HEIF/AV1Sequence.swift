// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// The units of an AV1 stream that are relevant before decoding.
///
/// - Source: AV1 Bitstream & Decoding Process Specification (2019), 5.3 (units), 5.5 (sequence
///   header), 5.9.2 (frame header).
struct OBUParser {
  /// A sequence header with the fields on which the position of others in a frame header depends.
  private struct Header: Hashable {
    var parameters: SequenceParameters
    var frames: FrameSyntax
  }

  fileprivate struct FrameSyntax: Hashable {
    /// Indicates whether the headers have only the fields of a still image.
    var isReduced = false
    /// The bits of the time at which a frame is shown.
    var timeBits = 0
    /// Indicates whether frames use tools for the contents of screens; nil if each decides.
    var usesScreenTools: Bool?
    /// Indicates whether each frame with such tools also decides about motion in whole pixels.
    var choosesMotion = true
    /// The bits of the identifier of a frame.
    var identifierBits = 0
  }

  private var header: Header?
  /// Indicates whether sequence headers differ, or one is unreadable.
  private(set) var isContradictory = false
  /// Indicates whether a frame has a size of its own, which may be smaller than in the sequence
  /// header.
  private(set) var hasFrameSizes = false
  /// The number of frames.
  private(set) var frameCount = 0

  /// The sequence header.
  var sequence: SequenceParameters? {
    header.map { header in
      var parameters = header.parameters
      if hasFrameSizes { parameters.visibleSize = nil }
      return parameters
    }
  }

  /// Walks through the complete units, which continue those that were read before.
  mutating func read(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) {
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
    var reader = BitReader(Array(bytes[body].prefix(1024)))
    switch kind {
    case 1:
      let found = Self.sequence(&reader)
      isContradictory = isContradictory || found == nil || header != nil && header != found
      header = header ?? found
    case 3, 6, 7:
      // A repeated header counts as that of a frame if it comes first.
      if kind != 7 { frameCount += 1 }
      hasFrameSizes = hasFrameSizes || header.map { $0.frames.hasSize(&reader) } ?? true
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

  private static func sequence(_ reader: inout BitReader) -> Header? {
    var frames = FrameSyntax()
    let profile = reader.bits(3)
    reader.skip(1)
    frames.isReduced = reader.flag()
    if frames.isReduced {
      reader.skip(5)
    } else {
      frames.readTiming(&reader)
    }
    let widthBits = reader.bits(4) + 1
    let heightBits = reader.bits(4) + 1
    let size = PixelSize(width: reader.bits(widthBits) + 1, height: reader.bits(heightBits) + 1)
    frames.readTools(&reader)
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
    return Header(
      parameters: SequenceParameters(
        size: size, visibleSize: size, bitDepth: isTwelve ? 12 : isHigh ? 10 : 8, chroma: chroma,
        color: codedColor),
      frames: frames)
  }
}

extension OBUParser.FrameSyntax {
  /// Returns whether a frame header states the size of its frame.
  func hasSize(_ reader: inout BitReader) -> Bool {
    let (keyFrame, switchFrame) = (0, 3)
    var type = keyFrame
    if !isReduced {
      // A frame that was decoded before is shown.
      if reader.flag() { return false }
      type = reader.bits(2)
      let isShown = reader.flag()
      reader.skip(isShown ? timeBits : 1)
      if type != switchFrame, type != keyFrame || !isShown { reader.skip(1) }
    }
    reader.skip(1)
    if usesScreenTools ?? reader.flag(), choosesMotion { reader.skip(1) }
    reader.skip(identifierBits)
    return !isReduced && (type == switchFrame || reader.flag())
  }

  mutating func readTiming(_ reader: inout BitReader) {
    var delayBits: Int?
    if reader.flag() {
      reader.skip(64)
      let hasEqualTimes = reader.flag()
      if hasEqualTimes { _ = reader.exponential() }
      if reader.flag() {
        delayBits = reader.bits(5) + 1
        reader.skip(32 + 5)
        let bits = reader.bits(5) + 1
        if !hasEqualTimes { timeBits = bits }
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

  mutating func readTools(_ reader: inout BitReader) {
    if !isReduced, reader.flag() {
      let difference = reader.bits(4) + 2
      identifierBits = difference + reader.bits(3) + 1
    }
    reader.skip(3)
    if !isReduced {
      reader.skip(4)
      let hasOrderHint = reader.flag()
      if hasOrderHint { reader.skip(2) }
      if !reader.flag() { usesScreenTools = reader.flag() }
      if usesScreenTools ?? true {
        choosesMotion = reader.flag()
        if !choosesMotion { reader.skip(1) }
      }
      if hasOrderHint { reader.skip(3) }
    }
    reader.skip(3)
  }
}
