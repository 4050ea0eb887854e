// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Recovered rows of damaged PNGs", .seeded)
struct PNGRecoveredRowsTests {
  private func damage(_ bytes: [UInt8]) -> (message: String, recoveredRows: Int)? {
    guard case .damaged(let message, let real, _)? = Decoding.decode(bytes).error else {
      return nil
    }
    return (message, real ?? 0)
  }

  // MARK: Truncation

  @Test(arguments: [false, true])
  func `a truncated file is rejected and its recovered rows match the whole file`(
    isInterlaced: Bool
  ) throws {
    for pieces in [1, 3] {
      let fixture = PNGSamples(
        type: .rgb, depth: 8, isInterlaced: isInterlaced, pieces: pieces)
      let whole = fixture.image
      let bytes = fixture.file
      var last = 0
      for count in 8..<bytes.count {
        let truncated = Array(bytes[..<count])
        let strict = Decoding.decode(truncated)
        if strict.image == whole, !strict.notices.isEmpty {
          // Only the end chunk is missing.
          last = fixture.height
          continue
        }
        let found = try #require(damage(truncated), "cut at \(count)")
        let lenient = Decoding.lenient(truncated)
        if let image = lenient.image {
          #expect(lenient.recoveredRows == found.recoveredRows, "cut at \(count)")
          #expect(
            image.rows(found.recoveredRows) == whole.rows(found.recoveredRows), "cut at \(count)")
        }
        #expect(found.recoveredRows >= last, "cut at \(count)")
        last = found.recoveredRows
      }
      #expect(last == fixture.height)
    }
  }

  @Test func `a compressed file is truncated in the middle`() throws {
    let bytes = try TestImages.bytes("png-rgb-8.png")
    let whole = try #require(Decoding.decode(bytes).image)
    var counts: [Int] = []
    for count in stride(from: 60, to: bytes.count, by: 199) {
      let truncated = Array(bytes[..<count])
      let real = try #require(damage(truncated)).recoveredRows
      let image = try #require(Decoding.lenient(truncated).image)
      #expect(image.rows(real) == whole.rows(real), "cut at \(count)")
      counts.append(real)
    }
    #expect(counts == counts.sorted() && counts.last! > 60)
  }

  // MARK: Checksums

  @Test func `a wrong checksum keeps only the rows of the chunks before it`() throws {
    let fixture = PNGSamples(type: .gray, depth: 8, pieces: 4)
    let whole = fixture.image
    let chunks = fixture.chunks
    #expect(chunks.map(\.type) == ["IHDR", "IDAT", "IDAT", "IDAT", "IDAT", "IEND"])
    var counts: [Int] = []
    for index in 1...4 {
      // One sample of the chunk changes and its checksum stays.
      var start = 8 + chunks[..<index].reduce(0) { $0 + 12 + $1.body.count } + 8
      start += chunks[index].body.count / 2
      var bytes = fixture.file
      bytes[start] ^= 0x10
      let real = try #require(damage(bytes)).recoveredRows
      let image = try #require(Decoding.lenient(bytes).image)
      #expect(image.rows(real) == whole.rows(real))
      counts.append(real)
    }
    #expect(counts[0] == 0 && counts == counts.sorted() && counts[3] > 5)
  }

  @Test(arguments: [1, 7, 8, 9, 16])
  func `a wrong checksum is detected for any chunk length`(length: Int) throws {
    // libpng reads the eight bytes that start a chunk like eight bytes of samples.
    let fixture = PNGSamples(type: .gray, depth: 8)
    var chunks = fixture.chunks
    let stream = chunks[1].body
    chunks[1].body = stream.dropLast(length)
    chunks.insert(("IDAT", stream.suffix(length)), at: 2)
    var bytes = PNGSamples.file(chunks)
    #expect(Decoding.decode(bytes).image == fixture.image)
    bytes[bytes.count - 13] ^= 1
    let found = try #require(damage(bytes))
    #expect(found.message.contains("CRC"))
    #expect(found.recoveredRows < fixture.height)
  }

  @Test func `samples that do not match the zlib checksum are damage`() throws {
    let fixture = PNGSamples(type: .gray, depth: 8)
    var chunks = fixture.chunks
    chunks[1].body[chunks[1].body.count - 1] ^= 1
    let found = try #require(damage(PNGSamples.file(chunks)))
    #expect(found.message.contains("IDAT"))
    #expect(found.recoveredRows == 0)
    #expect(Decoding.lenient(PNGSamples.file(chunks)).recoveredRows == 0)
  }

  @Test func `bytes after the samples and after the end are harmless`() throws {
    let fixture = PNGSamples(type: .gray, depth: 8)
    #expect(Decoding.decode(fixture.file + [1, 2, 3]).image == fixture.image)
    #expect(Decoding.decode(fixture.file + [1, 2, 3]).notices.isEmpty)
    var chunks = fixture.chunks
    chunks[1].body += [1, 2, 3, 4, 5]
    let decoding = Decoding.decode(PNGSamples.file(chunks))
    #expect(decoding.image == fixture.image)
    #expect(decoding.notices.map(\.kind) == [.harmless])
  }

  // MARK: Headers

  @Test func `sizes over the limits are rejected immediately`() throws {
    func file(_ width: Int, _ height: Int) -> FileBytes {
      var chunks = PNGSamples(type: .gray, depth: 8).chunks
      chunks[0].body.replaceSubrange(
        0..<8, with: MetadataFixture.big32(width) + MetadataFixture.big32(height))
      return FileBytes(PNGSamples.file(chunks))
    }
    let files = [
      (file(16_385, 16_384), CodecError.Limit.pixels, 16_385 * 16_384),
      (file(65_501, 1), .side, 65_501),
      (file(1, 0x7FFF_FFFF), .side, 0x7FFF_FFFF),
    ]
    for (bytes, what, value) in files {
      let error = #expect(throws: CodecError.self) { try ImageDecoders.open(bytes) }
      guard case .limitExceeded(what, value, _)? = error else {
        Issue.record("\(what): \(String(describing: error))")
        continue
      }
    }
    #expect(try ImageDecoders.open(file(16_384, 16_384)).header.size.pixelCount == 1 << 28)
    #expect(throws: CodecError.self) { try ImageDecoders.open(file(0, 7)) }
  }

  @Test func `a header after another chunk is rejected, so that it hides no size`() {
    var chunks = PNGSamples(type: .gray, depth: 8).chunks
    chunks[0].body.replaceSubrange(
      0..<8, with: MetadataFixture.big32(65_500) + MetadataFixture.big32(65_500))
    chunks.insert(("abCd", [0, 0, 0, 1, 0, 0, 0, 1]), at: 0)
    #expect(throws: CodecError.self) {
      try ImageDecoders.open(FileBytes(PNGSamples.file(chunks)))
    }
  }

  @Test func `a failed decoder fails again`() throws {
    let bytes = try FileBytes(TestImages.bytes("malformed/png-truncated.png"))
    let decoder = try ImageDecoders.open(bytes)
    let first = #expect(throws: CodecError.self) { try decoder.readToEnd() }
    for _ in 0..<3 {
      let again = #expect(throws: CodecError.self) { try decoder.readToEnd() }
      #expect(again == first)
    }
  }

  // MARK: Random damage

  /// Decodes twice over different memory; without an error every byte must have been written.
  private func check(_ bytes: [UInt8], _ label: @autoclosure () -> String) {
    for isLenient in [false, true] {
      let options = DecoderOptions(limits: Decoding.small, isLenient: isLenient)
      let first = Decoding.decode(bytes, options: options, poison: 0xA5)
      guard let image = first.image, image.size.pixelCount < 1 << 16 else { continue }
      #expect(first == Decoding.decode(bytes, options: options, poison: 0x5A), "\(label())")
    }
  }

  @Test(arguments: 0..<4)
  func `flipped bits result in a complete image or an error`(kind: Int) throws {
    var fixture = PNGSamples(
      type: [.rgb, .palette, .gray, .rgba][kind], depth: [8, 2, 16, 8][kind],
      isInterlaced: kind % 2 == 1, pieces: 2)
    if kind == 1 { fixture.transparency = [9, 8] }
    var random = SeededNumbers(20_260_901 + kind)
    for round in 0..<SeededNumbers.cases(3000) {
      var chunks = fixture.chunks
      // Valid checksums, in half of the rounds, let the damage reach the decoder.
      if round % 2 == 0 {
        let index = random.below(chunks.count - 1)
        let offset = random.below(chunks[index].body.count)
        chunks[index].body[offset] ^= 1 << UInt8(random.below(8))
      }
      var bytes = PNGSamples.file(chunks)
      if round % 2 == 1 {
        bytes[8 + random.below(bytes.count - 8)] ^= 1 << UInt8(random.below(8))
      }
      check(bytes, "kind \(kind), round \(round)")
    }
  }
}
