// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs

@Suite(
  "HEIC and AVIF that lie", .seeded,
  .enabled(if: CodedPicture.isPossible, "the program ffmpeg is not installed"))
struct HEIFRefusalTests {
  typealias Recipe = CodedPicture.Recipe

  private func refusal(
    _ file: HEIFFile, limits: ImageLimits = ImageLimits()
  ) -> CodecError? {
    codecError {
      _ = try ImageDecoders.decode(
        FileBytes(file.bytes), options: DecoderOptions(limits: limits))
    }
  }

  private func message(_ file: HEIFFile) -> String {
    guard case .damaged(let message, realRows: nil, _) = refusal(file) else {
      return "not damaged: \(String(describing: refusal(file)))"
    }
    return message
  }

  private static let plain = Recipe()

  private func plain() throws -> HEIFFile { HEIFFile(try CodedPicture.make(Self.plain)) }

  @Test func `a picture beyond the limits is refused before the library sees it`() throws {
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
  func `a coded picture that is larger than the file says is refused`(codec: String) throws {
    let large = try CodedPicture.make(
      Self.plain.with { ($0.codec, $0.width, $0.height) = (codec, 256, 200) })
    var file = HEIFFile(large)
    file.items[0].properties[0] = HEIFFile.size(64, 200)
    #expect(message(file) == "a coded picture has 256×200 pixels, the file says 64×200")
    file.items[0].properties[0] = HEIFFile.size(200, 180)
    // Padding is possible, but what comes out is not the size that was stated.
    #expect(refusal(file) != nil)
  }

  @Test func `a second coded picture in an item is refused`() throws {
    var file = try plain()
    file.items[0].data += file.items[0].data
    #expect(message(file) == "item 1 has 2 coded pictures instead of one")
    let av1 = try CodedPicture.make(Self.plain.with { $0.codec = "av1" })
    var other = HEIFFile(av1)
    other.items[0].data = Array(repeatElement(other.items[0].data, count: 9).joined())
    #expect(message(other) == "item 1 has 9 coded pictures")
  }

  @Test func `sequence parameters that contradict each other are refused`() throws {
    let other = try CodedPicture.make(Self.plain.with { $0.width = 128 })
    var file = try plain()
    let units = HEIFFile.units(of: other.stream).filter { $0[0] >> 1 & 0x3F == 33 }
    file.items[0].data = units.flatMap { HEIFFile.number($0.count, 4) + $0 } + file.items[0].data
    #expect(message(file) == "the sequence parameters contradict each other")
  }

  static let grids: [(String, @Sendable () throws -> HEIFFile)] = [
    ("2×2 tiles of 32×24 do not make up 65×40", { try HEIFDecoderTests.grid(width: 65) }),
    ("2×2 tiles of 32×24 do not make up 32×40", { try HEIFDecoderTests.grid(width: 32) }),
    ("the grid has 3 tiles, 4 are needed", { try HEIFDecoderTests.grid(tiles: [2, 3, 4]) }),
    ("item 9 is missing", { try HEIFDecoderTests.grid(tiles: [2, 3, 4, 9]) }),
    (
      "pictures are derived from each other without an end",
      {
        var file = try HEIFDecoderTests.grid(
          width: 50, height: 40, rows: 1, columns: 1, tiles: [1])
        file.items[0].data = HEIFFile.grid(rows: 1, columns: 1, width: 50, height: 40)
        return file
      }
    ),
    (
      "the grid has 50×40 pixels, the picture 50×41",
      {
        var file = try HEIFDecoderTests.grid()
        file.items[0].properties = [HEIFFile.size(50, 41)]
        return file
      }
    ),
    (
      "the tiles of the grid differ in size",
      {
        var file = try HEIFDecoderTests.grid()
        file.items[4].properties[0] = HEIFFile.size(32, 25)
        return file
      }
    ),
    (
      "the grid is cut off",
      {
        var file = try HEIFDecoderTests.grid()
        file.items[0].data.removeLast()
        return file
      }
    ),
  ]

  @Test(arguments: grids.indices)
  func `a grid that cannot be is refused`(index: Int) throws {
    let (wanted, make) = Self.grids[index]
    #expect(message(try make()) == wanted)
  }

  /// An overlay of parts that are overlays of parts.
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

  @Test func `parts of parts are counted without going to each of them`() throws {
    let file = try overlays(60_000)
    #expect(
      refusal(file)
        == .unsupported("an HEIF image of 120004 parts or more, where 65537 are allowed"))
  }

  @Test func `a tile that a grid names again and again is looked at once`() throws {
    var file = try HEIFDecoderTests.grid(
      width: 8192, height: 6120, rows: 255, columns: 256, tiles: [Int](repeating: 2, count: 65_280))
    let note = HEIFFile.number(3, 4) + [39 << 1, 1, 0]
    file.items[1].data = Array(repeatElement(note, count: 20_000).joined()) + file.items[1].data
    let bytes = FileBytes(file.bytes)
    let size = try ImageDecoders.open(bytes).header.size
    #expect(size == PixelSize(width: 8192, height: 6120))
  }

  @Test func `looking at the parts of a picture can be cancelled`() throws {
    let bytes = FileBytes(try HEIFDecoderTests.grid().bytes)
    let error = codecError {
      _ = try ImageDecoders.open(bytes, options: DecoderOptions(isCancelled: { true }))
    }
    #expect(error == .cancelled)
  }

  @Test func `an aperture outside of the picture is refused`() throws {
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

  @Test func `light for displays of high dynamic range is refused by name`() throws {
    let picture = try CodedPicture.make(Self.plain.with { $0.bits = 10 })
    for (transfer, name) in [(16, "PQ"), (18, "HLG")] {
      let box = HEIFFile.color(9, transfer, 9, isFullRange: true)
      let error = refusal(HEIFFile(picture, properties: [box]))
      #expect(error?.description.contains("high dynamic range (\(name)") == true)
    }
    // What the coded picture says of itself counts as well.
    for codec in ["hevc", "av1"] {
      let coded = try CodedPicture.make(
        Self.plain.with { ($0.codec, $0.bits, $0.color) = (codec, 10, [9, 16, 9]) })
      #expect(refusal(HEIFFile(coded))?.description.contains("(PQ") == true, "\(codec)")
    }
  }

  @Test func `green, blue and red with fewer samples than pixels are refused`() throws {
    let box = HEIFFile.color(1, 13, 0, isFullRange: true)
    for (codec, kind) in [("hevc", "HEIC"), ("av1", "AVIF")] {
      for chroma in [[1, 1], [1, 0]] {
        let picture = try CodedPicture.make(
          Self.plain.with { ($0.codec, $0.chroma) = (codec, chroma) })
        #expect(
          refusal(HEIFFile(picture, properties: [box]))
            == .unsupported(
              "an \(kind) image with the colour matrix 0 of ITU-T H.273 and fewer samples than "
                + "pixels"))
      }
    }
  }

  @Test func `kinds that are not read are named`() throws {
    var file = try plain()
    file.items[0].type = "jpeg"
    #expect(refusal(file) == .unsupported("an HEIF image of the kind 'jpeg'"))
    let ictcp = HEIFFile.color(9, 13, 14, isFullRange: true)
    file = HEIFFile(try CodedPicture.make(Self.plain), properties: [ictcp])
    #expect(
      refusal(file) == .unsupported("an HEIC image with the colour matrix 14 of ITU-T H.273"))
  }

  // MARK: Damage

  /// What opening and decoding may end with: a picture, or an error that says why not.
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
  func `a file that ends anywhere is refused`(codec: String) throws {
    let picture = try CodedPicture.make(
      Self.plain.with { ($0.codec, $0.width, $0.height, $0.chroma) = (codec, 16, 16, [1, 1]) })
    let bytes = HEIFFile(picture).bytes
    #expect(survives(bytes))
    for count in 0..<bytes.count where survives(Array(bytes[..<count])) {
      Issue.record("the first \(count) of \(bytes.count) bytes are taken for a picture")
    }
  }

  @Test(arguments: ["hevc", "av1", "grid"])
  func `wrong bits anywhere end with a picture or a reason`(kind: String) throws {
    let file =
      kind == "grid"
      ? try HEIFDecoderTests.grid()
      : HEIFFile(try CodedPicture.make(Self.plain.with { $0.codec = kind }))
    let bytes = file.bytes
    var random = SeededNumbers(11)
    var refused = 0
    for _ in 0..<600 {
      var damaged = bytes
      for _ in 0...random.below(3) {
        damaged[random.below(bytes.count)] ^= UInt8(1 << random.below(8))
      }
      if !survives(damaged) { refused += 1 }
    }
    #expect(refused > 50)
  }
}
