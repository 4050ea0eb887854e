// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditRendering
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

/// Color values of other spaces, as computed by colour-science and Little CMS.
@Suite("Consistent colors in every color space")
struct ColorRuleTests {
  /// A space whose rendering keeps its profile.
  struct Space: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let profile: ICCProfile?

    init(_ name: String, _ primaries: ColorPrimaries, _ transfer: TransferFunction = .sRGB) {
      testDescription = name
      profile = .matrix(primaries: primaries, transfer: transfer, description: name)
    }

    /// An image of one color.
    func source(_ levels: [Int], side: Int = 8) throws -> ImageSource {
      try source(Charts.image(side, side, .rgb) { _, _, channel in levels[channel] })
    }

    func source(_ image: ImageBuffer) throws -> ImageSource {
      let profile = try #require(profile)
      return try ImageSource(
        FileBytes(ProfiledFiles.png(PNGEncoder.encode(image), profile: profile)))
    }
  }

  private static let proPhotoPrimaries = ColorPrimaries(
    red: .init(0.7347, 0.2653), green: .init(0.1596, 0.8404), blue: .init(0.0366, 0.0001),
    white: .init(0.3457, 0.3585))

  static let sRGB = Space("sRGB", .sRGB)
  static let displayP3 = Space("Display P3", .displayP3)
  static let adobeRGB = Space("Adobe RGB (1998)", .adobeRGB, .gamma(2.199_218_75))
  static let proPhoto = Space("ProPhoto", proPhotoPrimaries, .gamma(1.8))
  /// The primaries of ProPhoto without its curve.
  static let wide = Space("ProPhoto with the curve of sRGB", proPhotoPrimaries)

  /// The levels of a pixel, unclamped.
  private static func levels(_ raster: Raster, x: Int = 0, y: Int = 0) -> [Double] {
    raster.rgb.map { Double($0[y * raster.size.width + x]) * 255 }
  }

  private static func differ(_ a: [Double], _ b: [Double]) -> Double {
    zip(a, b).map { abs($0 - $1) }.max() ?? .infinity
  }

  /// A graph with version 1 of each filter, as in a stored edit.
  static func first(_ graph: FilterGraph) throws -> FilterGraph {
    let text = String(decoding: graph.canonicalBytes(), as: UTF8.self)
      .replacing("\"v\":2", with: "\"v\":1").replacing("@2\"", with: "@1\"")
    return try FilterGraph(json: Array(text.utf8))
  }

  // MARK: Color values

  private static let p3 = displayP3
  static let written: [(Space, String, [Double])] = [
    (p3, "#ff0000", [233.96, 51.07, 35.33]), (p3, "#ff8000", [238.71, 134.90, 50.68]),
    (p3, "#3366cc", [63.71, 100.79, 197.26]), (p3, "#808080", [128, 128, 128]),
    (adobeRGB, "#ff8000", [227.31, 126.99, 29.77]), (adobeRGB, "#3366cc", [71.77, 101.85, 199.74]),
    (adobeRGB, "#808080", [126.99, 126.99, 126.99]),
    (proPhoto, "#ff0000", [179.07, 70.31, 26.40]), (proPhoto, "#ff8000", [192.09, 127.44, 43.98]),
    (proPhoto, "#3366cc", [87.65, 84.28, 180.85]), (proPhoto, "#808080", [108.80, 108.80, 108.80]),
  ]

  /// Each way to add a color to an image, and the position to check.
  private static func graphs(_ color: Background) throws -> [(String, FilterGraph, Int, Int)] {
    var pad = Pad()
    (pad.top, pad.left, pad.color) = (2, 3, color)
    var straighten = Straighten(angle: 45, fit: .expand)
    straighten.color = color
    var linear = straighten
    linear.light = .linear
    let gradient = GradientMap([ColorStop(0, color), ColorStop(1, color)])
    return [
      ("pad", try FilterGraph([pad]), 0, 0),
      ("straighten", try FilterGraph([straighten]), 0, 0),
      ("straighten in linear light", try FilterGraph([linear]), 0, 0),
      ("gradientMap", try FilterGraph([gradient]), 4, 4),
    ]
  }

  @Test(arguments: written.indices)
  func `a hexadecimal color is an sRGB color`(index: Int) throws {
    let (space, text, expected) = Self.written[index]
    let color = try #require(Background(text))
    let image = try space.source([60, 90, 120])
    for (name, graph, x, y) in try Self.graphs(color) {
      let found = Self.levels(try Renderer.raster(image, graph), x: x, y: y)
      #expect(Self.differ(found, expected) < 0.02, "\(name): \(found)")
    }
    // Under transparency, with filters and without.
    let clear = Charts.image(8, 8, .rgba) { _, _, channel in channel == 3 ? 0 : 200 }
    for filters: [any Filter] in [[], [Exposure(ev: 0.5)], [Flip(.horizontal)]] {
      var graph = try FilterGraph(filters)
      graph.background = color
      let read = try FilterGraph(json: graph.canonicalBytes())
      #expect(read == graph)
      let found = Self.levels(try Renderer.raster(space.source(clear), read))
      #expect(Self.differ(found, expected) < 0.02, "background: \(found)")
    }
  }

  @Test func `sRGB red has no green and no blue in Adobe RGB`() throws {
    var pad = Pad()
    pad.left = 1
    pad.color = Background(red: 255, green: 0, blue: 0)
    let raster = try Renderer.raster(Self.adobeRGB.source([9, 9, 9]), FilterGraph([pad]))
    let found = Self.levels(raster)
    #expect(abs(found[0] - 218.94) < 0.02)
    // The profile has 16-bit values, and the curve is steep at black.
    #expect(abs(found[1]) < 2 && abs(found[2]) < 2)
  }

  @Test func `a split tone is an sRGB color`() throws {
    var tint = SplitTone()
    (tint.shadowHue, tint.shadowSaturation) = (30, 1)
    (tint.highlightHue, tint.highlightSaturation) = (30, 1)
    let found = Self.levels(
      try Renderer.raster(Self.displayP3.source([128, 128, 128]), FilterGraph([tint])))
    // Soft light with a hue of 30 degrees, (255, 127.5, 0) in sRGB, converted to Display P3.
    let source = SIMD3(238.6706, 134.4474, 50.5674) / 255
    let expected = BlendMode.softLight(
      backdrop: SIMD3(repeating: 128.0 / 255), source: source)
    #expect(Self.differ(found, [expected.x, expected.y, expected.z].map { $0 * 255 }) < 0.02)
  }

  // MARK: Filters in linear light

  @Test func `the Oklch hue rotates with the primaries of the photo`() throws {
    let cases: [(Space, [Int], [Double])] = [
      (Self.displayP3, [180, 90, 60], [143.00, 121.17, -25.38]),
      (Self.wide, [60, 140, 70], [75.30, 131.31, 194.51]),
    ]
    var rotation = HueRotate(angle: 60)
    rotation.method = .oklch
    for (space, color, expected) in cases {
      for filter: any Filter in [Oklch(hue: 60), rotation] {
        let found = Self.levels(
          try Renderer.raster(space.source(color), FilterGraph([filter])))
        // Rows of the cone responses add up to one, which keeps grays and shifts this by 0.03.
        #expect(Self.differ(found, expected) < 0.035, "\(space) \(filter): \(found)")
      }
      // A gray stays gray, and the inverse restores the color.
      let gray = Self.levels(
        try Renderer.raster(
          space.source([150, 150, 150]), FilterGraph([Oklch(chroma: 1.7, hue: 60)])))
      #expect(Self.differ(gray, [150, 150, 150]) < 0.005, "\(gray)")
      let back = Self.levels(
        try Renderer.raster(
          space.source(color), FilterGraph([Oklch(hue: 60), Oklch(hue: -60)])))
      #expect(Self.differ(back, color.map(Double.init)) < 0.005, "\(back)")
    }
  }

  @Test func `the white balance adapts with the primaries of the photo`() throws {
    let cases: [(Space, [Double])] = [
      (Self.sRGB, [131.64, 152.34, 183.06]), (Self.displayP3, [135.61, 151.71, 180.32]),
      (Self.wide, [147.10, 151.46, 179.06]),
    ]
    for (space, expected) in cases {
      let found = Self.levels(
        try Renderer.raster(
          space.source([150, 150, 150]), FilterGraph([WhiteBalance(temperature: 4500)])))
      #expect(Self.differ(found, expected) < 0.02, "\(space): \(found)")
    }
  }

  @Test func `luminance is weighted by the primaries of the photo`() throws {
    let cases: [(Space, [Double])] = [
      (Self.sRGB, [0.212639, 0.715169, 0.072192]),
      (Self.displayP3, [0.228975, 0.691739, 0.079287]),
      (Space("Adobe RGB", .adobeRGB), [0.297345, 0.627364, 0.075291]),
      (Self.wide, [0.268318, 0.715123, 0.016559]),
      (
        Space("BT.2020", try #require(ColorPrimaries(codePoint: 9))),
        [0.262700, 0.677998, 0.059302]
      ),
    ]
    for (space, weights) in cases {
      for channel in 0..<3 {
        let color = (0..<3).map { $0 == channel ? 255 : 0 }
        let found = try Renderer.raster(
          space.source(color), FilterGraph([Grayscale(.luminance)]))
        #expect(abs(Self.levels(found)[0] - SRGBTransfer.encode(weights[channel]) * 255) < 0.02)
      }
      // Luma is a sum of encoded values in every space.
      let luma = try Renderer.raster(
        space.source([255, 0, 0]), FilterGraph([Grayscale(.luma709)]))
      #expect(abs(Self.levels(luma)[0] - 0.2126 * 255) < 0.001)
    }
  }

  // MARK: Overlays

  /// The photo covered with a mark of one color.
  private static func marked(
    _ photo: ImageSource, _ mark: [UInt8], version: Int = 2
  ) throws -> [Double] {
    var graph = FilterGraph()
    var overlay = Overlay(
      asset: try graph.addAsset(GraphAttachment(mark, mediaType: "image/png"), named: "mark"))
    (overlay.scale, overlay.margin, overlay.anchor) = (1, 0, .center)
    try graph.append(overlay)
    return levels(try Renderer.raster(photo, version == 1 ? first(graph) : graph), x: 4, y: 4)
  }

  @Test func `a watermark is converted with its profile`() throws {
    let blue = Charts.image(8, 8, .rgb) { _, _, channel in [0x33, 0x66, 0xCC][channel] }
    let plain = try PNGEncoder.encode(blue)
    for (space, text, expected) in Self.written where text == "#3366cc" {
      let photo = try space.source([10, 20, 30])
      // Without a profile it is sRGB; a photo without one is sRGB as well.
      #expect(Self.differ(try Self.marked(photo, plain), expected) < 0.02)
      let profile = try #require(space.profile)
      let own = ProfiledFiles.png(plain, profile: profile)
      #expect(Self.differ(try Self.marked(photo, own), [0x33, 0x66, 0xCC]) < 0.02)
      let transparent = try PNGEncoder.encode(
        Charts.image(8, 8, .rgba) { _, _, channel in [0x33, 0x66, 0xCC, 255][channel] })
      #expect(Self.differ(try Self.marked(photo, transparent), expected) < 0.02)
      // Edits of the first version used the values unconverted.
      let before = try Self.marked(photo, plain, version: 1)
      let numbers = space.testDescription == "Display P3"
      #expect((Self.differ(before, [0x33, 0x66, 0xCC]) < 0.02) == numbers)
    }
    let back = ProfiledFiles.png(
      try PNGEncoder.encode(
        Charts.image(8, 8, .rgb, bytesPerSample: 2) { _, _, channel in
          Int(([63.71209, 100.786218, 197.258246][channel] * 257).rounded())
        }), profile: try #require(Self.displayP3.profile))
    let photo = try Charts.source(Charts.image(8, 8, .rgb) { _, _, _ in 7 })
    #expect(Self.differ(try Self.marked(photo, back), [0x33, 0x66, 0xCC]) < 0.02)
    // A gray mark keeps its brightness with any primaries.
    let gray = try PNGEncoder.encode(Charts.image(8, 8, .gray) { _, _, _ in 128 })
    #expect(
      Self.differ(try Self.marked(Self.proPhoto.source([1, 2, 3]), gray), [108.8, 108.8, 108.8])
        < 0.02)
  }

  @Test func `a watermark with a color-table profile becomes sRGB and keeps its black`() throws {
    let mark = Charts.image(8, 8, .rgb) { _, _, channel in [120, 60, 200][channel] }
    let bytes = ProfiledFiles.png(try PNGEncoder.encode(mark), profile: TestProfiles.camera)
    let conversion = try ColorConversion(
      from: .profile(TestProfiles.camera), bytesPerSample: 1, compensatesBlack: false)
    var converted: [UInt16] = [0, 0, 0]
    let source: [UInt8] = [120, 60, 200]
    converted.withUnsafeMutableBytes { target in
      source.withUnsafeBytes { source in
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        conversion.convert(1, from: from, into: to)
      }
    }
    let photo = try Charts.source(Charts.image(8, 8, .rgb) { _, _, _ in 7 })
    #expect(Self.differ(try Self.marked(photo, bytes), converted.map { Double($0) / 257 }) < 0.02)
    #expect(Self.differ(try Self.marked(photo, bytes, version: 1), [120, 60, 200]) < 0.02)
  }

  // MARK: Versions

  /// Filters whose second version differs in more than the color space.
  private static let redefined: Set = [
    "blackWhite", "clahe", "clarity", "colorMixer", "denoiseNLM", "denoiseWavelet", "exposure",
    "look.chrome", "look.noir", "shadowsHighlights", "vibrance", "vignette",
  ]

  /// Every other filter with two versions, with active values and each of its choices.
  static let changed: [any Filter] = CatalogCase.all.filter {
    $0.description.version == 2 && !redefined.contains($0.description.name)
  }
  .flatMap { $0.active(color: "#3366cc") }

  @Test func `these filters depend on the color space`() {
    #expect(
      CatalogCase.all.filter { $0.description.version > 1 }.map { $0.description.name }
        .filter { !Self.redefined.contains($0) }.sorted()
        == [
          "gradientMap", "grayscale", "hueRotate", "oklch", "overlay", "pad", "splitTone",
          "straighten", "whiteBalance",
        ])
  }

  @Test(arguments: changed.indices)
  func `both versions match for sRGB`(index: Int) throws {
    let filter = Self.changed[index]
    let graph = try Charts.graph([filter])
    let old = try Self.first(graph)
    #expect(old != graph && old.blockingReasons.isEmpty)
    let profile = try #require(ICCProfile.sRGB)
    let noise = Charts.noise(31, 23)
    for image in [
      try Charts.source(noise),
      try ImageSource(FileBytes(ProfiledFiles.png(PNGEncoder.encode(noise), profile: profile))),
    ] {
      let (a, b) = (try Renderer.raster(image, old), try Renderer.raster(image, graph))
      #expect(try difference(a.rgb, b.rgb) <= ToleranceClass.Reach.point.maximum, "\(filter)")
    }
  }

  @Test(arguments: changed.indices)
  func `a stored edit renders the same values as before`(index: Int) throws {
    let graph = try Self.first(Charts.graph([Self.changed[index]]))
    // Values with the sRGB curve were treated as sRGB.
    let noise = Charts.noise(31, 23)
    #expect(
      try Renderer.raster(Self.displayP3.source(noise), graph)
        == Renderer.raster(Charts.source(noise), graph))
  }

  @Test func `the background of a stored edit keeps its unconverted values`() throws {
    let old =
      ##"{"format":"org.photoedit.filter-graph","nodes":[],"output":"##
      + ##"{"background":"#3366cc"},"requires":[],"version":"1.0"}"##
    var graph = try FilterGraph(json: Array(old.utf8))
    #expect(String(decoding: graph.canonicalBytes(), as: UTF8.self) == old)
    let clear = Charts.image(8, 8, .rgba) { _, _, channel in channel == 3 ? 0 : 200 }
    for space in [Self.displayP3, Self.adobeRGB] {
      let found = Self.levels(try Renderer.raster(space.source(clear), graph))
      #expect(Self.differ(found, [0x33, 0x66, 0xCC]) < 0.001)
    }
    // Setting it again selects the color.
    graph.background = try #require(Background("#3366cc"))
    let found = Self.levels(try Renderer.raster(Self.displayP3.source(clear), graph))
    #expect(Self.differ(found, [63.71, 100.79, 197.26]) < 0.02)
    #expect(try FilterGraph(json: graph.canonicalBytes()) == graph)
  }

  // MARK: Frames

  @Test func `frames are rendered like a photo with the same primaries`() throws {
    var pad = Pad()
    (pad.left, pad.color) = (2, try #require(Background("#ff8000")))
    let graph = try FilterGraph([Grayscale(.luminance, amount: 0.5), pad])
    let photo = try Renderer.raster(Self.displayP3.source([180, 90, 60]), graph)
    let renderer = try FrameRenderer(
      planes: graph, size: PixelSize(width: 8, height: 8), orientation: .up, space: .sRGB,
      primaries: .displayP3)
    let row = [180, 90, 60].flatMap { [Float](repeating: Float($0) / 255, count: 8) }
    let frame = LockedValue([[Float]](repeating: [], count: 8))
    try renderer.run { rows, memory throws(RenderError) in
      for (index, _) in rows.enumerated() {
        row.withUnsafeBytes {
          UnsafeMutableRawBufferPointer(start: memory + index * $0.count, count: $0.count)
            .copyMemory(from: $0)
        }
      }
    } writing: { rows, memory in
      let floats = memory.assumingMemoryBound(to: Float.self)
      frame.withLock { frame in
        for (index, y) in rows.enumerated() {
          frame[y] = (0..<30).map { floats[index * 30 + $0] }
        }
      }
    }
    let rows = frame.withLock { $0 }
    for y in 0..<8 {
      for x in 0..<10 {
        for channel in 0..<3 {
          let expected = photo.planes[channel][y * 10 + x]
          #expect(abs(rows[y][10 * channel + x] - expected) < 0.02 / 255)
        }
      }
    }
  }
}
