// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs

@Suite("Hostile files", .seeded)
struct HostileFileTests {
  private static let files: [(name: String, bytes: [UInt8])] = [
    ("plain", JPEGFixture.plain), ("progressive", JPEGFixture.progressive),
    ("arithmetic", JPEGFixture.arithmetic), ("cmyk", JPEGFixture.cmyk),
    ("scanByScan", JPEGFixture.scanByScan), ("png", PNGFixture.palette),
    ("interlaced", PNGFixture.interlaced),
  ]

  /// Decodes twice into differently poisoned memory, so that an unwritten byte would differ.
  private func check(_ bytes: [UInt8], _ what: String) {
    let limits = ImageLimits(maximumPixels: 1 << 14, maximumSide: 1 << 10, maximumScans: 30)
    for isLenient in [false, true] {
      let options = DecoderOptions(limits: limits, isLenient: isLenient)
      let first = Result { () throws(CodecError) in
        try TestImage.decode(bytes, options, poison: 0)
      }
      let second = Result { () throws(CodecError) in
        try TestImage.decode(bytes, options, poison: 255)
      }
      switch (first, second) {
      case (.success(let a), .success(let b)):
        #expect(a.image == b.image, "\(what): a row was not written completely")
      case (.failure(let a), .failure(let b)):
        #expect(a == b, "\(what)")
      default:
        Issue.record("\(what): two runs differ")
      }
    }
    let transform = JPEGCoefficientTransform(
      orientation: .right, crop: Region(x: 0, y: 0, width: 32, height: 32), chroma: .drop)
    _ = try? transform.run(
      FileBytes(bytes), options: DecoderOptions(limits: limits, isLenient: true))
  }

  @Test(arguments: files.indices)
  func `flipped bits never trap and never expose uninitialized memory`(index: Int) {
    let (name, bytes) = Self.files[index]
    var generator = SeededNumbers(20_260_101)
    for round in 0..<SeededNumbers.cases(300) {
      var spoilt = bytes
      for _ in 0...round % 3 {
        let bit = Int.random(in: 0..<bytes.count * 8, using: &generator)
        spoilt[bit / 8] ^= 1 << UInt8(bit % 8)
      }
      check(spoilt, "\(name), round \(round)")
    }
  }

  @Test(arguments: files.indices)
  func `flipping any bit of the header never traps`(index: Int) {
    let (name, bytes) = Self.files[index]
    for bit in 0..<min(bytes.count, 48) * 8 {
      var spoilt = bytes
      spoilt[bit / 8] ^= 1 << UInt8(bit % 8)
      check(spoilt, "\(name), bit \(bit)")
    }
  }

  @Test(arguments: files.indices)
  func `a file truncated anywhere never traps`(index: Int) {
    let (name, bytes) = Self.files[index]
    for count in 0..<bytes.count { check(Array(bytes.prefix(count)), "\(name), \(count) bytes") }
  }
}
