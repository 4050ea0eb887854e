// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage
import Testing

@testable import PhotoEditRendering

@Suite("Render outlines")
struct OutlineTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var file: String
    var chain: [String]
    var method: RenderMethod
    var reason: String

    init(_ file: String, _ chain: [String], _ method: RenderMethod, _ reason: String) {
      self.file = file
      self.chain = chain
      self.method = method
      self.reason = reason
    }

    var testDescription: String { ([file] + chain).joined(separator: " ") }
  }

  static let cases: [Case] = [
    Case("jpeg-444.jpg", ["grayscale"], .coefficients, "lossless transform"),
    Case("jpeg-444.jpg", ["invert", "rotate90", "invert"], .coefficients, "blocks"),
    Case("jpeg-444.jpg", ["grayscale", "gamma:power=2"], .luma, "color is not used"),
    Case("jpeg-444.jpg", ["grayscale", "unsharpMask:amount=1"], .luma, "color is not used"),
    Case("jpeg-444.jpg", ["gamma:power=2"], .tables, "its own curve"),
    Case("jpeg-444.jpg", ["crop:x=3,y=0,w=50,h=50,unit=pixels"], .tables, "block grid"),
    Case("jpeg-581x387.jpg", ["rotate90"], .tables, "block grid"),
    Case(
      "jpeg-444.jpg", ["gamma:power=2", "crop:x=3,y=0,w=9,h=9,unit=pixels", "invert"], .tables,
      "curve"),
    Case("jpeg-444.jpg", ["sepia"], .float, "channels are mixed"),
    Case("jpeg-444.jpg", ["vignette"], .float, "depends on the position"),
    Case("jpeg-444.jpg", ["gaussianBlur:sigma=2"], .float, "neighboring pixels are mixed"),
    Case("jpeg-cmyk.jpg", [], .tables, "not stored as luma and chroma"),
    Case("png-rgb-8.png", [], .tables, "not a JPEG"),
    Case("png-rgb-16.png", [], .float, "16 bits"),
    Case("png-rgba-8.png", [], .float, "transparency"),
  ]

  @Test(arguments: cases)
  func `the outline matches the render path actually used`(_ entry: Case) throws {
    let image = try Charts.source(named: entry.file)
    let graph = try FilterGraph(entry.chain.map(Definition.make))
    let outline = try Renderer.outline(image, graph)
    #expect(outline.method == entry.method)
    #expect(outline.reason.contains(entry.reason), "\(outline.reason)")
    let rendering = try Renderer.render(image, graph)
    #expect(rendering.method == entry.method)
    #expect(rendering.path == entry.method.path)
    #expect(rendering.size == outline.outputSize)
    #expect(try Renderer.outline(image, graph) == outline)
  }

  @Test func `a different quality causes requantization`() throws {
    var options = RenderOptions()
    options.quality = .ijg(80)
    let outline = try Renderer.outline(
      Charts.source(named: "jpeg-444.jpg"), FilterGraph(), options: options)
    #expect(outline.method == .tables)
    #expect(outline.reason.contains("quality 80"))
  }

  @Test func `an unsupported graph has no outline`() throws {
    let image = try Charts.source(named: "jpeg-444.jpg")
    let graph = try FilterGraph([
      Crop(pixels: Region(x: 4000, y: 4000, width: 1, height: 1))
    ])
    #expect(throws: RenderError.self) { try Renderer.outline(image, graph) }
  }

  @Test func `halos follow the kernels`() throws {
    let outline = try Renderer.outline(
      Charts.source(Charts.noise(200, 160)),
      FilterGraph([GaussianBlur(sigma: 2), Resize(width: 50, kernel: .box)]))
    #expect(outline.passes.map(\.haloRows) == [0, 8, 2])
    #expect(outline.passes.map(\.outputSize.height) == [160, 160, 40])
    #expect(outline.passes.last?.steps.first == "resample columns from 160 to 40 rows")
  }

  @Test func `memory follows the width and not the height`() throws {
    func peak(_ width: Int, _ height: Int) throws -> Int {
      let plan = RenderPlan(
        [.blur(BlurKernel(gaussian: 3)), .matrix(.sum(LumaWeights.rec709).scaled(by: 0.5))],
        source: StripShape(
          size: PixelSize(width: width, height: height), format: .packed(RowLayout(channels: .rgb))),
        background: .white, result: .bytes(expandingGray: false))
      return plan.peakStripBytes(stripHeight: 64, heights: [64, 128], threads: 4)
    }
    #expect(try peak(1000, 4000) == peak(1000, 40_000))
    #expect(try peak(2000, 4000) == 2 * peak(1000, 4000))
    // An image that fits into one strip is in memory once at each level.
    #expect(try peak(10, 5) <= 10 * 5 * (3 + 12 + 4 * 3))
    // Rows above and below a crop are not kept.
    let plan = RenderPlan(
      [.crop(Region(x: 0, y: 3000, width: 100, height: 8)), .blur(BlurKernel(gaussian: 1))],
      source: StripShape(
        size: PixelSize(width: 100, height: 9000), format: .packed(RowLayout(channels: .gray))),
      background: .white, result: .bytes(expandingGray: false))
    #expect(
      plan.peakStripBytes(stripHeight: 512, heights: [8, 8], threads: 1)
        <= 100 * (4 * 512 + 16 * 4 + 8))
  }

  @Test func `a wide blur reports its grid`() throws {
    let blur = try Renderer.outline(
      Charts.source(Charts.noise(300, 160)), FilterGraph([GaussianBlur(sigma: 30)]))
    let grid = PixelSize(width: 65, height: 37)
    #expect(
      blur.passes.map(\.outputSize) == [
        PixelSize(width: 65, height: 160), grid, grid, PixelSize(width: 300, height: 160),
      ])
    for pass in blur.passes[1...2] {
      #expect(pass.steps.first == "on a grid of one sample per 5×5 pixels")
      #expect(pass.stripHeight == 6)
    }
    let sharp = try Renderer.outline(
      Charts.source(Charts.noise(300, 160)), FilterGraph([UnsharpMask(sigma: 30, amount: 1)]))
    #expect(sharp.passes.count == 4)
    #expect(sharp.passes[3].steps.contains("blurred image of 300 columns"))
    // Only the rows of the source wait.
    #expect(sharp.peakStripBytes <= blur.peakStripBytes + 300 * 160 * 3)
  }

  @Test func `a 90° rotation retains all rows`() throws {
    let outline = try Renderer.outline(
      Charts.source(Charts.noise(64, 900)), FilterGraph([Rotate90(turns: 1)]))
    #expect(outline.peakStripBytes >= 64 * 900 * 3)
  }
}
