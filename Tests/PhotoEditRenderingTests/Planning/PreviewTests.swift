// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditRendering

@Suite("Previews")
struct PreviewTests {
  /// A photo as soft as from a camera with demosaicing; the drawn one is sharp to the pixel.
  static let photo = Result { try photo(Region(x: 0, y: 0, width: 1021, height: 763)) }

  /// About a quarter of the photo.
  static let quarter = Result { try photo(Region(x: 250, y: 200, width: 509, height: 381)) }

  private static func photo(_ part: Region) throws -> ImageSource {
    let soft = try raster(
      Charts.source(named: "photo-1024.jpg"),
      [GaussianBlur(sigma: 1.2), Crop(pixels: part)])
    return try ImageSource(
      JPEGs.encode(
        soft.image(bytesPerSample: 1), luma: .standardLuma(quality: 95),
        chroma: .standardChroma(quality: 95), sampling: .s420))
  }

  /// The difference between the resized full rendering and the preview, both clamped for display.
  private func difference(
    _ image: ImageSource, _ graph: FilterGraph, fitting side: Int
  ) throws -> ImageDifference {
    let box = PixelSize(width: side, height: side)
    let preview = try Renderer.previewRaster(image, graph, fitting: box)
    var resized = graph
    try resized.append(Resize(width: preview.size.width, height: preview.size.height))
    let full = try Renderer.raster(image, resized)
    #expect(full.size == preview.size)
    return try ImageDifference(
      full.image(bytesPerSample: 1), preview.image(bytesPerSample: 1))
  }

  /// The filters of an entry with typical values, close to the identity values.
  static func gentle(_ entry: CatalogCase) -> [any Filter] {
    var values = entry.activeValues
    for parameter in entry.description.parameters {
      switch (parameter.type, parameter.identity) {
      case (.number(_, let ui), .number(let identity)) where entry.description.name != "crop":
        values[parameter.name] = .number(identity + 0.15 * (ui.upperBound - identity))
      case (.vector(_, let range), .numbers(let identity)):
        values[parameter.name] = .numbers(
          identity.enumerated().map { $1 + 0.001 * Double($0) * range.upperBound })
      case (.integer(let range), .number) where range.upperBound > 1000:
        values[parameter.name] = .number(300)
      default: break
      }
    }
    let variants = [[:]] + entry.choices
    return variants.compactMap { variant in
      // The nearest pixel of a smaller image is another pixel.
      variant["kernel"] == .text("nearest")
        ? nil : entry.filter(values.merging(variant) { $1 })
    }
  }

  @Test(arguments: CatalogCase.all)
  func `a preview looks like the full rendering for every filter`(_ entry: CatalogCase) throws {
    let image = try Self.photo.get()
    for filter in Self.gentle(entry).some(entry.number) {
      let difference = try difference(image, Charts.graph([filter]), fitting: 128)
      let isLinear = filter.values["light"] == .text("linear")
      let mixesNeighbors = [.geometry, .neighborhood].contains(entry.description.dependency)
      // A decoder averages encoded values, which makes fine contrasts darker. A box takes whole
      // pixels or none, and small pixels are on other sides of its edges.
      if isLinear && mixesNeighbors || filter.values["kernel"] == .text("box") {
        #expect(difference.deltaEMean <= 0.77, "\(filter.values)")
      } else {
        let failure = ToleranceClass.P.failure(of: difference)
        #expect(failure == nil, "\(filter.values)")
      }
    }
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var side: Int
    var chain: [String]

    init(_ side: Int, _ chain: [String]) {
      self.side = side
      self.chain = chain
    }

    var testDescription: String { "\(side) \(chain.joined(separator: " "))" }
  }

  /// Crops within small pixels, rotations, intermediate sizes, and lengths after all of them.
  static let chains: [Case] = [
    Case(97, ["crop:x=0.013,y=0.107,w=0.8,h=0.85"]),
    Case(61, ["crop:x=51,y=37,w=701,h=515,unit=pixels", "flip", "rotate90"]),
    Case(100, ["gaussianBlur:sigma=9", "crop:x=0.1,y=0.1,w=0.81,h=0.77"]),
    Case(60, ["resize:width=700,height=300", "gaussianBlur:sigma=6"]),
    Case(100, ["resize:width=90", "resize:width=900", "vignette:amount=0.7"]),
    Case(
      120,
      ["vignette:amount=0.8,model=smooth", "orient:exif=7", "crop:x=0.21,y=0.01,w=0.7,h=0.9"]),
    Case(120, ["unsharpMask:amount=0.6,sigma=6", "saturate:amount=1.2"]),
    // Gaussians narrower than a pixel of the preview.
    Case(256, ["unsharpMask:amount=1.5,sigma=2"]),
    Case(200, ["unsharpMask:amount=1.5,sigma=1,channels=luma"]),
    Case(256, ["contrast:amount=1.1", "gaussianBlur:sigma=2.5", "vignette:amount=0.5"]),
    Case(64, ["rotate90:turns=2", "crop:x=0.1,y=0.1,w=0.9,h=0.9"]),
    Case(64, ["grayscale", "contrast:amount=1.1"]),
    Case(320, ["clarity:amount=0.8", "saturate:amount=1.2"]),
    Case(320, ["shadowsHighlights:shadows=0.6,highlights=-0.4", "rotate90"]),
  ]

  @Test(arguments: chains)
  func `a preview looks like the full rendering for a chain of filters`(_ entry: Case) throws {
    let image = try Self.photo.get()
    let graph = try FilterGraph(entry.chain.map(Definition.make))
    let failure = ToleranceClass.P.failure(
      of: try difference(image, graph, fitting: entry.side))
    #expect(failure == nil)
  }

  @Test func `an image that the decoder cannot scale is downscaled first`() throws {
    let photo = try ImageDecoders.decode(FileBytes(TestImages.bytes("photo-1024.jpg")))
    let image = try Charts.source(photo)
    let graph = try FilterGraph([
      Rotate90(turns: 1), Crop(x: 0.11, y: 0.07, width: 0.83, height: 0.9),
      GaussianBlur(sigma: 5),
    ])
    #expect(ToleranceClass.P.failure(of: try difference(image, graph, fitting: 100)) == nil)
    let job = try RenderJob(
      image, graph, fitting: PixelSize(width: 100, height: 100), options: RenderOptions())
    #expect(job.decodingScale == .full)
    guard case .resample(let first)? = job.operations.dropFirst().first else {
      Issue.record("\(job.operations)")
      return
    }
    #expect(first.size == PixelSize(width: 192, height: 256) && first.kernel == .box)
  }

  @Test func `the smallest decoder scale with two pixels per preview pixel is used`() throws {
    let image = try Charts.source(named: "photo-1024.jpg")
    for (side, scale) in [(64, 8), (65, 4), (128, 4), (129, 2), (256, 2), (257, 1), (4000, 1)] {
      let job = try RenderJob(
        image, FilterGraph(), fitting: PixelSize(width: side, height: side),
        options: RenderOptions())
      #expect(job.decodingScale.rawValue == scale, "\(side)")
    }
  }

  @Test func `a radial gain keeps its position in a preview`() {
    let radialGain = RadialGain(
      .cosine(angle: 60), amount: 0.7, size: PixelSize(width: 300, height: 200), center: (0.3, 0.6),
      roundness: 1)
    let small = radialGain.scaled(origin: (3.5, 3), step: (4, 2))
    // The centers of these small pixels are centers of large ones.
    for (x, y) in [(0, 0), (20, 31), (70, 95)] {
      let large = radialGain.factor(x: 5 + 4 * x, y: 3 + 2 * y + 1)
      let middle = (large + radialGain.factor(x: 5 + 4 * x, y: 3 + 2 * y)) / 2
      #expect(abs(small.factor(x: x, y: y) - middle) < 1e-5)
    }
    let cropped = radialGain.cropped(to: Region(x: 7, y: 9, width: 50, height: 50))
    #expect(cropped.factor(x: 3, y: 4) == radialGain.factor(x: 10, y: 13))
  }

  @Test func `lengths are scaled with the image`() throws {
    let image = try Charts.source(named: "photo-1024.jpg")
    func radii(_ filters: [any Filter], side: Int) throws -> [Int] {
      try RenderJob(
        image, FilterGraph(filters), fitting: PixelSize(width: side, height: side),
        options: RenderOptions()
      ).operations.compactMap { if case .blur(let kernel) = $0 { kernel.radius } else { nil } }
    }
    #expect(try radii([GaussianBlur(sigma: 20)], side: 1024) == [80])
    #expect(try radii([GaussianBlur(sigma: 20)], side: 128) == [20])
    #expect(try radii([GaussianBlur(sigma: 20)], side: 64) == [10])
    // After a resize, lengths are those of the resized image.
    let resized: [any Filter] = [Resize(width: 512), GaussianBlur(sigma: 20)]
    #expect(try radii(resized, side: 128) == [40])
    #expect(try radii(resized, side: 512) == [80])
  }

  @Test(
    arguments: [
      "photo-1024.jpg", "jpeg-581x387.jpg", "orientation-6.jpg", "png-rgba-16.png", "jpeg-cmyk.jpg",
    ], [1, 7, 33, 100])
  func `a preview has the aspect ratio of the rendering and fits`(file: String, side: Int) throws {
    let image = try Charts.source(named: file)
    for chain in [[], ["rotate90"], ["crop:x=0.3,y=0.1,w=0.11,h=0.7"], ["resize:width=30"]] {
      let graph = try FilterGraph(chain.map(Definition.make))
      let full = try Renderer.outline(image, graph).outputSize
      let box = PixelSize(width: side, height: 2 * side)
      let rendering = try Renderer.preview(image, graph, fitting: box)
      let scale = min(
        1, Double(side) / Double(full.width), Double(2 * side) / Double(full.height))
      #expect(rendering.size.width == max(1, Int((Double(full.width) * scale).rounded())))
      #expect(rendering.size.height == max(1, Int((Double(full.height) * scale).rounded())))
      let read = try ImageSource(FileBytes(rendering.jpeg))
      #expect(read.size == rendering.size && read.metadata.orientation == .up)
    }
  }

  @Test func `a full-size preview equals the rendering`() throws {
    let image = try Charts.source(named: "jpeg-581x387.jpg")
    let graph = try FilterGraph([Rotate90(turns: 1), UnsharpMask(sigma: 2, amount: 1)])
    for side in [581, 5000] {
      let box = PixelSize(width: side, height: side)
      #expect(
        try Renderer.previewRaster(image, graph, fitting: box) == Renderer.raster(image, graph))
    }
    let nothing = PixelSize(width: 0, height: 0)
    #expect(
      try Renderer.previewRaster(image, graph, fitting: nothing).size
        == PixelSize(width: 1, height: 1))
  }
}
