// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs

@Suite(
  "Malformed HEIC and AVIF", .seeded,
  .enabled(if: CodedPicture.isPossible, "the program ffmpeg is not installed"))
struct HEIFRefusalTests {
  typealias Settings = CodedPicture.Settings

  private func refusal(
    _ file: HEIFFile, limits: ImageLimits = ImageLimits()
  ) -> CodecError? {
    codecError {
      _ = try ImageDecoders.decode(
        FileBytes(file.bytes), options: DecoderOptions(limits: limits))
    }
  }

  private func message(_ file: HEIFFile) -> String {
    guard case .damaged(let message, recoveredRows: nil, _) = refusal(file) else {
      return "not damaged: \(String(describing: refusal(file)))"
    }
    return message
  }

  private static let plain = Settings()

  private func plain() throws -> HEIFFile { HEIFFile(try CodedPicture.make(Self.plain)) }

  @Test func `an image over the limits is rejected before the library reads it`() throws {
    let limits = ImageLimits(maximumPixels: 500)
    #expect(
      refusal(try plain(), limits: limits) == .limitExceeded(.pixels, value: 768, allowed: 500))
    let narrow = ImageLimits(maximumSide: 31)
    #expect(refusal(try plain(), limits: narrow) == .limitExceeded(.side, value: 32, allowed: 31))
    var file = try HEIFDecoderTests.grid(width: 60_000, height: 60_000, rows: 256, columns: 256)
    file.items[0].properties = [HEIFFile.size(60_000, 60_000)]
    #expect(
      refusal(file) == .limitExceeded(.pixels, value: 3_600_000_000, allowed: 1 << 28))
  }

  @Test(arguments: ["hevc", "av1"])
  func `a coded picture larger than the stated size is rejected`(codec: String) throws {
    let large = try CodedPicture.make(
      Self.plain.with { ($0.codec, $0.width, $0.height) = (codec, 256, 200) })
    var file = HEIFFile(large)
    file.items[0].properties[0] = HEIFFile.size(64, 200)
    #expect(message(file) == "coded picture has 256×200 pixels, expected 64×200")
    file.items[0].properties[0] = HEIFFile.size(200, 180)
    // Padding is possible, but the decoded size is not the stated one.
    #expect(refusal(file) != nil)
  }

  @Test func `a second coded picture in an item is rejected`() throws {
    var file = try plain()
    file.items[0].data += file.items[0].data
    #expect(message(file) == "item 1 has 2 coded pictures instead of one")
    let av1 = try CodedPicture.make(Self.plain.with { $0.codec = "av1" })
    var other = HEIFFile(av1)
    other.items[0].data = Array(repeatElement(other.items[0].data, count: 9).joined())
    #expect(message(other) == "item 1 has 9 coded pictures")
  }

  @Test func `contradictory sequence parameters are rejected`() throws {
    let other = try CodedPicture.make(Self.plain.with { $0.width = 128 })
    var file = try plain()
    let units = HEIFFile.units(of: other.stream).filter { $0[0] >> 1 & 0x3F == 33 }
    file.items[0].data = units.flatMap { HEIFFile.number($0.count, 4) + $0 } + file.items[0].data
    #expect(message(file) == "contradictory sequence parameters")
  }

  static let grids: [(String, @Sendable () throws -> HEIFFile)] = [
    ("2×2 tiles of 32×24 do not cover 65×40", { try HEIFDecoderTests.grid(width: 65) }),
    ("2×2 tiles of 32×24 do not cover 32×40", { try HEIFDecoderTests.grid(width: 32) }),
    ("grid has 3 tiles, expected 4", { try HEIFDecoderTests.grid(tiles: [2, 3, 4]) }),
    ("item 9 is missing", { try HEIFDecoderTests.grid(tiles: [2, 3, 4, 9]) }),
    (
      "image derivations are nested too deeply or cyclic",
      {
        var file = try HEIFDecoderTests.grid(
          width: 50, height: 40, rows: 1, columns: 1, tiles: [1])
        file.items[0].data = HEIFFile.grid(rows: 1, columns: 1, width: 50, height: 40)
        return file
      }
    ),
    (
      "grid has 50×40 pixels, expected 50×41",
      {
        var file = try HEIFDecoderTests.grid()
        file.items[0].properties = [HEIFFile.size(50, 41)]
        return file
      }
    ),
    (
      "grid tiles have different sizes",
      {
        var file = try HEIFDecoderTests.grid()
        file.items[4].properties[0] = HEIFFile.size(32, 25)
        return file
      }
    ),
    (
      "grid is truncated",
      {
        var file = try HEIFDecoderTests.grid()
        file.items[0].data.removeLast()
        return file
      }
    ),
  ]

  @Test(arguments: grids.indices)
  func `an impossible grid is rejected`(index: Int) throws {
    let (expected, make) = Self.grids[index]
    #expect(message(try make()) == expected)
  }

  /// Nested overlays.
  private func overlays(_ count: Int) throws -> HEIFFile {
    let canvas = [UInt8](repeating: 0, count: 10) + [0, 32, 0, 24]
    var file = HEIFFile()
    file.items = [1, 3, 4].map {
      HEIFFile.Item($0, "iovl", canvas, properties: [HEIFFile.size(32, 24)])
    }
    file.items.append(HEIFFile.item(2, try CodedPicture.make(Self.plain)))
    file.references = [
      ("dimg", 1, [2] + [Int](repeating: 3, count: count)),
      ("dimg", 3, [Int](repeating: 4, count: count)),
    ]
    return file
  }

  @Test func `nested parts are counted without visiting each of them`() throws {
    let file = try overlays(60_000)
    #expect(
      refusal(file)
        == .unsupported("an HEIF image with 120004 parts or more (maximum: 65537)"))
  }

  @Test func `a tile that a grid references repeatedly is checked once`() throws {
    var file = try HEIFDecoderTests.grid(
      width: 8192, height: 6120, rows: 255, columns: 256, tiles: [Int](repeating: 2, count: 65_280))
    let note = HEIFFile.number(3, 4) + [39 << 1, 1, 0]
    file.items[1].data = Array(repeatElement(note, count: 20_000).joined()) + file.items[1].data
    let bytes = FileBytes(file.bytes)
    let size = try ImageDecoders.open(bytes).header.size
    #expect(size == PixelSize(width: 8192, height: 6120))
  }

  @Test func `checking the parts of an image can be canceled`() throws {
    let bytes = FileBytes(try HEIFDecoderTests.grid().bytes)
    let error = codecError {
      _ = try ImageDecoders.open(bytes, options: DecoderOptions(isCancelled: { true }))
    }
    #expect(error == .cancelled)
  }

  @Test func `a clean aperture outside the image is rejected`() throws {
    let boxes = [
      HEIFFile.aperture(10, 6, x: (12, 1), y: (0, 1)),
      HEIFFile.aperture(40, 6, x: (0, 1), y: (0, 1)),
      HEIFFile.aperture(10, 0, x: (0, 1), y: (0, 1)),
      HEIFFile.aperture(10, 6, x: (0, 0), y: (0, 1)),
    ]
    for box in boxes {
      var file = try plain()
      file.items[0].properties.append(box)
      #expect(message(file).contains("clean aperture"))
    }
  }

  @Test func `subsampled green, blue and red components are rejected`() throws {
    let box = HEIFFile.color(1, 13, 0, isFullRange: true)
    for (codec, kind) in [("hevc", "HEIC"), ("av1", "AVIF")] {
      for chroma in [[1, 1], [1, 0]] {
        let image = try CodedPicture.make(
          Self.plain.with { ($0.codec, $0.chroma) = (codec, chroma) })
        #expect(
          refusal(HEIFFile(image, properties: [box]))
            == .unsupported(
              "an \(kind) image with color matrix 0 of ITU-T H.273 and fewer samples than "
                + "pixels"))
      }
    }
  }

  @Test func `unsupported image kinds are rejected by name`() throws {
    var file = try plain()
    file.items[0].type = "jpeg"
    #expect(refusal(file) == .unsupported("an HEIF image of type 'jpeg'"))
    let ictcp = HEIFFile.color(9, 13, 14, isFullRange: true)
    file = HEIFFile(try CodedPicture.make(Self.plain), properties: [ictcp])
    #expect(
      refusal(file) == .unsupported("an HEIC image with color matrix 14 of ITU-T H.273"))
  }

  // MARK: Damage

  /// Reads the metadata and returns whether the image decodes.
  private func survives(_ bytes: [UInt8]) -> Bool {
    let limits = ImageLimits(maximumPixels: 1 << 16, maximumSide: 1 << 10)
    let file = FileBytes(bytes)
    _ = try? ImageMetadata.read(file, limits: limits)
    do throws(CodecError) {
      _ = try ImageDecoders.decode(file, options: DecoderOptions(limits: limits))
      return true
    } catch {
      return false
    }
  }

  @Test(arguments: ["hevc", "av1"])
  func `a file truncated anywhere is rejected`(codec: String) throws {
    let image = try CodedPicture.make(
      Self.plain.with { ($0.codec, $0.width, $0.height, $0.chroma) = (codec, 16, 16, [1, 1]) })
    let bytes = HEIFFile(image).bytes
    #expect(survives(bytes))
    for count in 0..<bytes.count where survives(Array(bytes[..<count])) {
      Issue.record("the first \(count) of \(bytes.count) bytes were accepted as an image")
    }
  }

  @Test(arguments: ["hevc", "av1", "grid"])
  func `flipped bits result in an image or an error`(kind: String) throws {
    let file =
      kind == "grid"
      ? try HEIFDecoderTests.grid()
      : HEIFFile(try CodedPicture.make(Self.plain.with { $0.codec = kind }))
    let bytes = file.bytes
    var random = SeededNumbers(11)
    var refused = 0
    for _ in 0..<SeededNumbers.cases(600) {
      var damaged = bytes
      for _ in 0...random.below(3) {
        damaged[random.below(bytes.count)] ^= UInt8(1 << random.below(8))
      }
      if !survives(damaged) { refused += 1 }
    }
    #expect(refused > SeededNumbers.cases(50))
  }
}
