// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// The color information in a coded picture, as ITU-T H.273 codes.
struct CodedColor: Hashable {
  var primaries: Int
  var transfer: Int
  var matrix: Int
  var isFullRange: Bool

  /// The code for "unspecified" in all three values.
  static let unspecified = 2

  /// The default for a coded picture without color information: limited range.
  ///
  /// - Source: ITU-T H.265 (V8, 2021), E.3.1, inference of video_full_range_flag.
  static let unstated = CodedColor(
    primaries: unspecified, transfer: unspecified, matrix: unspecified, isFullRange: false)

  mutating func readCodes(_ reader: inout BitReader) {
    (primaries, transfer, matrix) = (reader.bits(8), reader.bits(8), reader.bits(8))
  }
}

/// The chroma format of a coded picture; raw values match HEVC.
enum ChromaFormat: Int, Hashable {
  /// Luma only.
  case gray = 0
  /// One sample for two columns and two rows.
  case halfBoth = 1
  /// One sample for two columns.
  case halfColumns = 2
  /// One sample for each pixel.
  case full = 3
}

/// The sequence header of a coded picture, which determines the memory use of a decoder.
struct SequenceParameters: Hashable {
  /// The coded size, before any cropping.
  var size: PixelSize
  /// The size that a decoder delivers; nil if the frames have sizes of their own.
  var visibleSize: PixelSize?
  var bitDepth: Int
  var chroma: ChromaFormat
  /// Nil if the header has no color information, or cannot be parsed that far.
  var color: CodedColor?
}

/// The units of an HEVC stream that are relevant before decoding.
///
/// - Source: ITU-T H.265 (V8, 2021), 7.3.1 (units), 7.3.2.2 (sequence parameter set), 7.3.3
///   (profile, tier and level), 7.3.4 (scaling lists), E.2.1 (usability information).
enum HEVCSequence {
  private static let sequenceParameterSet = 33

  /// Reads a unit; returns nil if it is not a sequence parameter set, or is unreadable.
  static func sequence(unit: Slice<UnsafeRawBufferPointer>) -> SequenceParameters? {
    guard isSequence(unit: unit) else { return nil }
    // All relevant fields are in the first bytes; a scaling list may take 2 KB.
    var reader = BitReader(unescaped(unit.dropFirst(2).prefix(8192)))
    return sequence(&reader)
  }

  /// Returns whether the type of a unit is sequence parameter set.
  static func isSequence(unit: Slice<UnsafeRawBufferPointer>) -> Bool {
    unit.count > 2 && Int(unit[unit.startIndex] >> 1 & 0x3F) == sequenceParameterSet
  }

  /// Returns whether a unit starts a coded picture, that is, contains its first slice.
  static func startsImage(unit: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard unit.count > 2 else { return false }
    return unit[unit.startIndex] >> 1 & 0x3F < 32 && unit[unit.startIndex + 2] & 0x80 != 0
  }

  /// Removes the emulation prevention bytes.
  private static func unescaped(_ bytes: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    var zeros = 0
    for byte in bytes {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      plain.append(byte)
    }
    return plain
  }

  private static func sequence(_ reader: inout BitReader) -> SequenceParameters? {
    reader.skip(4)
    let layers = reader.bits(3)
    reader.skip(1)
    skipProfile(&reader, layers: layers)
    _ = reader.exponential()
    guard let format = ChromaFormat(rawValue: reader.exponential()) else { return nil }
    // A decoder treats three separately coded planes as three gray images.
    let chroma = format == .full && reader.flag() ? ChromaFormat.gray : format
    let width = reader.exponential()
    let height = reader.exponential()
    // Left, right, top and bottom, in samples of the differences.
    let margins = reader.flag() ? (0..<4).map { _ in reader.exponential() } : [0, 0, 0, 0]
    let columns = [.halfBoth, .halfColumns].contains(format) ? 2 : 1
    let rows = format == .halfBoth ? 2 : 1
    let luma = 8 + reader.exponential()
    let depth = max(luma, 8 + reader.exponential())
    let visibleWidth = width - columns * (margins[0] + margins[1])
    let visibleHeight = height - rows * (margins[2] + margins[3])
    guard !reader.isExhausted, visibleWidth > 0, visibleHeight > 0, depth <= 16 else { return nil }
    return SequenceParameters(
      size: PixelSize(width: width, height: height),
      visibleSize: PixelSize(width: visibleWidth, height: visibleHeight),
      bitDepth: chroma == .gray ? luma : depth,
      chroma: chroma,
      color: color(&reader, layers: layers))
  }

  private static func skipProfile(_ reader: inout BitReader, layers: Int) {
    reader.skip(88 + 8)
    let flags = (0..<layers).map { _ in (reader.flag(), reader.flag()) }
    if layers > 0 { reader.skip(2 * (8 - layers)) }
    for (hasProfile, hasLevel) in flags { reader.skip((hasProfile ? 88 : 0) + (hasLevel ? 8 : 0)) }
  }

  /// Reads up to the color information; nil if it is missing, or after fields that do not occur in
  /// still images.
  private static func color(_ reader: inout BitReader, layers: Int) -> CodedColor? {
    let countBits = 4 + reader.exponential()
    for _ in (reader.flag() ? 0 : layers)...layers {
      for _ in 0..<3 { _ = reader.exponential() }
    }
    for _ in 0..<6 { _ = reader.exponential() }
    if reader.flag(), reader.flag() { skipScalingLists(&reader) }
    reader.skip(2)
    if reader.flag() {
      reader.skip(8)
      _ = (reader.exponential(), reader.exponential())
      reader.skip(1)
    }
    guard reader.exponential() == 0 else { return nil }
    if reader.flag() {
      let count = reader.exponential()
      guard count <= 32 else { return nil }
      reader.skip(count * (countBits + 1))
    }
    reader.skip(2)
    guard reader.flag() else { return nil }
    if reader.flag(), reader.bits(8) == 255 { reader.skip(32) }
    if reader.flag() { reader.skip(1) }
    guard reader.flag() else { return nil }
    reader.skip(3)
    var color = CodedColor.unstated
    color.isFullRange = reader.flag()
    if reader.flag() { color.readCodes(&reader) }
    return reader.isExhausted ? nil : color
  }

  private static func skipScalingLists(_ reader: inout BitReader) {
    for size in 0..<4 {
      for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) where !reader.isExhausted {
        guard reader.flag() else {
          _ = reader.exponential()
          continue
        }
        if size > 1 { _ = reader.exponential() }
        for _ in 0..<min(64, 1 << (4 + 2 * size)) { _ = reader.exponential() }
      }
    }
  }
}

/// A reader for numbers of any bit count in the header of a coded picture.
///
/// Reads past the end return zero and set `isExhausted`, so that callers check only once.
struct BitReader {
  private let bytes: [UInt8]
  private var position = 0
  /// Indicates whether a read went past the end, or a number was too long.
  private(set) var isExhausted = false

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a number of 0 to 32 bits, most significant first.
  mutating func bits(_ count: Int) -> Int {
    var value = 0
    for _ in 0..<count {
      value <<= 1
      guard position < 8 * bytes.count else {
        isExhausted = true
        continue
      }
      value |= Int(bytes[position / 8] >> UInt8(7 - position % 8) & 1)
      position += 1
    }
    return value
  }

  mutating func flag() -> Bool { bits(1) == 1 }

  mutating func skip(_ count: Int) {
    guard count <= 8 * bytes.count - position else {
      isExhausted = true
      position = 8 * bytes.count
      return
    }
    position += count
  }

  /// Reads an Exp-Golomb number, `ue(v)` of HEVC and `uvlc()` of AV1; below 2³².
  mutating func exponential() -> Int {
    var zeros = 0
    while !isExhausted, !flag() { zeros += 1 }
    guard zeros <= 31, !isExhausted else {
      isExhausted = true
      return 0
    }
    return (1 << zeros) - 1 + bits(zeros)
  }
}
