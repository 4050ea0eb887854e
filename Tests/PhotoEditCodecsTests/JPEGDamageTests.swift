// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import Testing

@testable import PhotoEditCodecs

@Suite("Damaged JPEGs")
struct JPEGDamageTests {
  private static let lenient = DecoderOptions(isLenient: true)

  private static func banded() throws -> [UInt8] {
    try TestImage.jpeg(TestImage.make(40, 70), JPEGSettings(quality: 60))
  }

  /// Checks that every truncated file fails with a typed error and counts only recovered rows.
  private static func checkTruncations(_ bytes: [UInt8]) throws {
    let whole = try TestImage.decode(bytes).image
    let bytesPerRow = whole.layout.bytesPerRow(width: whole.size.width)
    var seen = Set<Int>()
    for count in 0..<bytes.count {
      let short = Array(bytes.prefix(count))
      let strict = Result { () throws(CodecError) in try TestImage.decode(short) }
      let filled = Result { () throws(CodecError) in try TestImage.decode(short, lenient) }
      switch strict {
      case .success(let result):
        // Only the end marker may be missing without an error.
        #expect(result.image == whole, "\(count) bytes")
        #expect(!result.notices.isEmpty, "\(count) bytes")
      case .failure(.damaged(_, let recoveredRows, _)):
        guard case .success(let filled) = filled else { continue }
        let notice = filled.notices.first { $0.kind == .filled }
        #expect(notice?.recoveredRows == recoveredRows, "\(count) bytes")
        let real = (recoveredRows ?? 0) * bytesPerRow
        #expect(filled.image.bytes.prefix(real) == whole.bytes.prefix(real), "\(count) bytes")
        seen.insert(recoveredRows ?? -1)
      case .failure(let error):
        #expect(count < 2, "\(count) bytes: \(error)")
      }
    }
    #expect(!seen.contains(-1))
    if !whole.bytes.isEmpty, bytes != JPEGFixture.progressive, bytes != JPEGFixture.scanByScan {
      #expect(seen.count >= 3, "the row count grows with the file")
    }
  }

  @Test(arguments: JPEGFixture.Process.allCases)
  func `a truncated file is rejected with its recovered rows`(
    process: JPEGFixture.Process
  ) throws {
    try Self.checkTruncations(process.bytes)
  }

  @Test func `a truncated file with restart markers counts its recovered rows`() throws {
    try Self.checkTruncations(Self.banded())
  }

  @Test func `half a progressive file lacks detail everywhere`() throws {
    let fixture = JPEGFixture.progressive
    let scan = try #require(
      (0..<fixture.count - 1).last { fixture[$0] == 0xFF && fixture[$0 + 1] == 0xDA })
    let bytes = Array(fixture.prefix(scan + 14))
    guard case .damaged(_, let real, let rows) = codecError({ _ = try TestImage.decode(bytes) })
    else {
      Issue.record("a truncated file was accepted as complete")
      return
    }
    #expect(real == 0 && rows == 36)
    let notices = try TestImage.decode(bytes, Self.lenient).notices
    #expect(notices.contains { $0.kind == .filled && $0.message.contains("end of file") })
  }

  /// Kinds of damage: the change, whether it costs pixels, and a word of the message.
  enum Spoiling: String, CaseIterable, CustomTestStringConvertible {
    case noEndMarker, trailingBytes, zeroPadding, bytesBetweenSegments, unknownAdobeTransform
    case lostRestart, extraBytesInScan, missingScan, halfTheHeight, unrefined

    var testDescription: String { rawValue }

    var costsPixels: Bool {
      switch self {
      case .lostRestart, .extraBytesInScan, .missingScan, .halfTheHeight: true
      default: false
      }
    }

    var word: String? {
      switch self {
      case .noEndMarker: "end marker"
      case .trailingBytes: nil
      case .zeroPadding, .bytesBetweenSegments: "extraneous"
      case .unknownAdobeTransform: "Adobe"
      case .lostRestart: "extraneous"
      case .extraBytesInScan: "extraneous"
      case .missingScan: "component is missing"
      case .halfTheHeight: "more data"
      case .unrefined: "refinement"
      }
    }

    func apply() throws -> [UInt8] {
      var bytes = try JPEGDamageTests.banded()
      switch self {
      case .noEndMarker: bytes.removeLast(2)
      case .trailingBytes: bytes += [1, 2, 3, 0xFF, 0xD8]
      case .zeroPadding:
        bytes.insert(contentsOf: [UInt8](repeating: 0, count: 5000), at: bytes.count - 2)
      case .bytesBetweenSegments:
        bytes.insert(contentsOf: [1, 2, 3], at: try markerOffset(0xDB, in: bytes))
      case .unknownAdobeTransform:
        bytes = JPEGFixture.rgb
        bytes[try markerOffset(0xEE, in: bytes) + 15] = 9
      case .lostRestart:
        let restart = try markerOffset(0xD1, in: bytes)
        bytes.removeSubrange(restart..<restart + 2)
      case .extraBytesInScan:
        bytes.insert(contentsOf: [1, 2, 3], at: try markerOffset(0xD1, in: bytes))
      case .missingScan:
        bytes = JPEGFixture.scanByScan
        let last = (0..<bytes.count - 1).last { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
        bytes.removeSubrange((last ?? 0)..<bytes.count - 2)
      case .halfTheHeight:
        bytes = JPEGFixture.plain
        bytes[try markerOffset(0xC0, in: bytes) + 6] = 16
      case .unrefined:
        bytes = JPEGFixture.progressive
        let last = (0..<bytes.count - 1).last { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
        bytes.removeSubrange((last ?? 0)..<bytes.count - 2)
      }
      return bytes
    }
  }

  @Test(arguments: Spoiling.allCases)
  func `damage that costs pixels is an error, other damage is a notice`(spoiling: Spoiling) throws {
    let bytes = try spoiling.apply()
    let strict = Result { () throws(CodecError) in try TestImage.decode(bytes) }
    switch strict {
    case .success(let result):
      #expect(!spoiling.costsPixels)
      #expect(result.notices.isEmpty == (spoiling.word == nil))
      if let word = spoiling.word {
        #expect(result.notices.contains { $0.message.contains(word) }, "\(result.notices)")
      }
    case .failure(let error):
      #expect(spoiling.costsPixels, "\(error)")
      #expect(error.description.contains(spoiling.word ?? "-"), "\(error)")
      let notices = try TestImage.decode(bytes, Self.lenient).notices
      #expect(notices.contains { $0.kind == .filled }, "\(notices)")
    }
  }

  @Test func `rows above a lost restart marker are recovered`() throws {
    let whole = try TestImage.decode(Self.banded()).image
    let spoilt = try Spoiling.lostRestart.apply()
    let (image, notices) = try TestImage.decode(spoilt, Self.lenient)
    let real = try #require(notices.first { $0.kind == .filled }?.recoveredRows)
    // The second of the marker rows is suspect; the row above it mixes with it.
    #expect(real == 15)
    let count = real * whole.layout.bytesPerRow(width: whole.size.width)
    #expect(image.bytes.prefix(count) == whole.bytes.prefix(count))
  }
}
