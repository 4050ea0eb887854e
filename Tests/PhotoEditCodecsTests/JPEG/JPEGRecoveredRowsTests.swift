// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Recovered rows of damaged JPEGs")
struct JPEGRecoveredRowsTests {
  typealias Fixture = JPEGScene

  /// Expects a rejection, and a lenient decoding whose recovered rows match the whole file.
  ///
  /// A file that lacks only its end marker opens completely, with a notice.
  @discardableResult
  private func checkDamage(
    _ bytes: [UInt8], whole: ImageBuffer, _ label: @autoclosure () -> String
  ) -> Int {
    let strict = Decoding.decode(bytes)
    if let image = strict.image {
      #expect(image == whole && !strict.notices.isEmpty, "\(label())")
      return whole.size.height
    }
    guard case .damaged(_, let recoveredRows, _)? = strict.error else {
      Issue.record("\(label()): \(String(describing: strict.error))")
      return 0
    }
    let real = recoveredRows ?? 0
    let lenient = Decoding.lenient(bytes)
    if let image = lenient.image {
      #expect(lenient.recoveredRows == recoveredRows, "\(label())")
      #expect(image.rows(real) == whole.rows(real), "\(label())")
    } else {
      // Without a frame, or with only a header, there is no image to decode leniently.
      #expect(real == 0, "\(label())")
    }
    return real
  }

  @Test(arguments: [
    ("jpeg-444.jpg", 509), ("jpeg-440.jpg", 401), ("jpeg-411.jpg", 397), ("jpeg-gray.jpg", 307),
    ("jpeg-restart.jpg", 353), ("jpeg-progressive.jpg", 601), ("jpeg-arithmetic.jpg", 331),
    ("jpeg-rgb.jpg", 991), ("jpeg-cmyk.jpg", 401), ("jpeg-ycck.jpg", 397), ("photo-64.jpg", 7),
    ("jpeg-17x31.jpg", 1), ("jpeg-1x1.jpg", 1), ("jpeg-17x1.jpg", 3),
  ])
  func `a truncated file is rejected and its recovered rows match the whole file`(
    name: String, step: Int
  ) throws {
    let bytes = try TestImages.bytes(name)
    let whole = try #require(Decoding.decode(bytes).image)
    var counts: [Int] = []
    // From the first bytes of a JPEG up to all except the last byte.
    for count in Array(stride(from: 3, to: bytes.count, by: step)) + [bytes.count - 1] {
      counts.append(checkDamage(Array(bytes[..<count]), whole: whole, "\(name) cut at \(count)"))
    }
    #expect(counts == counts.sorted())
    // Half of an end marker is missing, but nothing of the image. The arithmetic decoder cannot
    // detect this, because its data may continue as zeros.
    let isArithmetic = try JPEGDecoder(FileBytes(bytes)).frame.isArithmetic
    let last = try #require(counts.last)
    #expect(isArithmetic ? last >= whole.size.height - 32 : last == whole.size.height)
  }

  @Test(arguments: ["jpeg-444.jpg", "jpeg-restart.jpg", "jpeg-gray.jpg"])
  func `a truncated file with an end marker is also rejected`(name: String) throws {
    let bytes = try TestImages.bytes(name)
    let whole = try #require(Decoding.decode(bytes).image)
    let scan = try Fixture.segment(0xDA, of: bytes)
    for count in stride(from: scan.lowerBound + 20, to: scan.upperBound - 8, by: 1009) {
      // A marker must not be split.
      guard bytes[count - 1] != 0xFF else { continue }
      checkDamage(Array(bytes[..<count]) + [0xFF, 0xD9], whole: whole, "\(name) cut at \(count)")
    }
  }

  @Test func `a lost restart interval keeps the rows before it and invalidates those after it`()
    throws
  {
    let bytes = try TestImages.bytes("jpeg-restart.jpg")
    let whole = try #require(Decoding.decode(bytes).image)
    let scan = try Fixture.segment(0xDA, of: bytes)
    let markers = scan.dropLast().filter {
      bytes[$0] == 0xFF && (0xD0...0xD7).contains(bytes[$0 + 1])
    }
    #expect(markers.count > 8)
    var counts: [Int] = []
    for (start, end) in zip(markers, markers.dropFirst()) {
      // With the marker before it, or with the one after it, which is noticed an interval later.
      for shift in [0, 2] {
        var damaged = bytes
        damaged.removeSubrange(start + shift..<end + shift)
        counts.append(checkDamage(damaged, whole: whole, "without \(start)..<\(end), \(shift)"))
      }
    }
    #expect(counts.first! < counts.last!)
  }

  @Test func `an interval of several MCU rows is invalid as a whole`() throws {
    // Intervals of one row of 16 blocks become intervals of two rows if the header halves the row
    // length.
    var bytes = try Fixture.encode(
      Fixture.scene(width: 128, height: 128, channels: .gray), Fixture.settings(isGray: true))
    let frame = try Fixture.segment(0xC0, of: bytes).lowerBound
    bytes.replaceSubrange(frame + 5..<frame + 9, with: [1, 0, 0, 64])
    let whole = try #require(Decoding.decode(bytes).image)
    #expect(whole.size == PixelSize(width: 64, height: 256))
    let markers = try Fixture.segment(0xDA, of: bytes).dropLast().filter {
      bytes[$0] == 0xFF && (0xD0...0xD7).contains(bytes[$0 + 1])
    }
    #expect(markers.count == 15)
    for index in 0..<14 {
      for shift in [0, 2] {
        var damaged = bytes
        damaged.removeSubrange(markers[index] + shift..<markers[index + 1] + shift)
        let real = checkDamage(damaged, whole: whole, "without interval \(index + 1), \(shift)")
        #expect(real >= index * 16)
      }
    }
  }

  // MARK: Scans

  @Test func `a progressive file without one of its scans is rejected or reported as unrefined`()
    throws
  {
    let bytes = try TestImages.bytes("jpeg-progressive.jpg")
    let whole = try #require(Decoding.decode(bytes).image)
    let scans = Fixture.segments(of: bytes).filter { $0.marker == 0xDA }
    #expect(scans.count == 10)
    for scan in scans {
      var damaged = bytes
      damaged.removeSubrange(scan.range)
      switch Decoding.decode(damaged) {
      case .image(let image, let notices):
        #expect(image != whole, "without the scan at \(scan.range)")
        #expect(notices.map(\.kind) == [.unrefined], "without the scan at \(scan.range)")
      case .refusal(.damaged(_, let real, _)): #expect(real == 0)
      case .refusal(let error): Issue.record("\(error)")
      }
    }
  }

  @Test func `a missing component scan is damage in pixel and coefficient decoding`() throws {
    let bytes = try Self.unscanned()
    let decoding = Decoding.decode(bytes)
    #expect(
      decoding.error
        == .damaged(message: "a color component is missing", recoveredRows: 0, rows: 16))
    let transform = JPEGCoefficientTransform(
      orientation: .right, crop: Region(x: 0, y: 0, width: 24, height: 16), chroma: .keep)
    #expect(
      throws: CodecError.damaged(
        message: "a color component is missing", recoveredRows: 0, rows: 16)
    ) {
      try transform.run(FileBytes(bytes))
    }
    // Lenient decoding has no blocks to move either.
    #expect(throws: CodecError.self) {
      try transform.run(FileBytes(bytes), options: DecoderOptions(isLenient: true))
    }
    #expect(Decoding.lenient(bytes).notices.map(\.kind) == [.filled])
  }

  /// A color file with one scan for luma only; its chroma refers to a table that does not exist.
  static func unscanned() throws -> [UInt8] {
    let gray = try Fixture.encode(
      Fixture.scene(width: 24, height: 16, channels: .gray), Fixture.settings(isGray: true))
    let frame = try Fixture.segment(0xC0, of: gray)
    let components: [UInt8] = [3, 1, 0x11, 0, 2, 0x11, 200, 3, 0x11, 255]
    return Array(gray[..<frame.lowerBound]) + [0xFF, 0xC0, 0, 17, 8, 0, 16, 0, 24] + components
      + gray[frame.upperBound...]
  }

  // MARK: After the samples

  @Test func `an unexpected second scan is reported and keeps the rows`() throws {
    let image = Fixture.scene(width: 24, height: 16)
    var bytes = try Fixture.encode(image, Fixture.settings())
    let whole = try #require(Decoding.decode(bytes).image)
    let scan = try Fixture.segment(0xDA, of: bytes)
    bytes.insert(contentsOf: bytes[scan], at: scan.upperBound)
    let decoding = Decoding.decode(bytes)
    #expect(decoding.image == whole)
    #expect(decoding.notices.map(\.kind) == [.harmless])
  }

  @Test func `invalid Huffman codes are reported as damage`() throws {
    let bytes = try TestImages.bytes("malformed/jpeg-bad-huffman.jpg")
    guard case .damaged(let message, let real, 72)? = Decoding.decode(bytes).error else {
      Issue.record("not refused as damaged")
      return
    }
    #expect(message.contains("Huffman"))
    #expect(try #require(real) < 72)
    #expect(Decoding.lenient(bytes).notices.contains { $0.kind == .filled })
  }
}
