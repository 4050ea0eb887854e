// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Media of other formats")
struct UnsupportedMediaTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
  }

  /// The beginning of a stream of packets with a sync byte at an offset.
  private static func packets(_ size: Int, from start: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1024)
    for index in stride(from: start, to: 1024, by: size) { bytes[index] = 0x47 }
    return bytes
  }

  /// The bytes with the values of characters.
  fileprivate static func bytes(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
  }

  /// A first part of a file, a name, and a part of the name of the format.
  struct Example: Sendable {
    let head: [UInt8]
    let name: String
    let format: String

    init(_ head: [UInt8], _ name: String, _ format: String = "") {
      (self.head, self.name, self.format) = (head, name, format)
    }

    init(_ head: String, _ name: String, _ format: String = "") {
      self.init(UnsupportedMediaTests.bytes(head), name, format)
    }
  }

  private static let zeros = String(repeating: "\0", count: 257)

  static let media = [
    Example(packets(192, from: 4), "a", "AVCHD"), Example(packets(188, from: 0), "a", "transport"),
    Example("\0\0\u{1}\u{BA}D\0", "a", "MPEG"), Example("\0\0\u{1}\u{B3}D\0", "a", "MPEG"),
    Example("0&\u{B2}u\u{8E}f\u{CF}\u{11}\0", "a.wmv", "Windows Media"),
    Example("BM:\0\0\0\0\0\0\0\u{36}\0\0\0", "a", "BMP"),
    Example("\u{FF}\n\u{FA}", "a", "JPEG XL"),
    Example("\0\0\0\u{C}JXL \r\n\u{87}\n", "a", "JPEG XL"),
    Example("8BPS\0\u{1}", "a.psd", "Photoshop"),
    Example("\u{FF}\u{4F}\u{FF}\u{51}", "a", "JPEG 2000"),
    Example("FLV\u{1}\u{5}", "a", "Flash"), Example("OggS\0", "a", "Ogg"),
    Example("RIFF\0\0\0\0WAVE", "a", "WAVE"), Example("ID3\u{3}\0", "a", "MP3"),
    Example("PK\u{3}\u{4}\0", "a.zip", "ZIP"), Example("PK\u{3}\u{4}\0", "a", "ZIP"),
    Example("\u{1F}\u{8B}\u{8}\0", "a.tar.gz", "TAR"),
    Example("7z\u{BC}\u{AF}'\u{1C}", "a", "7-Zip"), Example(zeros + "ustar\0", "a", "TAR"),
    // Names count if the bytes are those of nothing else.
    Example("\u{1}\u{2}\u{3}", "a.MTS", "AVCHD"), Example("\0\u{1}", "a.TGA", "TGA"),
    Example("", "a.mpg", "MPEG"), Example("\0\t", "a.zip", "ZIP"),
    Example("\u{FF}\u{FB}\u{90}\0", "a.mp3", "MP3"),
  ]

  @Test(arguments: media)
  func `media and archives have the name of their format`(example: Example) throws {
    let line = UnsupportedMedia.line("/in/" + example.name, example.head)
    #expect(line.outcome == .refused && line.isLoss)
    #expect(line.reason?.contains(example.format) == true, "\(line.reason ?? "")")
    #expect(line.error?.hint?.isEmpty == false)
  }

  static let others = [
    Example("just text", "notes.txt"), Example("export const a = 1", "module.ts"),
    Example("%PDF-1.4", "a.pdf"), Example("\u{1F}\u{8B}\u{8}\0", "log.gz"),
    Example("\0\u{1}\u{2}", "data"), Example("", "empty"), Example("bplist00", "a.plist"),
    Example("PK\u{3}\u{4}" + String(zeros.prefix(26)) + "[Content_Types].xml", "a"),
    Example("PK\u{3}\u{4}", "letter.docx"), Example("G\0", "short"),
  ]

  @Test(arguments: others)
  func `everything else is skipped`(example: Example) {
    let line = UnsupportedMedia.line("/in/" + example.name, example.head)
    #expect(line.outcome == .skipped && !line.isLoss, "\(line.reason ?? "")")
  }

  @Test func `they do not stop the import of others`() throws {
    try write(try ImageFile().jpeg(1), "a.jpg")
    try write(Self.packets(192, from: 4), "BDMV/STREAM/00001.MTS")
    try write(Self.bytes("PK\u{3}\u{4}\0"), "takeout-001.zip")
    try write(Self.bytes("text"), "notes.txt")
    let report = run()
    #expect(
      outcomes(report) == [
        "a.jpg": .imported, "BDMV/STREAM/00001.MTS": .refused, "takeout-001.zip": .refused,
        "notes.txt": .skipped,
      ])
    let named = run([source.path("takeout-001.zip")])
    #expect(named.count(.refused) == 1 && named.files.count == 1)
  }
}
