// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs

/// Losslessly coded images, so that every sample is known; the formulas here are in `Double`.
@Suite(
  "HEIC and AVIF",
  .enabled(if: CodedPicture.isPossible, "the program ffmpeg is not installed"))
struct HEIFDecoderTests {
  typealias Settings = CodedPicture.Settings

  private static let plain = Settings()

  /// The color of a coded sample, by ITU-T H.273.
  private func expected(_ image: CodedPicture, _ x: Int, _ y: Int) -> [Double] {
    let settings = image.settings
    let step = Double(1 << (settings.bits - 8))
    let full = Double(1 << settings.bits) - 1
    let sizes = settings.planeSizes
    let values = image.planes.indices.map { plane in
      let shift = plane > 0 ? settings.chroma ?? [0, 0] : [0, 0]
      return Double(image.planes[plane][(y >> shift[1]) * sizes[plane].width + x >> shift[0]])
    }
    func luma(_ value: Double) -> Double {
      settings.isFullRange ? value / full : (value - 16 * step) / (219 * step)
    }
    func chroma(_ value: Double) -> Double {
      (value - 128 * step) / (settings.isFullRange ? full : 224 * step)
    }
    guard values.count == 3 else { return [luma(values[0])] }
    if settings.color[2] == 0 { return [luma(values[2]), luma(values[0]), luma(values[1])] }
    let weights = [1: (0.2126, 0.0722), 6: (0.299, 0.114), 9: (0.2627, 0.0593)]
    let (red, blue) = weights[settings.color[2]] ?? (0, 0)
    let (l, cb, cr) = (luma(values[0]), chroma(values[1]), chroma(values[2]))
    let (r, b) = (l + 2 * (1 - red) * cr, l + 2 * (1 - blue) * cb)
    return [r, (l - red * r - blue * b) / (1 - red - blue), b]
  }

  static let allSettings: [Settings] = [
    plain,
    plain.with { $0.color = [1, 13, 1] },
    plain.with { ($0.color, $0.isFullRange) = ([1, 13, 1], false) },
    plain.with { ($0.chroma, $0.isFullRange) = ([1, 1], false) },
    plain.with { ($0.chroma, $0.width, $0.height) = ([1, 1], 34, 26) },
    plain.with { $0.chroma = [1, 0] },
    // Nothing is stated: limited range and the matrix of BT.601.
    plain.with { ($0.statesColor, $0.isFullRange) = (false, false) },
    plain.with { ($0.statesColor, $0.isFullRange, $0.chroma) = (false, false, nil) },
    plain.with { ($0.bits, $0.chroma, $0.color) = (10, [1, 1], [1, 13, 9]) },
    plain.with { ($0.bits, $0.color, $0.isFullRange) = (10, [1, 13, 1], false) },
    plain.with { ($0.bits, $0.chroma) = (12, [1, 0]) },
    plain.with { $0.color = [1, 13, 0] },
    plain.with { $0.chroma = nil },
    plain.with { ($0.chroma, $0.isFullRange, $0.bits) = (nil, false, 10) },
    plain.with { $0.codec = "av1" },
    plain.with { ($0.codec, $0.chroma, $0.width, $0.height) = ("av1", [1, 1], 33, 25) },
    plain.with { ($0.codec, $0.chroma, $0.isFullRange) = ("av1", [1, 1], false) },
    plain.with { ($0.codec, $0.bits, $0.color) = ("av1", 10, [1, 13, 1]) },
    plain.with { ($0.codec, $0.chroma) = ("av1", nil) },
  ]

  @Test(arguments: allSettings)
  func `colors follow the color description of the coded image`(settings: Settings) throws {
    let coded = try CodedPicture.make(settings)
    let decoder = try ImageDecoders.open(FileBytes(HEIFFile(coded).bytes))
    let header = decoder.header
    #expect(header.format == (settings.codec == "hevc" ? .heif : .avif))
    #expect(header.size == PixelSize(width: settings.width, height: settings.height))
    #expect(header.bitsPerSample == settings.bits)
    #expect(header.layout.bytesPerSample == (settings.bits > 8 ? 2 : 1))
    let image = try ImageDecoders.decode(decoder)
    let maximum = settings.bits > 8 ? 65_535.0 : 255
    var worst = 0.0
    for y in 0..<settings.height {
      for x in 0..<settings.width {
        for (channel, value) in expected(coded, x, y).enumerated() {
          let requested = min(max(value * maximum, 0), maximum)
          worst = max(worst, abs(Double(image[x: x, y: y, channel: channel]) - requested))
        }
      }
    }
    // Rounding costs half a level of the coded depth, and more where that becomes 16 bits. For
    // limited range libheif 1.15 uses 256 instead of 255 in its factors, which costs another level.
    let level = maximum / Double((1 << settings.bits) - 1)
    let isExact = settings.isFullRange || settings.chroma == nil
    #expect(worst < (isExact ? 0.55 * level + 0.01 : 1.5 * level), "off by \(worst / level) levels")
  }

  @Test func `a color box takes precedence over the coded picture`() throws {
    let image = try CodedPicture.make(Self.plain)
    let box = HEIFFile.color(1, 13, 1, isFullRange: true)
    let stated = try ImageDecoders.decode(FileBytes(HEIFFile(image, properties: [box]).bytes))
    let settings = Self.plain.with { $0.color = [1, 13, 1] }
    let coded = try ImageDecoders.decode(
      FileBytes(HEIFFile(try CodedPicture.make(settings)).bytes))
    #expect(stated == coded)
    #expect(try stated != ImageDecoders.decode(FileBytes(HEIFFile(image).bytes)))
  }

  @Test(arguments: [16, 18], ["hevc", "av1"])
  func `HDR becomes Display P3 of standard range`(transfer: Int, codec: String) throws {
    let settings = Settings().with {
      ($0.codec, $0.bits, $0.color, $0.chroma) = (codec, 10, [9, transfer, 9], [1, 1])
    }
    let plain = HEIFFile(try CodedPicture.make(settings))
    var bright = plain
    bright.items[0].properties.append(
      HEIFFile.box("clli", HEIFFile.number(600, 2) + HEIFFile.number(0, 2)))
    // A box with the same codes, of which some programs write nothing but the box.
    let unstated = HEIFFile(
      try CodedPicture.make(settings.with { $0.statesColor = false }),
      properties: [HEIFFile.color(9, transfer, 9, isFullRange: true)])
    for (file, peak) in [(plain, 1000.0), (bright, transfer == 16 ? 600 : 1000), (unstated, 1000)] {
      let bytes = FileBytes(file.bytes)
      let decoder = try ImageDecoders.open(bytes)
      #expect(decoder.header.toneMapping == ToneMapping(method: "bt2446a", peak: peak))
      let found = try ImageDecoders.decode(decoder)
      var expected = try ImageDecoders.decode(HEIFDecoder(bytes))
      let range = try #require(
        HighDynamicRange(
          primariesCode: 9, transferCode: transfer, brightest: peak))
      let (count, layout) = (expected.size.pixelCount, expected.layout)
      expected.bytes.withUnsafeMutableBytes { rows in
        if let base = rows.baseAddress { ToneMapper(range).convert(count, layout, at: base) }
      }
      #expect(found == expected)
      let metadata = try ImageMetadata.read(bytes)
      #expect(metadata.losses.map(\.kind) == [.dynamicRange])
      #expect(ImageColorSpace(decoder.header, metadata).description == "Display P3, kept")
    }
    // A profile describes the colors by itself.
    let p3 = try #require(ICCProfile.displayP3)
    var profiled = plain
    profiled.items[0].properties.append(HEIFFile.box("colr", Array("prof".utf8) + p3.bytes))
    #expect(try ImageDecoders.open(FileBytes(profiled.bytes)).header.toneMapping == nil)
    // Gray has no primaries.
    let gray = HEIFFile(try CodedPicture.make(settings.with { $0.chroma = nil }))
    let decoder = try ImageDecoders.open(FileBytes(gray.bytes))
    let metadata = try ImageMetadata.read(FileBytes(gray.bytes))
    #expect(decoder.header.toneMapping != nil && metadata.icc == nil)
    #expect(ImageColorSpace(decoder.header, metadata).description == "sRGB, assumed")
  }

  @Test func `each of 1024 levels maps to a distinct level from black to white`() throws {
    let settings = Settings().with { ($0.chroma, $0.bits, $0.width, $0.height) = (nil, 10, 64, 16) }
    let coded = try CodedPicture(settings, planes: [Array(0..<1024)])
    let image = try ImageDecoders.decode(FileBytes(HEIFFile(coded).bytes))
    let levels = (0..<1024).map { image[x: $0 % 64, y: $0 / 64, channel: 0] }
    #expect(levels == (0..<1024).map { ($0 * 65_535 * 2 + 1023) / (2 * 1023) })
    #expect(levels.first == 0 && levels.last == 65_535)
  }

  // MARK: Transformations

  /// 90° counterclockwise rotations and a flip, in both orders in which files combine them.
  static let transformations: [[[UInt8]]] = (0..<4).flatMap { turns -> [[[UInt8]]] in
    let rotation = HEIFFile.box("irot", [UInt8(turns)])
    let leftRight = HEIFFile.box("imir", [1])
    let upDown = HEIFFile.box("imir", [0])
    return [[rotation], [rotation, leftRight], [leftRight, rotation], [rotation, upDown]]
  }

  /// The position in the stored image of a sample of the oriented one, box by box from the last.
  private func stored(
    _ x: Int, _ y: Int, _ boxes: [[UInt8]], _ size: PixelSize
  ) -> (x: Int, y: Int) {
    guard let box = boxes.last else { return (x, y) }
    let rest = Array(boxes.dropLast())
    let before = oriented(size, rest)
    if box[4..<8].elementsEqual("imir".utf8) {
      return box[8] == 1
        ? stored(before.width - 1 - x, y, rest, size) : stored(x, before.height - 1 - y, rest, size)
    }
    switch box[8] {
    case 1: return stored(before.width - 1 - y, x, rest, size)
    case 2: return stored(before.width - 1 - x, before.height - 1 - y, rest, size)
    case 3: return stored(y, before.height - 1 - x, rest, size)
    default: return stored(x, y, rest, size)
    }
  }

  private func oriented(_ size: PixelSize, _ boxes: [[UInt8]]) -> PixelSize {
    let turns = boxes.filter { $0[4..<8].elementsEqual("irot".utf8) && $0[8] % 2 == 1 }
    return turns.count % 2 == 1 ? size.transposed : size
  }

  @Test(arguments: transformations)
  func `the rotations and flips of the file are applied in order`(boxes: [[UInt8]]) throws {
    let coded = try CodedPicture.make(Self.plain)
    let flat = try ImageDecoders.decode(FileBytes(HEIFFile(coded).bytes))
    let bytes = FileBytes(HEIFFile(coded, properties: boxes).bytes)
    let image = try ImageDecoders.decode(bytes)
    try #require(image.size == oriented(flat.size, boxes))
    var wrong = 0
    for y in 0..<image.size.height {
      for x in 0..<image.size.width {
        let point = stored(x, y, boxes, flat.size)
        for channel in 0..<3
        where image[x: x, y: y, channel: channel]
          != flat[x: point.x, y: point.y, channel: channel]
        { wrong += 1 }
      }
    }
    #expect(wrong == 0)
  }

  @Test func `the clean aperture is cropped before the rotation`() throws {
    let coded = try CodedPicture.make(Self.plain)
    let flat = try ImageDecoders.decode(FileBytes(HEIFFile(coded).bytes))
    // 10 × 6 pixels from (4, 12): its center is 7 to the left of the image's center and 3 below it.
    let aperture = HEIFFile.aperture(10, 6, x: (-7, 1), y: (3, 1))
    let file = HEIFFile(coded, properties: [aperture, HEIFFile.box("irot", [2])])
    let image = try ImageDecoders.decode(FileBytes(file.bytes))
    try #require(image.size == PixelSize(width: 10, height: 6))
    for (x, y) in [(0, 0), (9, 0), (0, 5), (9, 5), (3, 2)] {
      for channel in 0..<3 {
        #expect(
          image[x: x, y: y, channel: channel]
            == flat[x: 4 + 9 - x, y: 12 + 5 - y, channel: channel])
      }
    }
  }

  // MARK: Alpha and grids

  /// An image with its alpha, which is another image of one plane.
  private func withAlpha(_ settings: Settings, alpha: Settings, isPremultiplied: Bool) throws -> (
    file: HEIFFile, alpha: CodedPicture
  ) {
    let color = try CodedPicture.make(settings)
    let mask = try CodedPicture.make(alpha)
    var file = HEIFFile(color)
    file.items.append(
      HEIFFile.item(
        2, mask, properties: [HEIFFile.auxiliary("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha")]))
    file.references = [("auxl", 2, [1])]
    if isPremultiplied { file.references.append(("prem", 1, [2])) }
    return (file, mask)
  }

  static let alphaSettings: [(Settings, Settings)] = [
    (plain, plain.with { $0.chroma = nil }),
    (plain.with { $0.chroma = nil }, plain.with { ($0.chroma, $0.seed) = (nil, 4) }),
    (plain.with { $0.bits = 10 }, plain.with { ($0.chroma, $0.bits) = (nil, 10) }),
    (plain.with { $0.codec = "av1" }, plain.with { ($0.codec, $0.chroma) = ("av1", nil) }),
  ]

  @Test(arguments: alphaSettings)
  func `alpha is returned unassociated`(color: Settings, alpha: Settings) throws {
    let (file, mask) = try withAlpha(color, alpha: alpha, isPremultiplied: false)
    let opaque = try ImageDecoders.decode(FileBytes(HEIFFile(try CodedPicture.make(color)).bytes))
    let image = try ImageDecoders.decode(FileBytes(file.bytes))
    let colors = image.layout.channels.colorCount
    try #require(image.layout.channels.hasAlpha && colors == opaque.layout.channels.count)
    let (top, full) = (alpha.bits > 8 ? 65_535 : 255, (1 << alpha.bits) - 1)
    for y in stride(from: 0, to: 24, by: 5) {
      for x in stride(from: 0, to: 32, by: 3) {
        for channel in 0..<colors {
          #expect(
            image[x: x, y: y, channel: channel] == opaque[x: x, y: y, channel: channel])
        }
        let requested = (mask.planes[0][y * 32 + x] * top + full / 2) / full
        #expect(image[x: x, y: y, channel: colors] == requested)
      }
    }
  }

  @Test func `premultiplied colors are divided by alpha`() throws {
    let alpha = Self.plain.with { $0.chroma = nil }
    let (file, mask) = try withAlpha(Self.plain, alpha: alpha, isPremultiplied: true)
    let flat = try ImageDecoders.decode(
      FileBytes(HEIFFile(try CodedPicture.make(Self.plain)).bytes))
    let image = try ImageDecoders.decode(FileBytes(file.bytes))
    var visible = 0
    for y in 0..<24 {
      for x in 0..<32 {
        let a = mask.planes[0][y * 32 + x]
        for channel in 0..<3 {
          let stored = flat[x: x, y: y, channel: channel]
          let straight = a == 0 ? 0 : min(255, (stored * 255 + a / 2) / a)
          #expect(image[x: x, y: y, channel: channel] == straight)
          if a > 0, stored < a { visible += 1 }
        }
      }
    }
    #expect(visible > 100)
  }

  /// A gain map, a depth map and a thumbnail, each of several images, one of which is not coded.
  private func attachingShared(_ file: HEIFFile) throws -> HEIFFile {
    let gray = try CodedPicture.make(Self.plain.with { $0.chroma = nil })
    var file = file
    file.items += [
      HEIFFile.item(
        10, gray, properties: [HEIFFile.auxiliary("urn:com:apple:photo:2020:aux:hdrgainmap")]),
      HEIFFile.item(11, gray, properties: [HEIFFile.auxiliary("urn:mpeg:hevc:2015:auxid:2")]),
      HEIFFile.item(12, gray),
      HEIFFile.Item(13, "tmap", [0, 0, 0], properties: [HEIFFile.size(32, 24)]),
    ]
    file.references += [
      ("dimg", 13, [1, 10]), ("auxl", 10, [1, 13]), ("auxl", 11, [13]), ("thmb", 12, [1, 13]),
    ]
    return file
  }

  @Test func `auxiliary images shared by several images do not change the image`() throws {
    for file in [
      HEIFFile(try CodedPicture.make(Self.plain)), try Self.grid(),
      try withAlpha(Self.plain, alpha: Self.plain.with { $0.chroma = nil }, isPremultiplied: true)
        .file,
    ] {
      let alone = try ImageDecoders.decode(FileBytes(file.bytes))
      let shared = FileBytes(try attachingShared(file).bytes)
      #expect(try ImageDecoders.decode(shared) == alone)
      #expect(try ImageMetadata.read(shared).losses.map(\.kind) == [.gainMap, .depthMap])
    }
  }

  @Test func `boxes that libheif does not know and the image does not need are hidden from it`()
    throws
  {
    let plain = HEIFFile(try CodedPicture.make(Self.plain))
    let alone = try ImageDecoders.decode(FileBytes(plain.bytes))
    let changes: [(String, (inout HEIFFile) -> Void)] = [
      (
        "metadata of two images, as phones write since iOS 18",
        { file in
          file.items += [
            HEIFFile.Item(20, "Exif", [0, 0, 0, 0] + Array("II*\0".utf8) + [8, 0, 0, 0, 0, 0]),
            HEIFFile.Item(13, "tmap", [0, 0, 0], properties: [HEIFFile.size(32, 24)]),
          ]
          file.references += [("dimg", 13, [1]), ("cdsc", 20, [1, 13])]
        }
      ),
      (
        "compressed metadata that is damaged",
        { file in
          var item = HEIFFile.Item(21, "mime", [1, 2, 3])
          (item.contentType, item.contentEncoding) = ("application/rdf+xml", "deflate")
          file.items.append(item)
          file.references.append(("cdsc", 21, [1]))
        }
      ),
      (
        "a group with data of its own",
        { file in
          let group = HEIFFile.number(7, 4) + HEIFFile.number(1, 4) + HEIFFile.number(1, 4)
          file.metadata = HEIFFile.box("grpl", HEIFFile.fullBox("pymd", group + [1, 2, 3, 4, 5]))
        }
      ),
      (
        "an image of a kind and without a decoder configuration",
        { file in file.items.append(HEIFFile.Item(22, "hvc1", [0, 0, 0, 1, 2])) }
      ),
      (
        "color information for QuickTime",
        { file in
          file.items[0].properties.append(
            HEIFFile.box("colr", Array("nclc".utf8) + [0, 1, 0, 13, 0, 6]))
        }
      ),
    ]
    for (name, change) in changes {
      var file = plain
      change(&file)
      let image = try? ImageDecoders.decode(FileBytes(file.bytes))
      #expect(image == alone, "\(name)")
    }
  }

  @Test func `a library limit is reported as a limit, not as damage`() throws {
    var (file, _) = try withAlpha(
      Self.plain, alpha: Self.plain.with { $0.chroma = nil }, isPremultiplied: false)
    file.items.append(HEIFFile.item(3, try CodedPicture.make(Self.plain)))
    file.references = [("auxl", 2, [1, 3])]
    let bytes = FileBytes(file.bytes)
    do throws(CodecError) {
      // Since version 1.18 the library reads it.
      let image = try ImageDecoders.decode(bytes)
      #expect(image.layout.channels.hasAlpha)
    } catch {
      guard case .unsupported(let what) = error else { throw error }
      #expect(what.contains("an HEIC image that exceeds a limit of the installed libheif 1."))
      #expect(what.contains("Too many auxiliary image references"))
    }
  }

  /// Four tiles, cropped to 50 × 40.
  static func grid(
    width: Int = 50, height: Int = 40, rows: Int = 2, columns: Int = 2, tiles: [Int] = [2, 3, 4, 5]
  ) throws -> HEIFFile {
    var file = HEIFFile()
    file.primary = 1
    var canvas = HEIFFile.Item(
      1, "grid", HEIFFile.grid(rows: rows, columns: columns, width: width, height: height),
      properties: [HEIFFile.size(width, height)])
    canvas.isInside = true
    file.items = [canvas]
    for number in 0..<4 {
      var tile = HEIFFile.item(
        2 + number, try CodedPicture.make(plain.with { $0.seed = 1 + number }))
      tile.isHidden = true
      file.items.append(tile)
    }
    file.references = [("dimg", 1, tiles)]
    return file
  }

  @Test func `tiles are assembled and cropped to the image size`() throws {
    let image = try ImageDecoders.decode(FileBytes(try Self.grid().bytes))
    try #require(image.size == PixelSize(width: 50, height: 40))
    let tiles = try (0..<4).map { number in
      try ImageDecoders.decode(
        FileBytes(HEIFFile(try CodedPicture.make(Self.plain.with { $0.seed = 1 + number })).bytes))
    }
    var wrong = 0
    for y in 0..<40 {
      for x in 0..<50 {
        let tile = tiles[y / 24 * 2 + x / 32]
        for channel in 0..<3
        where image[x: x, y: y, channel: channel]
          != tile[x: x % 32, y: y % 24, channel: channel]
        { wrong += 1 }
      }
    }
    #expect(wrong == 0)
  }

  @Test func `rows can be read in any number at a time and end with the image`() throws {
    let bytes = HEIFFile(try CodedPicture.make(Self.plain.with { $0.bits = 10 })).bytes
    let whole = Decoding.decode(bytes, rowsAtOnce: 100)
    #expect(whole.image != nil)
    for count in [1, 5, 24] { #expect(Decoding.decode(bytes, rowsAtOnce: count) == whole) }
  }

  @Test func `cancellation is checked before decoding starts`() throws {
    let bytes = FileBytes(HEIFFile(try CodedPicture.make(Self.plain)).bytes)
    let options = DecoderOptions(isCancelled: { true })
    #expect(throws: CodecError.cancelled) { try ImageDecoders.decode(bytes, options: options) }
  }

  @Test func `a missing library is reported with the package that provides it`() {
    #if HEIF
      let error = #expect(throws: CodecError.self) {
        try HEIFLibrary.probe("libheif-that-is-not.so.1", for: .heif)
      }
      #expect(error?.description.contains("libheif-that-is-not.so.1") == true)
      #expect(error?.hint?.contains("libheif1") == true)
      #expect(throws: Never.self) { try HEIFLibrary.probe(HEIFLibrary.name, for: .heif) }
      // An existing library that is not libheif.
      #expect(throws: CodecError.self) { try HEIFLibrary.probe("libz.so.1", for: .avif) }
    #endif
  }
}
