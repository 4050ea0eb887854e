// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs

/// Headers with numbers at their limits, and several that contradict each other: from them follows
/// which part of an image a decoder writes.
@Suite("Sequence headers", .seeded)
struct SequenceHeaderTests {
  /// A header that is written bit by bit.
  private struct Bits {
    private var bits: [UInt8] = []

    mutating func write(_ value: Int, _ count: Int) {
      for bit in (0..<count).reversed() { bits.append(UInt8(value >> bit & 1)) }
    }

    mutating func writeExponential(_ values: Int...) {
      for value in values {
        let length = Int.bitWidth - (value + 1).leadingZeroBitCount
        write(value + 1, 2 * length - 1)
      }
    }

    var bytes: [UInt8] {
      stride(from: 0, to: bits.count, by: 8).map { start in
        bits[start..<min(start + 8, bits.count)].enumerated()
          .reduce(0) { $0 | $1.element << UInt8(7 - $1.offset) }
      }
    }
  }

  // MARK: HEVC

  private struct Parameters {
    var format = 3
    var width = 32
    var height = 24
    var window = [0, 0, 0, 0]
    var luma = 0
    var chroma = 0
    /// The rest, up to the color information.
    var others = [Int](repeating: 0, count: 9)

    /// The unit with the emulation prevention bytes.
    var unit: [UInt8] {
      var bits = Bits()
      bits.write(0, 8)
      for _ in 0..<3 { bits.write(0xFFFF_FFFF, 32) }
      bits.writeExponential(0, format)
      if format == 3 { bits.write(0, 1) }
      bits.writeExponential(width, height)
      bits.write(1, 1)
      for margin in window { bits.writeExponential(margin) }
      bits.writeExponential(luma, chroma, others[0])
      bits.write(1, 1)
      for number in others { bits.writeExponential(number) }
      bits.write(0, 5 + 24)
      var escaped: [UInt8] = [33 << 1, 1]
      for byte in bits.bytes {
        if byte <= 3, escaped.suffix(2) == [0, 0] { escaped.append(3) }
        escaped.append(byte)
      }
      return escaped
    }

    var read: SequenceParameters? {
      unit.withUnsafeBytes { HEVCSequence.sequence(unit: Slice(base: $0, bounds: 0..<$0.count)) }
    }
  }

  @Test func `a window is a part of its image`() {
    #expect(Parameters().read?.visibleSize == PixelSize(width: 32, height: 24))
    let cropped = Parameters(format: 1, window: [1, 2, 0, 3]).read
    #expect(cropped?.size == PixelSize(width: 32, height: 24))
    #expect(cropped?.visibleSize == PixelSize(width: 26, height: 18))
    for window in [[16, 16, 0, 0], [0, 33, 0, 0], [0, 0, 24, 0], [0, 0, 20, 1 << 31]] {
      #expect(Parameters(window: window).read == nil, "\(window)")
    }
  }

  @Test func `numbers at their limits give an image with pixels or none`() {
    var random = SeededNumbers(5)
    let limits = [0, 1, 2, 8, 16, 255, 65_535, 1 << 30, (1 << 32) - 2]
    func limit() -> Int { limits[random.below(limits.count)] }
    var readable = 0
    for _ in 0..<SeededNumbers.cases(4000) {
      var parameters = Parameters(format: random.below(5))
      // One of two keeps a number that is possible.
      if random.below(2) == 0 { parameters.width = limit() }
      if random.below(2) == 0 { parameters.height = limit() }
      if random.below(2) == 0 { parameters.luma = limit() }
      if random.below(2) == 0 { parameters.chroma = limit() }
      for side in 0..<4 where random.below(2) == 0 { parameters.window[side] = limit() }
      for index in 0..<9 where random.below(2) == 0 { parameters.others[index] = limit() }
      guard let found = parameters.read, let visible = found.visibleSize else { continue }
      readable += 1
      #expect(!visible.isEmpty && found.bitDepth <= 16, "\(parameters)")
      #expect(visible.width <= found.size.width && visible.height <= found.size.height)
    }
    #expect(readable > 10)
  }

  private func message(_ file: HEIFFile) -> String {
    codecError { _ = try ImageDecoders.open(FileBytes(file.bytes)) }?.description ?? "accepted"
  }

  @Test(.enabled(if: CodedPicture.isPossible, "the program ffmpeg is not installed"))
  func `a window outside of the image, and one that differs, are refused`() throws {
    func file(_ parameters: Parameters) throws -> HEIFFile {
      var file = try HEIFDecoderTests.grid()
      let unit = parameters.unit
      file.items[3].data = HEIFFile.number(unit.count, 4) + unit + file.items[3].data
      return file
    }
    #expect(
      message(try file(Parameters(window: [40, 0, 0, 0])))
        .contains("sequence parameters are unreadable"))
    // A decoder would use the last one, and fill only a part of the tile's place.
    #expect(
      message(try file(Parameters(window: [0, 2, 0, 0])))
        .contains("contradictory sequence parameters"))
  }

  // MARK: AV1

  /// Returns a unit with its length.
  private func unit(_ kind: Int, _ write: (inout Bits) -> Void) -> [UInt8] {
    var bits = Bits()
    write(&bits)
    let bytes = bits.bytes
    return [UInt8(kind << 3 | 2), UInt8(bytes.count)] + bytes
  }

  private func header(
    width: Int = 32, isReduced: Bool, times: Int? = nil, identifiers: Bool = false
  ) -> [UInt8] {
    unit(1) { bits in
      bits.write(0b0001 << 1 | (isReduced ? 1 : 0), 5)
      if isReduced {
        bits.write(0, 5)
      } else {
        bits.write(times == nil ? 0 : 1, 1)
        if let times {
          bits.write(1, 32)
          bits.write(1, 32)
          bits.write(0b01, 2)
          bits.write(0, 5 + 32 + 5)
          bits.write(times - 1, 5)
        }
        bits.write(0, 1 + 5 + 12 + 5)
        if times != nil { bits.write(0, 1) }
      }
      bits.write(15, 4)
      bits.write(15, 4)
      bits.write(width - 1, 16)
      bits.write(23, 16)
      if !isReduced {
        bits.write(identifiers ? 1 : 0, 1)
        if identifiers { bits.write(0b0011_010, 7) }
      }
      bits.write(0, 3)
      // No tools; frames decide about those for screens.
      if !isReduced { bits.write(0b0000_0_1_1, 7) }
      bits.write(0, 3 + 3 + 2 + 8)
    }
  }

  /// Returns a frame unit up to the flag for a size of its own.
  private func frame(
    hasSize: Bool, times: Int = 0, identifiers: Bool = false, isForScreens: Bool = false
  ) -> [UInt8] {
    unit(6) { bits in
      bits.write(0b0001, 4)
      bits.write(0, times)
      bits.write(0, 1)
      bits.write(isForScreens ? 0b10 : 0, isForScreens ? 2 : 1)
      if identifiers { bits.write(0, 8) }
      bits.write(hasSize ? 1 : 0, 1)
      bits.write(0, 16)
    }
  }

  private func read(_ units: [UInt8]...) -> OBUParser {
    var parser = OBUParser()
    for unit in units { unit.withUnsafeBytes { parser.read($0, in: 0..<$0.count) } }
    return parser
  }

  @Test func `a frame with a size of its own is found`() {
    let size = PixelSize(width: 32, height: 24)
    let reduced = read(header(isReduced: true), unit(6) { $0.write(0xFF, 8) })
    #expect(reduced.sequence?.visibleSize == size && reduced.frameCount == 1)
    for (times, identifiers, isForScreens) in [
      (nil, false, false), (9, false, true), (32, true, false), (nil, true, true),
    ] {
      for hasSize in [false, true] {
        let parser = read(
          header(isReduced: false, times: times, identifiers: identifiers),
          frame(
            hasSize: hasSize, times: times ?? 0, identifiers: identifiers,
            isForScreens: isForScreens))
        #expect(parser.sequence?.size == size && !parser.isContradictory)
        #expect(parser.sequence?.visibleSize == (hasSize ? nil : size))
      }
    }
    // Without a header, nothing is known about frames.
    #expect(read(frame(hasSize: false), header(isReduced: false)).hasFrameSizes)
  }

  @Test(.enabled(if: CodedPicture.isPossible, "the program ffmpeg is not installed"))
  func `tiles of other sizes than their sequence header are refused`() throws {
    let plain = CodedPicture.Settings().with { $0.codec = "av1" }
    var file = try HEIFDecoderTests.grid()
    file.brands = ["avif", "mif1", "miaf"]
    for index in 1...4 {
      file.items[index] = HEIFFile.item(1 + index, try CodedPicture.make(plain))
    }
    #expect(message(file) == "accepted")
    var changed = file
    changed.items[3].data = header(isReduced: false) + frame(hasSize: true)
    #expect(message(changed).contains("with frames of other sizes"))
    changed.items[3].data = header(isReduced: false) + frame(hasSize: false)
    #expect(message(changed) == "accepted")
    for width in [31, 33] {
      changed.items[3].data = file.items[3].data + header(width: width, isReduced: true)
      #expect(message(changed).contains("contradictory sequence headers"))
    }
  }
}
