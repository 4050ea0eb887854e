// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("JPEGs under random damage", .seeded)
struct JPEGRobustnessTests {
  typealias Fixture = JPEGScene

  /// Small files of every coding process.
  static let kinds = [
    "baseline", "gray", "restart", "progressive", "arithmetic", "inks", "odd",
  ]

  static func sample(_ kind: String) throws -> [UInt8] {
    let image = Fixture.scene(width: 40, height: 40)
    return switch kind {
    case "baseline": try TestImages.bytes("photo-64.jpg")
    case "gray":
      try Fixture.encode(
        Fixture.scene(width: 41, height: 23, channels: .gray), Fixture.settings(isGray: true))
    case "restart": try Fixture.encode(image, Fixture.settings(quality: 50, sampling: .s422))
    case "progressive": try TestImages.bytes("jpeg-progressive.jpg")
    case "arithmetic": try TestImages.bytes("jpeg-arithmetic.jpg")
    case "inks": try TestImages.bytes("jpeg-ycck.jpg")
    default: try TestImages.bytes("jpeg-17x31.jpg")
    }
  }

  /// Decodes twice over different memory; without an error every byte must have been written.
  private func check(_ bytes: [UInt8], _ label: @autoclosure () -> String) {
    let lenient = DecoderOptions(limits: Decoding.small, isLenient: true)
    for options in [DecoderOptions(limits: Decoding.small), lenient] {
      let first = Decoding.decode(bytes, options: options, poison: 0xA5)
      guard let image = first.image, image.size.pixelCount < 1 << 16 else { continue }
      let second = Decoding.decode(bytes, options: options, poison: 0x5A)
      #expect(first == second, "\(label())")
    }
  }

  @Test(arguments: kinds)
  func `flipped bits result in a complete image or an error`(kind: String) throws {
    let bytes = try Self.sample(kind)
    // Three in four flips hit the headers, where they have the largest effect.
    let header = try Fixture.segment(0xDA, of: bytes).lowerBound + 16
    var random = SeededNumbers(20_260_701 + (Self.kinds.firstIndex(of: kind) ?? 0))
    for round in 0..<(bytes.count > 10_000 ? 600 : 3000) {
      var damaged = bytes
      for _ in 0...random.below(3) {
        let end = random.below(4) > 0 ? min(header, bytes.count) : bytes.count
        damaged[random.below(end)] ^= 1 << UInt8(random.below(8))
      }
      check(damaged, "\(kind), round \(round)")
    }
  }

  @Test(arguments: ["baseline", "gray", "restart", "odd"])
  func `truncation at any length results in a complete image or an error`(kind: String) throws {
    let bytes = try Self.sample(kind)
    for count in 0..<bytes.count {
      let strict = Decoding.decode(Array(bytes[..<count]))
      // Only the end marker may be missing.
      #expect(strict.image == nil || count >= bytes.count - 2, "\(kind) cut at \(count)")
      check(Array(bytes[..<count]), "\(kind) cut at \(count)")
    }
  }

  @Test(arguments: ["baseline", "gray", "restart", "progressive", "inks"])
  func `entropy decoding alone finds the same damage as full decoding`(kind: String) throws {
    let bytes = try Self.sample(kind)
    let first = try Fixture.segment(0xDA, of: bytes).lowerBound + 16
    var random = SeededNumbers(20_261_123)
    var found = 0
    for round in 0..<SeededNumbers.cases(200) {
      var damaged = bytes
      if round % 4 == 0 {
        damaged.removeLast(1 + random.below(bytes.count - first))
      } else {
        damaged[first + random.below(bytes.count - first)] ^= 1 << UInt8(random.below(8))
      }
      let isDamaged = Self.isDamaged { () throws(CodecError) in
        _ = try ImageDecoders.decode(FileBytes(damaged))
      }
      found += isDamaged ? 1 : 0
      #expect(
        Self.isDamaged { () throws(CodecError) in
          try ImageDecoders.verify(FileBytes(damaged))
        } == isDamaged, "\(kind), round \(round)")
    }
    #expect(found > SeededNumbers.cases(20))
  }

  private static func isDamaged(_ body: () throws(CodecError) -> Void) -> Bool {
    do throws(CodecError) { try body() } catch {
      if case .damaged = error { return true }
    }
    return false
  }

  @Test(arguments: ["baseline", "gray", "restart", "progressive"])
  func `flipped bits result in a valid transform or an error`(kind: String) throws {
    let bytes = try Self.sample(kind)
    var random = SeededNumbers(20_260_801)
    for round in 0..<(bytes.count > 10_000 ? 100 : 400) {
      var damaged = bytes
      for _ in 0...random.below(3) {
        damaged[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
      }
      let rotation = Orientation.allCases[random.below(8)]
      let label = "\(kind), round \(round), \(rotation)"
      let options = DecoderOptions(limits: Decoding.small, isLenient: round % 2 == 0)
      do throws(CodecError) {
        let frame = try JPEGDecoder(FileBytes(damaged), options: options).frame
        guard frame.size.pixelCount < 1 << 16 else { continue }
        let transform = JPEGCoefficientTransform(
          orientation: rotation, crop: Region(frame.size), chroma: .keep)
        guard transform.isExact(for: frame) else { continue }
        let result = try transform.run(FileBytes(damaged), options: options)
        // The output is a valid file for any input.
        let decoding = Decoding.decode(result.bytes)
        #expect(
          decoding.image?.size == rotation.applied(to: frame.size),
          "\(label): \(String(describing: decoding.error)) \(result.notices)")
        #expect(decoding.notices.isEmpty, "\(label)")
      } catch {
        // Rejected; the error depends on the bits.
        continue
      }
    }
  }
}
