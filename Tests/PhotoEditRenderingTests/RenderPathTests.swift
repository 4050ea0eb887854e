// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditRendering

@Suite("Coefficient and pixel render paths")
struct RenderPathTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var file: String
    var chain: [String]
    var path: RenderPath
    /// The maximum difference between both paths, in levels.
    var difference = 3.0

    init(_ file: String, _ chain: [String], _ path: RenderPath, difference: Double = 3) {
      self.file = file
      self.chain = chain
      self.path = path
      self.difference = difference
    }

    var testDescription: String { ([file] + chain).joined(separator: " ") }

    func graph() throws -> FilterGraph { try FilterGraph(chain.map(Definition.make)) }
  }

  static let lossless: [Case] = [
    Case("jpeg-444.jpg", [], .coefficients, difference: 0),
    Case("jpeg-progressive.jpg", [], .coefficients, difference: 0),
    Case("jpeg-444.jpg", ["rotate90"], .coefficients),
    Case("jpeg-422.jpg", ["rotate90:turns=2"], .coefficients),
    Case("jpeg-444.jpg", ["flip", "flip:axis=vertical", "rotate90:turns=3"], .coefficients),
    Case("jpeg-581x387.jpg", ["orient:exif=5"], .coefficients),
    Case("jpeg-444.jpg", ["crop:x=16,y=8,w=31,h=77,unit=pixels"], .coefficients, difference: 0),
    Case(
      "jpeg-444.jpg", ["crop:x=8,y=8,w=96,h=88,unit=pixels", "crop:x=8,y=0,w=40,h=40,unit=pixels"],
      .coefficients, difference: 0),
    Case("jpeg-444.jpg", ["grayscale"], .coefficients, difference: 0),
    Case("jpeg-581x387.jpg", ["grayscale", "grayscale"], .coefficients, difference: 0),
    Case("jpeg-444.jpg", ["grayscale", "rotate90"], .coefficients),
    Case("jpeg-display-p3.jpg", ["grayscale"], .coefficients, difference: 0),
    Case("jpeg-gray.jpg", ["rotate90"], .coefficients),
    Case("jpeg-gray.jpg", ["grayscale"], .coefficients, difference: 0),
    Case("orientation-6.jpg", [], .coefficients),
    Case("orientation-7.jpg", ["rotate90"], .coefficients),
    Case("jpeg-arithmetic.jpg", [], .coefficients, difference: 0),
  ]

  static let lossy: [Case] = [
    // Off the grid at the edge that becomes the first one.
    Case("jpeg-444.jpg", ["crop:x=3,y=0,w=50,h=50,unit=pixels"], .pixels),
    Case("jpeg-444.jpg", ["crop:x=0,y=8,w=50,h=50,unit=pixels", "flip"], .pixels),
    Case("jpeg-581x387.jpg", ["flip"], .pixels),
    Case("jpeg-581x387.jpg", ["flip:axis=vertical"], .pixels),
    Case("jpeg-581x387.jpg", ["rotate90"], .pixels),
    Case("jpeg-422.jpg", ["crop:x=8,y=0,w=50,h=50,unit=pixels"], .pixels),
    // Other weights than those of Y, or a partial amount.
    Case("jpeg-444.jpg", ["grayscale:mode=luma709"], .pixels),
    Case("jpeg-444.jpg", ["grayscale:amount=0.5"], .pixels),
    Case("jpeg-444.jpg", ["brightness:amount=0.1"], .pixels),
    Case("jpeg-444.jpg", ["resize:width=120"], .pixels),
    Case("jpeg-444.jpg", ["grayscale", "invert"], .pixels),
    // Not stored as luma and chroma.
    Case("jpeg-rgb.jpg", ["grayscale"], .pixels), Case("jpeg-rgb.jpg", ["rotate90"], .pixels),
    Case("jpeg-cmyk.jpg", [], .pixels), Case("jpeg-ycck.jpg", ["grayscale"], .pixels),
    Case("png-rgb-8.png", [], .pixels), Case("png-gray-8.png", ["rotate90"], .pixels),
  ]

  @Test(arguments: lossless + lossy)
  func `the lossless path is used exactly if it is exact`(_ entry: Case) throws {
    let image = try Charts.source(named: entry.file)
    let rendering = try Renderer.render(image, entry.graph())
    #expect(rendering.path == entry.path)
    let read = try ImageSource(FileBytes(rendering.jpeg))
    #expect(read.size == rendering.size && read.metadata.orientation == .up)
    var options = RenderOptions()
    options.quality = .ijg(95)
    #expect(try Renderer.render(image, entry.graph(), options: options).path == .pixels)
  }

  @Test(arguments: lossless)
  func `both paths show the same image`(_ entry: Case) throws {
    let image = try Charts.source(named: entry.file)
    let jpeg = try Renderer.render(image, entry.graph()).jpeg
    let coefficients = try ImageDecoders.decode(FileBytes(jpeg))
    let pixels = try Renderer.raster(image, entry.graph()).image(bytesPerSample: 1)
    let difference = try ImageDifference(pixels, coefficients)
    #expect(difference.maximum <= entry.difference, "\(difference)")
  }

  @Test func `coefficients are not quantized again`() throws {
    let source = FileBytes(try TestImages.bytes("jpeg-444.jpg"))
    let rendering = try Renderer.render(ImageSource(source), FilterGraph([Rotate90(turns: 2)]))
    let again = try Renderer.render(
      ImageSource(FileBytes(rendering.jpeg)), FilterGraph([Rotate90(turns: 2)]))
    #expect(try jpegCoefficients(FileBytes(again.jpeg)) == jpegCoefficients(source))
  }

  @Test func `partial opacity uses the pixel path, zero opacity does not`() throws {
    let image = try Charts.source(named: "jpeg-444.jpg")
    for (opacity, path) in [("1", RenderPath.coefficients), ("0.5", .pixels), ("0", .coefficients)]
    {
      var graph = try FilterGraph([Grayscale(.luma601)])
      try graph.set(node: "n1", parameter: "opacity", argument: opacity)
      let rendering = try Renderer.render(image, graph)
      #expect(rendering.path == path)
      #expect(try JPEGs.frame(rendering).components.count == (opacity == "1" ? 1 : 3))
    }
  }

  /// A viewer that applies the orientation shows the previous image rotated by 90°.
  @Test(
    .enabled(if: Corpora.path != nil, "set PHOTOEDIT_CORPORA to a folder of test files"),
    arguments: (0...8).flatMap { ["Landscape_\($0)", "Portrait_\($0)"] })
  func `a 90° rotation is shown by a viewer`(name: String) throws {
    let folder = "\(try #require(Corpora.path))/exif-orientation-examples"
    let file = try Data(contentsOf: URL(filePath: "\(folder)/\(name).jpg"))
    let source = try ImageSource(FileBytes([UInt8](file)))
    let rendering = try Renderer.render(source, FilterGraph([Rotate90(turns: 1)]))
    let after = try ImageSource(FileBytes(rendering.jpeg))
    #expect(after.metadata.orientation == .up && after.size == source.size.transposed)
    let small = Resize(width: 0, height: 48, kernel: .bilinear)
    let seen = try raster(after, [small])
    let expected = try raster(
      source, [Resize(width: 48, height: 0, kernel: .bilinear), Rotate90(turns: 1)])
    #expect(seen.size == expected.size)
    #expect(try difference(expected.planes, seen.planes) <= 3)
  }
}
