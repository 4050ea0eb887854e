// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs

/// Damage that libde265 conceals: it is refused, and what is shown of it leniently contains no pixel
/// of an image that the process decoded before.
@Suite(
  "Damaged HEIC", .seeded,
  .enabled(if: CodedPicture.isPossible, "the program ffmpeg is not installed"))
struct HEIFDamageTests {
  private static let settings = CodedPicture.Settings().with {
    ($0.width, $0.height, $0.chroma, $0.partCount) = (256, 192, [1, 1], 3)
  }

  private static func file(_ change: (inout [UInt8]) -> Void) throws -> [UInt8] {
    var file = HEIFFile(try CodedPicture.make(settings))
    change(&file.items[0].data)
    return file.bytes
  }

  /// The units of an item's data, each with its length.
  private static func units(_ data: [UInt8]) -> [[UInt8]] {
    var units: [[UInt8]] = []
    var start = 0
    while start < data.count {
      let length = data[start..<start + 4].reduce(4) { $0 << 8 | Int($1) } & 0xFF_FFFF
      units.append(Array(data[start..<start + 4 + length]))
      start += 4 + length
    }
    return units
  }

  private func lenient(_ bytes: [UInt8], after other: Int) throws -> (
    image: ImageBuffer, notices: [DecoderWarning]
  )? {
    let before = try CodedPicture.make(Self.settings.with { $0.seed = other })
    _ = try ImageDecoders.decode(FileBytes(HEIFFile(before).bytes))
    let decoder = try ImageDecoders.open(
      FileBytes(bytes), options: DecoderOptions(isLenient: true))
    guard let image = try? ImageDecoders.decode(decoder) else { return nil }
    return (image, decoder.notices)
  }

  private func expectRefusal(_ bytes: [UInt8], _ comment: Comment) {
    let error = codecError { _ = try ImageDecoders.decode(FileBytes(bytes)) }
    guard case .damaged(_, recoveredRows: nil, rows: 192) = error else {
      Issue.record("not refused as damaged: \(String(describing: error)); \(comment)")
      return
    }
  }

  @Test(arguments: [0, 1, 2])
  func `an image without one of its parts is refused and reveals no other image`(part: Int) throws {
    let bytes = try Self.file { data in
      var units = Self.units(data)
      let parts = units.indices.filter { units[$0][4] >> 1 & 0x3F < 32 }
      #expect(parts.count == 3)
      units.remove(at: parts[part])
      data = Array(units.joined())
    }
    if part == 0 {
      // Without its first part it is no picture.
      #expect(codecError { _ = try ImageDecoders.decode(FileBytes(bytes)) } != nil)
      return
    }
    expectRefusal(bytes, "part \(part)")
    let whole = try ImageDecoders.decode(FileBytes(try Self.file { _ in }))
    let first = try #require(try lenient(bytes, after: 2))
    #expect(first.image == (try lenient(bytes, after: 3))?.image)
    #expect(first.notices.map(\.kind) == [.filled])
    #expect(first.notices.first?.message.hasPrefix("1 of 1 coded pictures is damaged (") == true)
    // The missing third is gray, and another one is undamaged.
    func rows(_ image: ImageBuffer, _ part: Int) -> ArraySlice<UInt8> {
      let start = (64 * part + 16) * 256 * 3
      return image.bytes[start..<start + 32 * 256 * 3]
    }
    #expect(rows(first.image, part).allSatisfy { (126...130).contains($0) })
    #expect(rows(first.image, 0) == rows(whole, 0))
  }

  @Test func `damaged bytes are refused and reveal no other image`() throws {
    var random = SeededNumbers(23)
    var (refused, readable) = (0, 0)
    let count = SeededNumbers.cases(40)
    for number in 0..<count {
      let bytes = try Self.file { data in
        let last = Self.units(data).last?.count ?? 0
        let position = data.count - last + 12 + random.below(last - 40)
        switch number % 4 {
        case 0: data[position] ^= UInt8(1 << random.below(8))
        case 1: data.replaceSubrange(position..<position + 4, with: [0, 0, 0, 0])
        case 2: for index in position..<data.count { data[index] = 0 }
        default: for index in position..<position + 20 { data[index] = UInt8(random.below(256)) }
        }
      }
      let error = codecError { _ = try ImageDecoders.decode(FileBytes(bytes)) }
      let first = try lenient(bytes, after: 2)
      #expect(first?.image == (try lenient(bytes, after: 3))?.image, "case \(number)")
      // Few changes result in the codes of another image, which cannot be found.
      guard let error else {
        #expect(first?.notices.isEmpty == true, "case \(number)")
        continue
      }
      guard case .damaged(_, recoveredRows: nil, rows: 192) = error else { throw error }
      refused += 1
      if first != nil { readable += 1 }
      #expect(first?.notices.map(\.kind) ?? [.filled] == [.filled], "case \(number)")
    }
    #expect(refused > count * 3 / 4)
    #expect(readable > count / 4)
  }

  @Test func `a tile smaller than its place is refused, also if the file conceals it`() throws {
    func message(_ file: HEIFFile) -> String {
      let error = codecError { _ = try ImageDecoders.decode(FileBytes(file.bytes)) }
      return error?.description ?? "not refused"
    }
    var small = try HEIFDecoderTests.grid(width: 100, height: 90)
    for index in 1...4 { small.items[index].properties[0] = HEIFFile.size(64, 48) }
    #expect(message(small).contains("grid tile has 32×24 pixels, expected 64×48"))
    var twice = try HEIFDecoderTests.grid()
    twice.items[2].properties.append(HEIFFile.size(64, 48))
    #expect(message(twice).contains("item 3 has contradictory sizes"))
    for box in [
      HEIFFile.aperture(8, 8, x: (0, 1), y: (0, 1)), HEIFFile.box("irot", [1]),
    ] {
      var changed = try HEIFDecoderTests.grid()
      changed.items[3].properties.append(box)
      #expect(message(changed).contains("an HEIF image with rotated, mirrored or cropped tiles"))
    }
  }
}
