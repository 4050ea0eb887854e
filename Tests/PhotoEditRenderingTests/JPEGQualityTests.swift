// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage
import Testing

@Suite("JPEG quantization of renderings")
struct JPEGQualityTests {
  private static let tone: [any Filter] = [Gamma(power: 1.1)]

  private static func source(_ quality: Int, _ sampling: ChromaSampling) throws -> FileBytes {
    try JPEGs.encode(
      JPEGs.waves(48, 32), luma: .standardLuma(quality: quality),
      chroma: .standardChroma(quality: quality), sampling: sampling)
  }

  @Test(arguments: [85, 86, 92, 100])
  func `a good source keeps its tables`(quality: Int) throws {
    let source = try Self.source(quality, .s420)
    let frame = try JPEGs.frame(
      Renderer.render(ImageSource(source), FilterGraph(Self.tone)))
    #expect(frame.tables == (try JPEGs.frame(source).tables))
    #expect(JPEGs.sampling(frame) == "4:2:0")
  }

  @Test(arguments: [10, 50, 75, 84])
  func `the quality of a poor source is raised to 85`(quality: Int) throws {
    let source = try Self.source(quality, .s444)
    let own = try JPEGs.frame(source).tables
    let tables = try JPEGs.frame(Renderer.render(ImageSource(source), FilterGraph(Self.tone)))
      .tables
    let floors = [QuantizationTable.standardLuma(quality: 85), .standardChroma(quality: 85)]
    for (component, floor) in zip([0, 1], floors) {
      for i in 0..<64 {
        #expect(
          tables[component].values[i] == min(own[component].values[i], floor.values[i]))
      }
    }
  }

  @Test(arguments: [(60, "floor", "larger"), (92, "source", "same")])
  func `the report contains the tables used and an upper bound of the file size`(
    quality: Int, tables: String, size: String
  ) throws {
    let image = try ImageSource(Self.source(quality, .s420))
    let kept = try Renderer.render(image, FilterGraph(Self.tone)).encoding
    #expect(kept.tables.rawValue == tables && kept.sizeClass?.rawValue == size)
    #expect(kept.sampling == .s420)
    let rotated = try Renderer.render(image, FilterGraph([Rotate90(turns: 2)])).encoding
    #expect(rotated.tables == .source && rotated.sizeClass == .same)
    #expect(rotated.estimatedQuality == quality)
    var options = RenderOptions()
    for (quality, size) in [(30, RenderEncoding.SizeClass.smaller), (99, .larger)] {
      options.quality = .ijg(quality)
      let chosen = try Renderer.render(image, FilterGraph(Self.tone), options: options).encoding
      #expect(chosen.tables == .standard && chosen.estimatedQuality == quality)
      #expect(chosen.sizeClass == size)
    }
    let other = try Renderer.render(
      Charts.source(named: "png-rgb-8.png"), FilterGraph(Self.tone)
    ).encoding
    #expect(other.tables == .standard && other.estimatedQuality == 92)
    #expect(other.sizeClass == nil)
  }

  @Test(arguments: Orientation.allCases)
  func `tables are transposed with the image`(_ orientation: Orientation) throws {
    // A camera table that is not a scaled standard one and differs from its transpose.
    let luma = QuantizationTable((0..<64).map { UInt16(1 + $0 % 8) })
    let chroma = QuantizationTable((0..<64).map { UInt16(2 + $0 % 8) })
    let source = try JPEGs.encode(
      JPEGs.waves(40, 24), luma: luma, chroma: chroma, sampling: .s444)
    let graph = try FilterGraph([Gamma(power: 1.1), Orient(orientation)])
    let tables = try JPEGs.frame(Renderer.render(ImageSource(source), graph)).tables
    let isRotated = orientation.swapsAxes
    #expect(tables[0] == (isRotated ? luma.transposed : luma))
    #expect(tables[1] == (isRotated ? chroma.transposed : chroma))
    #expect(luma.transposed != luma)
  }

  @Test(arguments: [
    ("jpeg-444.jpg", "4:4:4", "4:4:4"), ("jpeg-422.jpg", "4:2:2", "4:2:2"),
    ("jpeg-440.jpg", "4:2:2", "4:2:2"), ("jpeg-411.jpg", "4:2:0", "4:2:0"),
    ("jpeg-581x387.jpg", "4:2:0", "4:2:0"), ("jpeg-gray.jpg", "gray", "gray"),
    // Neither is a YCbCr JPEG, so nothing is kept and quality 92 has full chroma.
    ("jpeg-rgb.jpg", "4:4:4", "4:4:4"), ("png-rgb-8.png", "4:4:4", "4:4:4"),
    ("jpeg-cmyk.jpg", "4:4:4", "4:4:4"),
  ])
  func `chroma sampling follows the source in a widely supported form`(
    name: String, oriented: String, rotated: String
  ) throws {
    let image = try Charts.source(named: name)
    for (filters, expected) in [(Self.tone, oriented), (Self.tone + [Rotate90(turns: 1)], rotated)]
    {
      let frame = try JPEGs.frame(Renderer.render(image, FilterGraph(filters)))
      #expect(JPEGs.sampling(frame) == expected)
    }
  }

  @Test(arguments: ["png-rgb-8.png", "jpeg-rgb.jpg", "jpeg-ycck.jpg"])
  func `a source without quantization tables is encoded at quality 92`(name: String) throws {
    let frame = try JPEGs.frame(
      Renderer.render(Charts.source(named: name), FilterGraph(Self.tone)))
    #expect(frame.tables[0] == .standardLuma(quality: 92))
    #expect(frame.tables[1] == .standardChroma(quality: 92))
  }

  @Test(arguments: [1, 30, 89, 90, 100])
  func `a numeric quality is the libjpeg scale`(quality: Int) throws {
    var options = RenderOptions()
    options.quality = .ijg(quality)
    let rendering = try Renderer.render(
      Charts.source(named: "png-rgb-8.png"), FilterGraph(), options: options)
    let frame = try JPEGs.frame(rendering)
    #expect(rendering.path == .pixels)
    #expect(frame.tables[0] == .standardLuma(quality: quality))
    #expect(frame.tables[1] == .standardChroma(quality: quality))
    #expect(JPEGs.sampling(frame) == (quality >= 90 ? "4:4:4" : "4:2:0"))
  }

  @Test(arguments: [
    ("preserve", JPEGQuality.preserve), ("1", .ijg(1)), ("100", .ijg(100)),
  ])
  func `a quality is read back from its notation`(text: String, quality: JPEGQuality) {
    #expect(JPEGQuality(text) == quality && quality.description == text)
  }

  @Test(arguments: ["0", "101", "-1", "high", "", "85.5"])
  func `an invalid quality is rejected`(text: String) { #expect(JPEGQuality(text) == nil) }

  // MARK: Components

  @Test(arguments: [
    // An RGB profile does not fit a file with one component.
    ("png-rgb-8.png", "grayscale", 1), ("png-icc.png", "grayscale", 3),
    ("jpeg-444.jpg", "grayscale", 1), ("jpeg-444.jpg", "grayscale:mode=luma709", 1),
    ("jpeg-display-p3.jpg", "grayscale", 3), ("jpeg-display-p3.jpg", "grayscale:mode=max", 3),
    ("photo-landscape.jpg", "saturate:amount=0", 3), ("jpeg-gray.jpg", "invert", 1),
    ("jpeg-gray.jpg", "sepia", 3), ("png-gray-8.png", "gamma:power=2", 1),
    ("png-gray-8.png", "curve:points=0:0/1:0.5,channel=r", 3), ("png-rgb-8.png", "invert", 3),
    ("png-gray-alpha-8.png", "invert", 1), ("jpeg-gray.jpg", "saturate:amount=3", 1),
    ("jpeg-gray.jpg", "hueRotate:angle=90", 1),
    ("jpeg-gray.jpg", "hueRotate:angle=90,method=oklch", 1),
  ])
  func `an image without color has one component unless its profile is for RGB`(
    name: String, argument: String, count: Int
  ) throws {
    let image = try Charts.source(named: name)
    let rendering = try Renderer.render(image, FilterGraph([Definition.make(argument)]))
    #expect(try JPEGs.frame(rendering).components.count == count)
    let profile = try ImageSource(FileBytes(rendering.jpeg)).metadata.icc
    #expect(profile == image.metadata.icc)
    if argument.hasPrefix("grayscale") && count == 3 {
      let bytes = try ImageDecoders.decode(FileBytes(rendering.jpeg)).bytes
      for i in stride(from: 0, to: bytes.count, by: 3 * 101) {
        #expect(bytes[i] == bytes[i + 1] && bytes[i] == bytes[i + 2])
      }
    }
  }

  @Test func `gray over a colored background has color`() throws {
    var graph = FilterGraph()
    let image = try Charts.source(named: "png-gray-alpha-8.png")
    #expect(try JPEGs.frame(Renderer.render(image, graph)).components.count == 1)
    graph.background = Background(red: 255, green: 0, blue: 0)
    #expect(try JPEGs.frame(Renderer.render(image, graph)).components.count == 3)
  }
}
