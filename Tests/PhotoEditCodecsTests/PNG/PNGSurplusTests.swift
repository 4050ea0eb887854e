// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import Testing

@testable import PhotoEditCodecs

@Suite("PNG data after the last row")
struct PNGSurplusTests {
  typealias Fixture = MetadataFixture

  /// An 8×8 image whose stream continues for some bytes, in data chunks of a given size.
  private static func file(surplus: Int, chunkSize: Int) -> [UInt8] {
    let rows = [UInt8](repeating: 0, count: 8 * 25)
    let stream = Fixture.stored(rows + [UInt8](repeating: 0, count: surplus))
    let header = Fixture.big32(8) + Fixture.big32(8) + [8, 2, 0, 0, 0]
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    bytes += Fixture.chunk("IHDR", header)
    for start in stride(from: 0, to: stream.count, by: chunkSize) {
      bytes += Fixture.chunk("IDAT", Array(stream[start..<min(start + chunkSize, stream.count)]))
    }
    return bytes + Fixture.chunk("IEND", [])
  }

  private static let notice = "data continues after the last row"

  @Test(arguments: [1 << 10, 1 << 20])
  func `a stream that continues is not read further, with a notice`(chunkSize: Int) throws {
    let long = Decoding.decode(Self.file(surplus: 1 << 19, chunkSize: chunkSize))
    #expect(long.error == nil && long.image?.size.height == 8)
    #expect(long.notices.contains { $0.kind == .harmless && $0.message.contains(Self.notice) })
    // Data after the stop is never read.
    var truncated = Self.file(surplus: 1 << 19, chunkSize: 1 << 10)
    truncated.removeLast(1 << 17)
    #expect(Decoding.decode(truncated).error == nil)
  }

  @Test func `a small surplus changes nothing`() throws {
    let decoded = Decoding.decode(Self.file(surplus: 500, chunkSize: 1 << 20))
    #expect(decoded.error == nil)
    #expect(!decoded.notices.contains { $0.message.contains(Self.notice) })
  }

  @Test func `the checksum of the chunk with the rows is still verified`() throws {
    var bytes = Self.file(surplus: 1 << 19, chunkSize: 1 << 20)
    // A byte of the first row.
    bytes[60] ^= 1
    guard case .damaged(let message, _, _)? = Decoding.decode(bytes).error else {
      Issue.record("damage was not found")
      return
    }
    #expect(message.contains("CRC"), "\(message)")
    let lenient = Decoding.decode(bytes, options: DecoderOptions(isLenient: true))
    #expect(lenient.notices.contains { $0.kind == .filled })
  }
}
