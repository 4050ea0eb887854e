// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs

@Suite("Content identifier of a still image")
struct ContentIdentifierTests {
  private let old = "11111111-2222-3333-4444-555555555555"
  private let new = "AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE"

  private func identifier(_ jpeg: [UInt8]) throws -> String? {
    try ImageMetadata.read(jpeg: FileBytes(jpeg)).captureFacts(of: .jpeg).contentIdentifier
  }

  @Test func `an identifier of the same length is overwritten in place`() throws {
    let before = try ImageFile.live(old, seed: 1)
    var after = before
    #expect(ContentIdentifierPatch.write(new, into: &after))
    #expect(try identifier(after) == new)
    #expect(after.count == before.count)
    let changed = zip(before, after).filter { $0 != $1 }.count
    #expect(changed == zip(old.utf8, new.utf8).filter { $0 != $1 }.count)
  }

  @Test func `a still image without a maker note gets one`() throws {
    var dated = ImageFile()
    dated.exif = [.text(0x9003, "2024:05:06 07:08:09")]
    var named = ImageFile()
    named.main = [.text(0x010F, "Maker")]
    for file in [ImageFile(), named, dated] {
      var jpeg = try file.jpeg()
      let before = try ImageMetadata.read(jpeg: FileBytes(jpeg))
      #expect(ContentIdentifierPatch.write(new, into: &jpeg))
      #expect(try identifier(jpeg) == new)
      let after = try ImageMetadata.read(jpeg: FileBytes(jpeg))
      #expect(after.captureFacts(of: .jpeg).date == before.captureFacts(of: .jpeg).date)
      #expect(after.summary.make == before.summary.make && after.notices == before.notices)
      // The image itself is unchanged.
      #expect(try ImageDecoders.open(FileBytes(jpeg)).header.size.width == 64)
    }
  }

  @Test(arguments: ["L", "ABC", "ABCD", "ABCDE"])
  func `an identifier may be short`(_ name: String) throws {
    var jpeg = try ImageFile().jpeg()
    #expect(ContentIdentifierPatch.write(name, into: &jpeg))
    #expect(try identifier(jpeg) == name)
  }

  @Test func `the note of another maker stays and XMP carries the identifier`() throws {
    var file = ImageFile()
    file.exif = [.blob(0x927C, Array("Nikon\0".utf8) + [UInt8](repeating: 7, count: 40))]
    var stated = file
    stated.xmp = "dc:format=\"image/jpeg\""
    for before in [try file.jpeg(), try stated.jpeg()] {
      var after = before
      #expect(ContentIdentifierPatch.write(old, into: &after))
      #expect(try identifier(after) == old)
      #expect(ContentIdentifierPatch.write(new, into: &after))
      #expect(try identifier(after) == new, "the last one counts")
      let metadata = try ImageMetadata.read(jpeg: FileBytes(after))
      let kept = try ImageMetadata.read(jpeg: FileBytes(before))
      #expect(
        metadata.segments.filter { $0.kind == .exif } == kept.segments.filter { $0.kind == .exif })
      #expect(metadata.segments.count { $0.kind == .xmp } == 1 && metadata.notices.isEmpty)
    }
  }

  @Test func `the note of an Apple camera takes precedence over XMP`() throws {
    var file = ImageFile()
    file.exif = [ImageFile.appleNote(content: old)]
    file.xmp =
      "xmlns:photoedit=\"org.photoedit:live-photo/1.0/\" photoedit:ContentIdentifier=\"\(new)\""
    #expect(try identifier(file.jpeg()) == old)
    file.exif = [ImageFile.appleNote(burst: "B")]
    #expect(try identifier(file.jpeg()) == new)
  }

  @Test func `stripping the device removes the identifier`() throws {
    var file = ImageFile()
    file.exif = [.blob(0x927C, Array("Nikon\0".utf8) + [UInt8](repeating: 7, count: 40))]
    var jpeg = try file.jpeg()
    #expect(ContentIdentifierPatch.write(new, into: &jpeg))
    var facts = RenderedImageProperties(size: PixelSize(width: 64, height: 48))
    facts.strip = .device
    let rendered = try ImageMetadata.read(jpeg: FileBytes(jpeg)).rendered(facts)
    #expect(!rendered.segments.contains { $0.payload.firstOffset(of: Array(new.utf8)) != nil })
  }

  @Test func `identifiers of other lengths and invalid identifiers change nothing`() throws {
    let before = try ImageFile.live(old, seed: 1)
    let long = String(repeating: "x", count: 129)
    for text in ["short", long, "ä", "a b", ""] {
      var after = before
      #expect(!ContentIdentifierPatch.write(text, into: &after), "\(text)")
      #expect(after == before)
    }
    for start in [[], [0xFF, 0xD8], [0xFF, 0xD8, 0xFF, 0xE1, 0xFF]] as [[UInt8]] {
      var truncated = start
      if ContentIdentifierPatch.write(new, into: &truncated) {
        #expect(truncated.count > start.count)
      }
    }
  }
}
