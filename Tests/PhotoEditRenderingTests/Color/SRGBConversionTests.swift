// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Conversion of the result to sRGB")
struct SRGBConversionTests {
  /// The numbers of sRGB colors in Display P3, from the primaries of both.
  @Test(
    arguments: [
      ([233.96, 51.07, 35.33], [255, 0, 0]), ([238.71, 134.90, 50.68], [255, 128, 0]),
      ([63.71, 100.79, 197.26], [51, 102, 204]), ([128, 128, 128], [128, 128, 128]),
    ] as [([Double], [Double])])
  func `a color keeps its meaning`(numbers: [Double], expected: [Double]) throws {
    let image = Charts.image(8, 8, .rgb, bytesPerSample: 2) { _, _, channel in
      Int((numbers[channel] * 257).rounded())
    }
    var options = RenderOptions()
    options.convertsToSRGB = true
    let source = try ColorRuleTests.displayP3.source(image)
    let found = try Renderer.raster(source, FilterGraph(), options: options).rgb
    for channel in 0..<3 {
      #expect(abs(Double(found[channel][0]) * 255 - expected[channel]) < 0.3)
    }
    let rendering = try Renderer.render(source, FilterGraph(), options: options)
    let profile = try ImageMetadata.read(FileBytes(rendering.jpeg)).icc
    #expect(try ICCProfile(validating: #require(profile)).isSRGB)
  }

  @Test func `an image in sRGB is still transformed without loss`() throws {
    let source = try ImageSource(FileBytes(try TestImages.bytes("photo-64.jpg")))
    var options = RenderOptions()
    options.convertsToSRGB = true
    let rendering = try Renderer.render(source, FilterGraph([Flip(.vertical)]), options: options)
    #expect(rendering.method == .coefficients)
  }
}
