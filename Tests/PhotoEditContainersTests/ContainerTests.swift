// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PhotoEditContainers

@Suite("Container readers")
struct ContainerTests {
  // MARK: Boxes

  private func types(_ bytes: [UInt8], single: Set<FourCC> = []) throws(Flaw) -> [String] {
    try BoxReader<PlainBoxes>(bytes).boxes(single: single).map(\.type.description)
  }

  @Test func `boxes have 32-bit or 64-bit lengths, or extend to the end`() throws {
    let long = big(1, 4) + Array("wide".utf8) + big(18, 8) + [7, 7]
    let last = big(0, 4) + Array("last".utf8) + [1, 2, 3]
    let reader = BoxReader<PlainBoxes>(box("free", []) + long + last)
    let boxes = try reader.boxes()
    #expect(boxes.map(\.type) == ["free", "wide", "last"])
    #expect(boxes.map(\.body) == [8..<8, 24..<26, 34..<37])
  }

  @Test func `a box larger than its container is rejected`() {
    let inner = big(12, 4) + Array("hole".utf8)
    #expect(throws: Flaw.size) { try types(inner) }
    #expect(throws: Flaw.size) { try types(big(7, 4) + Array("less".utf8)) }
    #expect(throws: Flaw.number) {
      try types(big(1, 4) + Array("vast".utf8) + [UInt8](repeating: 0xFF, count: 8))
    }
    #expect(throws: Flaw.endsEarly) { try types(box("free", []) + [0, 0]) }
  }

  @Test func `the number of boxes is limited and single boxes must not repeat`() {
    let free = box("free", [])
    #expect(throws: Never.self) { try types(free + free + free + free) }
    #expect(throws: Flaw.boxes) { try types(free + free + free + free + free) }
    #expect(throws: Flaw.repeated) { try types(free + free, single: ["free"]) }
  }

  @Test func `an entry count larger than its box is rejected`() throws {
    var valid = BoxReader<PlainBoxes>(big(2, 4) + [UInt8](repeating: 0, count: 16))
    #expect(try valid.count(entrySize: 8) == 2)
    #expect(throws: Flaw.entries) {
      var reader = BoxReader<PlainBoxes>(big(1 << 30, 4) + [UInt8](repeating: 0, count: 16))
      return try reader.count(entrySize: 8)
    }
  }

  // MARK: TIFF

  /// A directory with one number, in either byte order.
  private func tiff(_ order: ByteOrder, _ value: Int) -> [UInt8] {
    let name: [UInt8] = order == .big ? [0x4D, 0x4D] : [0x49, 0x49]
    var bytes = name + [UInt8](repeating: 0, count: 24)
    bytes.store16(42, at: 2, order)
    bytes.store32(8, at: 4, order)
    bytes.store16(1, at: 8, order)
    bytes.store16(0x112, at: 10, order)
    bytes.store16(3, at: 12, order)
    bytes.store32(1, at: 14, order)
    bytes.store16(value, at: 18, order)
    return bytes
  }

  @Test func `both byte orders give the same numbers`() throws {
    for order in [ByteOrder.little, .big] {
      let reader = try #require(TIFFReader(exif: tiff(order, 6)))
      let main = try #require(reader.main)
      #expect(reader.integer(0x112, in: main) == 6 && main.range == 8..<26 && main.next == 0)
    }
  }

  @Test func `values outside the structure are not read`() throws {
    var bytes = tiff(.big, 6)
    bytes.store32(1000, at: 14)
    let reader = try #require(TIFFReader(exif: bytes))
    let entry = try #require(reader.main?.entry(0x112))
    #expect(entry.value == nil && reader.integer(entry) == nil)
    #expect(reader.directory(at: 0) == nil && reader.directory(at: bytes.count) == nil)
    #expect(reader.directory(at: -1) == nil && reader.directory(at: .max) == nil)
  }

  @Test func `a directory with a too large entry count gives the existing entries`() throws {
    var bytes = tiff(.big, 6)
    bytes.store16(500, at: 8)
    let main = try #require(TIFFReader(exif: bytes)?.main)
    #expect(main.entries.count == 1 && main.linkPosition == nil && main.next == 0)
  }

  // MARK: Chunks

  @Test func `PNG and RIFF chunks are reported as complete or truncated`() {
    let png = ChunkReader.pngSignature + big(2, 4) + Array("tEXt".utf8) + [1, 2] + big(0, 4)
    let riff = Array("abcd".utf8) + [3, 0, 0, 0, 9, 9, 9, 0] + Array("next".utf8) + [0, 0, 0, 0]
    for (bytes, isPNG, names) in [(png, true, ["tEXt"]), (riff, false, ["abcd", "next"])] {
      bytes.withUnsafeBytes { buffer in
        var reader =
          isPNG ? ChunkReader(png: buffer) : ChunkReader(riff: buffer, in: 0..<buffer.count)
        var found: [String] = []
        while let chunk = reader.next() {
          found.append(chunk.name)
          #expect(!chunk.isTruncated)
        }
        #expect(found == names)
      }
      Array(bytes.dropLast(isPNG ? 5 : 10)).withUnsafeBytes { buffer in
        var reader =
          isPNG ? ChunkReader(png: buffer) : ChunkReader(riff: buffer, in: 0..<buffer.count)
        let chunk = reader.next()
        #expect(chunk?.isTruncated == true && chunk?.body.upperBound == buffer.count)
        #expect(reader.next() == nil)
      }
    }
  }

  // MARK: JPEG

  @Test func `fill bytes before a marker are skipped, and stuffed zeros are not markers`() {
    let bytes: [UInt8] = [0x12, 0xFF, 0x00, 0xFF, 0xFF, 0xFF, 0xE1, 0, 4, 1, 2]
    bytes.withUnsafeBytes { buffer in
      let (marker, isStray) = JPEGMarker.next(in: buffer, from: 0)
      #expect(marker?.code == 0xE1 && marker?.end == 7 && isStray)
      #expect(JPEGMarker.payload(in: buffer, at: 7) == 9..<11)
      #expect(JPEGMarker.next(in: buffer, from: 7).marker == nil)
    }
    for wrong: [UInt8] in [[0, 1, 9], [0, 4, 9], [0], []] {
      #expect(JPEGMarker.payload(in: wrong, at: 0) == nil)
    }
  }

  // MARK: XML

  private func events(_ text: String) -> (names: [String], flaw: XMLFlaw?) {
    var names: [String] = []
    let flaw = XMLReader.read(Array(text.utf8)[...]) { event, line in
      if case .start(let name, let attributes) = event {
        names.append("\(line) \(name)" + attributes.map { " \($0.name)=\($0.value)" }.joined())
      }
    }
    return (names, flaw)
  }

  @Test func `elements before malformed XML are reported with the line of the error`() {
    let (names, flaw) = events("<a x='1'>\n<b/>\n<c></a>")
    #expect(names == ["1 a x=1", "2 b", "3 c"])
    guard case .malformed(let line, _) = flaw else {
      Issue.record("not malformed")
      return
    }
    #expect(line == 3)
  }

  @Test func `entities cannot be declared`() {
    guard
      case .documentType(1) = events("<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><a/>")
        .flaw
    else {
      Issue.record("a document type was read")
      return
    }
  }

  @Test func `a tag reports the positions of its parts`() throws {
    let bytes = Array("<r:a b = \"c>d\" e='f'/>".utf8)
    guard case .startTag(let tag) = XMLMarkup(bytes, at: 0) else {
      Issue.record("no tag")
      return
    }
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    #expect(text(tag.name) == "r:a" && tag.isEmpty && tag.end == bytes.count)
    #expect(tag.attributes.map { text($0.value) } == ["c>d", "f"])
    #expect(tag.attributes.map { text($0.whole) } == ["b = \"c>d\"", "e='f'"])
  }

  // MARK: Property lists

  /// Foundation reads a dictionary with only this key as a reference of a keyed archive.
  @Test func `a value that would not be read back unchanged is not written`() throws {
    for value: PropertyListValue in [.integer(1), .string("")] {
      let reference: PropertyListValue = .dictionary(["CF$UID": value])
      #expect(!PropertyListValue.dictionary(["a": .array([reference])]).isWritable)
    }
    let harmless = PropertyList(["CF$UID": .integer(1), "a": .dictionary([:])])
    #expect(PropertyListValue.dictionary(harmless.values).isWritable)
    #expect(try PropertyList(bytes: harmless.xml()) == harmless)
  }

  // MARK: Spelling suggestions

  @Test(arguments: [
    ("shapren", "sharpen"), ("SEPIA", "sepia"), ("inver", "invert"), ("xyzzy", nil), ("s", nil),
  ])
  func `the nearest word is suggested, if there is one`(typed: String, meant: String?) {
    #expect(nearestMatch(to: typed, among: ["sepia", "sharpen", "invert"]) == meant)
  }
}
