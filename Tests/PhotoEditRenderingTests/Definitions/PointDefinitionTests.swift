// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Point filters")
struct PointDefinitionTests {
  /// A ninth of the Hald image's colors, including the corners of the cube.
  private static let colors = Charts.image(63, 64, .rgb) { x, y, channel in
    let i = (y * 63 + x) * 65
    return [i % 64, i / 64 % 64, i / 4096 % 64][channel] * 255 / 63
  }

  private static let ramp = Charts.image(256, 1, .gray) { x, _, _ in x }

  @Test(arguments: Definition.all)
  func `samples match the definition`(_ definition: Definition) throws {
    for image in [Self.colors, Self.ramp, Charts.noise(31, 33, bytesPerSample: 2)] {
      #expect(try definition.difference(on: image) <= ToleranceClass.Reach.point.maximum)
    }
  }

  /// In the transfer encoding of the filter.
  @Test(arguments: Definition.all)
  func `an opacity of one half is halfway to the filtered sample`(_ definition: Definition) throws {
    let description = type(of: definition.filter).description
    let isLinear =
      definition.filter.values["light"].map { $0 == .text("linear") }
      ?? (description.transferEncoding == .linear)
    func half(_ a: Float, _ b: Float) -> Float {
      guard isLinear else { return (a + b) / 2 }
      let sum = SRGBTransfer.decode(Double(a)) + SRGBTransfer.decode(Double(b))
      return Float(SRGBTransfer.encode(sum / 2))
    }
    var graph = try FilterGraph([definition.filter])
    try graph.set(node: "n1", parameter: "opacity", argument: "0.5")
    for chart in [Charts.noise(9, 9), Charts.noise(9, 9, .gray)] {
      let actual = try Renderer.raster(Charts.source(chart), graph).rgb
      let full = try raster(Charts.source(chart), [definition.filter]).rgb
      let source = chart.floatPlanes
      let expected = full.enumerated().map { channel, plane in
        zip(source[source.count == 3 ? channel : 0], plane).map(half)
      }
      #expect(try difference(expected, actual) <= ToleranceClass.Reach.point.maximum)
    }
  }

  /// 8-bit sources use byte-to-byte tables if only curves remain.
  @Test(arguments: Definition.curves + Definition.tones)
  func `bytes are the rounded floats`(_ definition: Definition) throws {
    for image in [Self.colors, Self.ramp] {
      let bytes = try Self.bytes(image, [definition.filter])
      let floats = try raster(Charts.source(image), [definition.filter]).image(bytesPerSample: 1)
      #expect(bytes.layout == floats.layout)
      let difference = try ImageDifference(floats, bytes)
      #expect(ToleranceClass.T1.failure(of: difference) == nil)
    }
  }

  @Test func `curves and crops give the same bytes by table and by float`()
    throws
  {
    let chain = [
      Definition.make("gamma:power=1.3"), Crop(pixels: Region(x: 5, y: 3, width: 40, height: 30)),
      Definition.make("contrast:amount=1.2"),
    ]
    let bytes = try Self.bytes(Self.colors, chain)
    let floats = try raster(Charts.source(Self.colors), chain).image(bytesPerSample: 1)
    #expect(ToleranceClass.T1.accepts(try ImageDifference(floats, bytes)))
  }

  @Test func `the average of every color of the Hald image is (R + G + B + 1) / 3`() throws {
    let bytes = FileBytes(try TestImages.bytes("hald-8.png"))
    try Self.checkAverage(bytes)
  }

  @Test(arguments: ["photo-64.jpg", "jpeg-444.jpg", "jpeg-rgb.jpg", "jpeg-progressive.jpg"])
  func `the average of a decoded photo is (R + G + B + 1) / 3`(name: String) throws {
    try Self.checkAverage(FileBytes(try TestImages.bytes(name)))
  }

  @Test(
    arguments: [
      // One stop doubles linear light: 0.2 → 0.0331 → 0.0662 → 0.2854.
      ("exposure:ev=1", 51, 0.285384), ("brightness:amount=0.2", 51, 0.4),
      ("contrast:amount=2", 51, -0.1), ("gamma:power=2", 51, 0.04), ("invert", 51, 0.8),
      ("levels:inBlack=0.1,inWhite=0.3", 51, 0.5), ("solarize:threshold=0.2", 51, 0.8),
      ("solarize:threshold=0.21", 51, 0.2), ("threshold:level=0.2", 51, 0),
      ("threshold:level=0.19", 51, 1), ("posterize:levels=3", 51, 0),
      ("posterize:levels=4", 51, 1 / 3.0),
      ("brightnessScale:amount=3", 51, 0.6), ("asccdl:power=2:2:2", 51, 0.04),
      ("curve:points=0:0/0.2:0.6/1:1", 51, 0.6),
    ] as [(String, Int, Double)])
  func `samples match hand-computed values`(argument: String, level: Int, expected: Double) throws {
    let image = try Charts.source(Charts.image(1, 1, .gray) { _, _, _ in level })
    let sample = try raster(image, [Definition.make(argument)]).planes[0][0]
    #expect(abs(Double(sample) - expected) < 1e-5)
  }

  @Test func `a positive tint makes gray magenta, a temperature above its target warmer`()
    throws
  {
    func gray(_ argument: String) throws -> [Float] {
      let image = try Charts.source(Charts.image(1, 1, .gray) { _, _, _ in 128 })
      return try raster(image, [Definition.make("whiteBalance:" + argument)]).rgb.map { $0[0] }
    }
    let magenta = try gray("tint=20")
    #expect(magenta[1] < magenta[0] && magenta[1] < magenta[2])
    let green = try gray("tint=-20")
    #expect(green[1] > green[0] && green[1] > green[2])
    let warm = try gray("temperature=8000")
    #expect(warm[0] > warm[2])
    // The same illuminant twice has no effect, wherever it is.
    let same = try gray("temperature=4000,targetTemperature=4000,tint=9,targetTint=9")
    let level: Float = 128 / 255
    #expect(same.allSatisfy { $0 == level })
  }

  @Test func `monotone curves match scipy`() throws {
    struct Case: Decodable, Sendable {
      let points: [[Double]]
      let levels: [Double]
    }
    let oracle = try Oracle<Case>("curve")
    for line in oracle.cases {
      let points = line.points.map { CurvePoint($0[0], $0[1]) }
      let result = try raster(oracle.image(), [Curve(points)])
      #expect(try difference(result, levels: line.levels) <= 0.001, "\(line.points)")
    }
  }

  private static func checkAverage(_ bytes: FileBytes) throws {
    let source = try ImageDecoders.decode(bytes)
    let gray = try raster(ImageSource(bytes), [Grayscale(.average)]).image(bytesPerSample: 1)
    try #require(gray.layout.channels == .gray && source.layout.channels == .rgb)
    var wrong = 0
    for i in gray.bytes.indices {
      let sum = source.bytes[3 * i..<3 * i + 3].reduce(0) { $0 + Int($1) }
      if Int(gray.bytes[i]) != (sum + 1) / 3 { wrong += 1 }
    }
    #expect(wrong == 0)
  }

  /// The samples passed to the encoder.
  private static func bytes(_ image: ImageBuffer, _ filters: [any Filter]) throws -> ImageBuffer {
    try PlanRunning.bytes(Charts.source(image), FilterGraph(filters))
  }
}
