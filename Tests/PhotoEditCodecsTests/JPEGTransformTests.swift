// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import Testing

@testable import PhotoEditCodecs

@Suite("JPEG coefficient transforms")
struct JPEGTransformTests {
  private typealias Transform = JPEGCoefficientTransform

  private func source(
    _ width: Int, _ height: Int, _ sampling: ChromaSampling = .s420, isGray: Bool = false
  ) throws -> [UInt8] {
    // A table without symmetry, so that a missing transposition is noticed.
    let quantization: [Int] = (0..<64).map { 2 + $0 % 8 + $0 / 8 * 3 }
    let table = QuantizationTable(quantization.map { UInt16($0) })
    let settings = JPEGSettings(
      isGray: isGray, luma: table, chroma: .standardChroma(quality: 85), sampling: sampling)
    return try TestImage.jpeg(TestImage.make(width, height), settings)
  }

  private func run(
    _ bytes: [UInt8], _ orientation: Orientation, crop: Region? = nil,
    chroma: JPEGCoefficientTransform.Chroma = .keep
  ) throws -> [UInt8] {
    let size = try JPEGDecoder(FileBytes(bytes)).header.size
    let transform = Transform(
      orientation: orientation, crop: crop ?? Region(size), chroma: chroma)
    return try transform.run(FileBytes(bytes)).bytes
  }

  @Test(arguments: Orientation.allCases, [ChromaSampling.s444, .s422, .s420, .s440, .s411])
  func `rotating and rotating back returns the same bytes`(
    orientation: Orientation, sampling: ChromaSampling
  ) throws {
    let bytes = try source(64, 96, sampling)
    let rotated = try run(bytes, orientation)
    let frame = try JPEGDecoder(FileBytes(rotated)).frame
    #expect(frame.size == orientation.applied(to: PixelSize(width: 64, height: 96)))
    #expect(try run(rotated, orientation.inverse) == bytes)
    if orientation != .up { #expect(try jpegCoefficients(rotated) != jpegCoefficients(bytes)) }
  }

  @Test(arguments: Orientation.allCases)
  func `the transform shows the pixels of the rotated image`(orientation: Orientation) throws {
    for (sampling, levels) in [(ChromaSampling.s444, 3), (.s420, 6)] {
      let bytes = try source(64, 32, sampling)
      let expected = TestImage.rotated(try TestImage.decode(bytes).image, orientation)
      let rotated = try TestImage.decode(try run(bytes, orientation))
      #expect(TestImage.distance(rotated.image, expected) <= levels)
      #expect(rotated.notices.isEmpty)
    }
    let gray = try source(24, 40, isGray: true)
    let expected = TestImage.rotated(try TestImage.decode(gray).image, orientation)
    #expect(
      TestImage.distance(try TestImage.decode(run(gray, orientation)).image, expected) <= 2)
  }

  @Test func `a crop on the MCU grid preserves coefficients and pixels`() throws {
    let bytes = try source(64, 64, .s444)
    let region = Region(x: 16, y: 8, width: 37, height: 43)
    let cropped = try run(bytes, .up, crop: region)
    let expected = TestImage.cropped(try TestImage.decode(bytes).image, region)
    #expect(try TestImage.decode(cropped).image == expected)
    // A mirrored axis counts from its far end.
    let mirrored = Region(x: 3, y: 8, width: 45, height: 43)
    let rotated = try TestImage.decode(run(bytes, .upMirrored, crop: mirrored)).image
    let whole = TestImage.cropped(try TestImage.decode(bytes).image, mirrored)
    #expect(TestImage.distance(rotated, TestImage.rotated(whole, .upMirrored)) <= 3)
  }

  @Test(arguments: Orientation.allCases)
  func `dropping chroma preserves every coefficient of Y`(orientation: Orientation) throws {
    let bytes = try source(48, 64)
    let kept = try jpegCoefficients(run(bytes, orientation))
    let dropped = try run(bytes, orientation, chroma: .drop)
    #expect(try jpegCoefficients(dropped) == [kept[0]])
    #expect(try JPEGDecoder(FileBytes(dropped)).frame.color == .gray)
    let zeroed = try jpegCoefficients(run(bytes, orientation, chroma: .zero))
    #expect(zeroed.count == 3 && zeroed[0] == kept[0])
    #expect(zeroed[1].count == kept[1].count && zeroed[1].allSatisfy { $0 == 0 })
    #expect(zeroed[2].allSatisfy { $0 == 0 })
  }

  @Test func `dropping chroma matches luma-only decoding at any size`() throws {
    let bytes = try source(37, 29)
    let luma = try TestImage.decode(bytes, DecoderOptions(decodesLumaOnly: true)).image
    #expect(try TestImage.decode(run(bytes, .up, chroma: .drop)).image == luma)
    let zeroed = try TestImage.decode(run(bytes, .up, chroma: .zero)).image
    #expect(zeroed.layout.channels == .rgb)
    #expect((0..<37 * 29).allSatisfy { zeroed.bytes[3 * $0 + 1] == luma.bytes[$0] })
  }

  @Test(arguments: [JPEGFixture.Process.progressive, .arithmetic])
  func `every coding process becomes baseline with the same coefficients`(
    process: JPEGFixture.Process
  ) throws {
    let bytes = process.bytes
    let output = try run(bytes, .up)
    let frame = try JPEGDecoder(FileBytes(output)).frame
    #expect(!frame.isProgressive && !frame.isArithmetic && frame.restartInterval == 3)
    #expect(try jpegCoefficients(output) == jpegCoefficients(bytes))
  }

  @Test(arguments: [
    // Orientation, crop, chroma, expected result, for 40×36 pixels with MCUs of 16×16.
    (Orientation.up, Region(x: 0, y: 0, width: 40, height: 36), Transform.Chroma.keep, true),
    (.up, Region(x: 16, y: 32, width: 3, height: 1), .keep, true),
    (.up, Region(x: 8, y: 0, width: 8, height: 8), .keep, false),
    (.up, Region(x: 8, y: 24, width: 8, height: 8), .drop, true),
    (.up, Region(x: 8, y: 24, width: 8, height: 8), .zero, true),
    (.up, Region(x: 4, y: 0, width: 8, height: 8), .drop, false),
    (.upMirrored, Region(x: 0, y: 0, width: 40, height: 36), .keep, false),
    (.upMirrored, Region(x: 0, y: 0, width: 40, height: 36), .drop, true),
    (.upMirrored, Region(x: 5, y: 16, width: 27, height: 20), .keep, true),
    (.downMirrored, Region(x: 0, y: 0, width: 40, height: 36), .drop, false),
    (.downMirrored, Region(x: 0, y: 3, width: 40, height: 29), .keep, true),
    (.down, Region(x: 0, y: 0, width: 32, height: 32), .keep, true),
    (.leftMirrored, Region(x: 0, y: 0, width: 40, height: 36), .keep, true),
    (.right, Region(x: 0, y: 0, width: 40, height: 32), .keep, true),
    (.right, Region(x: 0, y: 0, width: 40, height: 36), .keep, false),
    (.left, Region(x: 0, y: 0, width: 32, height: 36), .keep, true),
    (.left, Region(x: 0, y: 0, width: 40, height: 36), .keep, false),
    (.rightMirrored, Region(x: 0, y: 0, width: 32, height: 32), .keep, true),
    (.up, Region(x: 0, y: 0, width: 41, height: 36), .keep, false),
    (.up, Region(x: 0, y: 0, width: 0, height: 0), .keep, false),
  ])
  func `a transform is exact where the output starts on the MCU grid`(
    orientation: Orientation, crop: Region, chroma: JPEGCoefficientTransform.Chroma, isExact: Bool
  ) throws {
    let frame = try JPEGDecoder(FileBytes(JPEGFixture.plain)).frame
    let transform = Transform(orientation: orientation, crop: crop, chroma: chroma)
    #expect(transform.isExact(for: frame) == isExact)
    let error = codecError { _ = try transform.run(FileBytes(JPEGFixture.plain)) }
    #expect((error == nil) == isExact)
  }

  @Test func `only YCbCr and gray can be transformed`() throws {
    for bytes in [JPEGFixture.rgb, JPEGFixture.cmyk] {
      let frame = try JPEGDecoder(FileBytes(bytes)).frame
      let transform = Transform(orientation: .up, crop: Region(frame.size))
      #expect(!transform.isExact(for: frame))
    }
    let gray = try source(24, 16, isGray: true)
    for chroma in [Transform.Chroma.keep, .drop, .zero] {
      #expect(try run(gray, .up, chroma: chroma) == gray)
    }
  }

  @Test func `damage and cancellation end a transform like a decoder`() throws {
    let bytes = try source(64, 64)
    let short = FileBytes(Array(bytes.prefix(bytes.count - 60)))
    let transform = Transform(orientation: .right, crop: Region(x: 0, y: 0, width: 64, height: 64))
    guard case .damaged(_, let real, 64) = codecError({ _ = try transform.run(short) }) else {
      Issue.record("a truncated file was transformed")
      return
    }
    #expect((real ?? 64) < 64)
    let notices = try transform.run(short, options: DecoderOptions(isLenient: true)).notices
    #expect(notices.map(\.kind) == [.filled])
    let error = codecError {
      _ = try transform.run(FileBytes(bytes), isCancelled: { true })
    }
    #expect(error == .cancelled)
  }

  @Test func `coefficients that do not fit into baseline are rejected`() throws {
    // A DC difference of category 11 in every block drives DC beyond −1024.
    let bytes = try source(16, 16, isGray: true)
    var spoilt = bytes
    let scan = try markerOffset(0xDA, in: bytes)
    // DC category 11 (code 111111110), eleven zero bits for −2047, then end of block (1010).
    spoilt.replaceSubrange(
      (scan + 10)..<(spoilt.count - 2), with: [0xFF, 0x00, 0x00, 0x0A, 0xFF, 0x00, 0x00, 0x0A])
    let error = codecError {
      _ = try Transform(orientation: .up, crop: Region(x: 0, y: 0, width: 16, height: 16))
        .run(FileBytes(spoilt), options: DecoderOptions(isLenient: true))
    }
    guard case .unsupported(let what) = error else {
      Issue.record("the file was transformed: \(String(describing: error))")
      return
    }
    #expect(what.contains("range"))
  }
}
