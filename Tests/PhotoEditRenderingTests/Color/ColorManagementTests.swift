// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditRendering

@Suite("Processing in the native color space")
struct ColorManagementTests {
  /// A profile with its transfer function.
  struct Space: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let profile: ICCProfile?
    let channels: ChannelLayout
    let light: @Sendable (Double) -> Double

    init(
      _ name: String, _ profile: ICCProfile?, _ channels: ChannelLayout = .rgb,
      _ light: @escaping @Sendable (Double) -> Double
    ) {
      testDescription = name
      self.profile = profile
      self.channels = channels
      self.light = light
    }

    /// An image with the sample values in this space.
    func source(_ image: ImageBuffer) throws -> ImageSource {
      let png = try PNGEncoder.encode(image)
      let bytes = profile.map { ProfiledFiles.png(png, profile: $0) } ?? png
      return try ImageSource(FileBytes(bytes))
    }
  }

  private static func rgb(_ curve: [UInt8], order: [Int] = [0, 1, 2]) -> ICCProfile {
    TestProfiles.rgb([curve, curve, curve], order: order)
  }

  static let spaces: [Space] = [
    Space("untagged", nil) { SRGBTransfer.decode($0) },
    Space("sRGB", .sRGB) { SRGBTransfer.decode($0) },
    Space("Display P3", .matrix(primaries: .displayP3, transfer: .sRGB, description: "P3")) {
      SRGBTransfer.decode($0)
    },
    Space("Adobe RGB", .adobeRGB) { pow($0, 2.199_218_75) },
    Space("ProPhoto", rgb(TestProfiles.curv([461]))) { pow($0, 461.0 / 256) },
    Space("swapped", rgb(TestProfiles.curv([563]), order: [1, 2, 0])) { pow($0, 2.199_218_75) },
    Space("BT.709", .matrix(primaries: .sRGB, transfer: .bt709, description: "709")) {
      TransferFunction.bt709.curve($0)
    },
    Space("linear", rgb(TestProfiles.curv([]))) { $0 },
    Space("table of 33", rgb(TestProfiles.table(33) { 0.2 * $0 + 0.8 * $0 * $0 })) { x in
      let cell = min(Int(x * 32), 31)
      func entry(_ k: Int) -> Double {
        let x = Double(k) / 32
        return ((0.2 * x + 0.8 * x * x) * 65_535).rounded() / 65_535
      }
      let share = x * 32 - Double(cell)
      return entry(cell) * (1 - share) + entry(cell + 1) * share
    },
    Space("gray gamma", TestProfiles.gray(TestProfiles.curv([461])), .gray) {
      pow($0, 461.0 / 256)
    },
    Space(
      "gray lightness", TestProfiles.gray(TestProfiles.curv([]), connection: "Lab "), .gray
    ) { $0 > 0.08 ? pow(($0 + 0.16) / 1.16, 3) : $0 * 2700 / 24_389 },
  ]

  /// A filter that changes almost nothing but still runs.
  private static func nearlyNothing(_ space: Space) -> any Filter {
    space.channels == .gray ? Gamma(power: 1 + 1e-7) : Saturate(1 + 1e-7)
  }

  @Test(arguments: spaces)
  func `filters with almost no effect restore every byte`(space: Space) throws {
    let image = Charts.image(256, 3, space.channels) { x, y, channel in
      (x * [1, 3, 7][y] + 11 * channel * y) % 256
    }
    for (bytesPerSample, maximum) in [(1, 255), (2, 65_535)] {
      let source = Charts.image(256, 3, space.channels, bytesPerSample: bytesPerSample) {
        image[x: $0, y: $1, channel: $2] * maximum / 255
      }
      let file = try space.source(source)
      let raster = try Renderer.raster(file, FilterGraph([Self.nearlyNothing(space)]))
      for (index, plane) in raster.planes.enumerated() {
        for i in plane.indices {
          let expected = image[x: i % 256, y: i / 256, channel: index]
          #expect(Int((plane[i] * 255).rounded()) == expected)
        }
      }
    }
  }

  @Test(arguments: spaces)
  func `all 16-bit values round to their byte`(space: Space) throws {
    let source = Charts.image(256, 256, space.channels, bytesPerSample: 2) { x, y, _ in
      y * 256 + x
    }
    // A median in between prevents merging; it changes only the outermost rows.
    let raster = try Renderer.raster(
      space.source(source), FilterGraph([Self.nearlyNothing(space), Median(radius: 1)]))
    var wrong = 0
    for plane in raster.planes {
      for word in 256..<65_280 {
        let value = plane[word]
        let expected = (Double(word) / 257).rounded()
        if Double(min(max(value, 0), 1) * 255 + 0.5).rounded(.down) != expected { wrong += 1 }
      }
    }
    #expect(wrong == 0)
  }

  @Test(arguments: spaces)
  func `exposure is linear in the linear values of the profile`(space: Space) throws {
    let image = Charts.image(256, 1, space.channels) { x, _, channel in (x + 40 * channel) % 256 }
    let raster = try Renderer.raster(space.source(image), FilterGraph([Exposure(ev: -1)]))
    for (index, plane) in raster.planes.enumerated() {
      for x in plane.indices {
        let before = space.light(Double(image[x: x, y: 0, channel: index]) / 255)
        #expect(abs(space.light(Double(plane[x])) - before / 2) < 1e-5)
      }
    }
  }

  @Test(arguments: spaces)
  func `a viewer shows the same colors after resizing uniform areas`(space: Space) throws {
    let image = Charts.image(40, 30, space.channels) { x, y, channel in
      [x / 10 * 60 + 20, y / 10 * 90 + 10, (x / 10 + y / 10) * 40][channel % 3]
    }
    let source = try space.source(image)
    var options = RenderOptions()
    options.quality = .ijg(100)
    let rendering = try Renderer.render(
      source, FilterGraph([Resize(width: 80, height: 60, kernel: .nearest)]), options: options)
    let result = try ImageSource(FileBytes(rendering.jpeg))
    #expect(result.metadata.icc == source.metadata.icc)
    let decoded = try ImageDecoders.decode(result.bytes)
    for y in stride(from: 5, to: 30, by: 10) {
      for x in stride(from: 5, to: 40, by: 10) {
        for channel in 0..<min(decoded.layout.channels.count, image.layout.channels.count) {
          let found = decoded[x: 2 * x, y: 2 * y, channel: channel]
          #expect(abs(found - image[x: x, y: y, channel: channel]) <= 2)
        }
      }
    }
  }

  @Test func `rotations and crops keep coefficients and profile for any curve`() throws {
    let jpeg = try TestImages.bytes("inputs/jpeg-444.jpg")
    for profile in [Self.spaces[3].profile, TestProfiles.camera] {
      let profile = try #require(profile)
      let image = try ImageSource(FileBytes(ProfiledFiles.jpeg(jpeg, profile: profile)))
      let rendering = try Renderer.render(image, FilterGraph([Rotate90(turns: 2)]))
      #expect(rendering.path == .coefficients)
      #expect(try ImageSource(FileBytes(rendering.jpeg)).metadata.icc == profile.bytes)
      #expect(!rendering.losses.contains { $0.kind == "icc" })
    }
  }

  // MARK: Conversion to sRGB

  private func lab(_ raster: Raster) throws -> [SIMD3<Double>] {
    let planes = raster.rgb
    let samples = planes[0].indices.flatMap { index in
      planes.map { UInt8((min(max($0[index], 0), 1) * 255).rounded()) }
    }
    return try ColorConversion.lab(of: samples, in: try #require(ICCProfile.sRGB))
  }

  private func distance(_ a: [SIMD3<Double>], _ b: [SIMD3<Double>]) -> (mean: Double, most: Double)
  {
    let distances = zip(a, b).map { pair in
      let d = pair.0 - pair.1
      return (d * d).sum().squareRoot()
    }
    return (distances.reduce(0, +) / Double(distances.count), distances.max() ?? 0)
  }

  @Test func `a profile with a color table gives the same colors in sRGB`() throws {
    let image = Charts.image(40, 30, .rgb) { x, y, channel in
      [x * 6, y * 8, (x + y) * 3][channel]
    }
    let source = try ImageSource(
      FileBytes(ProfiledFiles.png(PNGEncoder.encode(image), profile: TestProfiles.camera)))
    let graph = try FilterGraph([Saturate(1 + 1e-7)])
    let found = try lab(Renderer.raster(source, graph))
    let expected = try ColorConversion.lab(of: image.bytes, in: TestProfiles.camera)
    let (mean, most) = distance(found, expected)
    #expect(mean < 0.3 && most < 1.2, "\(mean), \(most)")
    let rendering = try Renderer.render(source, graph)
    #expect(try ImageSource(FileBytes(rendering.jpeg)).metadata.icc == ICCProfile.sRGB?.bytes)
    #expect(rendering.losses.contains { $0.kind == "icc" && $0.detail.contains("sRGB") })
  }

  @Test(arguments: ["jpeg-cmyk.jpg", "jpeg-cmyk-no-adobe.jpg", "jpeg-ycck.jpg"])
  func `CMYK with a profile gives the colors of the profile`(name: String) throws {
    let jpeg = ProfiledFiles.jpeg(
      try TestImages.bytes("inputs/\(name)"), profile: TestProfiles.cmykProfile)
    let image = try ImageSource(FileBytes(jpeg))
    var options = DecoderOptions()
    options.deliversCMYK = true
    let cmykProfile = try ImageDecoders.decode(FileBytes(jpeg), options: options)
    let expected = try ColorConversion.lab(of: cmykProfile.bytes, in: TestProfiles.cmykProfile)
    let (mean, most) = distance(try lab(Renderer.raster(image, FilterGraph())), expected)
    #expect(mean < 0.4 && most < 2, "\(mean), \(most)")
    let rendering = try Renderer.render(image, FilterGraph())
    #expect(try ImageSource(FileBytes(rendering.jpeg)).metadata.icc == ICCProfile.sRGB?.bytes)
    #expect(!rendering.notices.contains { $0.contains("without a profile") })
  }

  @Test func `gray with added color becomes sRGB`() throws {
    let space = Self.spaces[9]
    let image = Charts.image(256, 1, .gray) { x, _, _ in x }
    let source = try space.source(image)
    var tint = ColorMatrix()
    tint.matrix = [[1, 0, 0], [0, 1, 0], [0, 0, 0.5]].flatMap { $0 }
    let raster = try Renderer.raster(source, FilterGraph([tint]))
    #expect(raster.planes.count == 3)
    for x in 0..<256 {
      let expected = SRGBTransfer.encode(space.light(Double(x) / 255))
      #expect(abs(Double(raster.planes[0][x]) - expected) < 1e-5)
    }
    let rendering = try Renderer.render(source, FilterGraph([tint]))
    #expect(try ImageSource(FileBytes(rendering.jpeg)).metadata.icc == ICCProfile.sRGB?.bytes)
    let plain = try Renderer.render(source, FilterGraph([Gamma(power: 1.2)]))
    #expect(try ImageSource(FileBytes(plain.jpeg)).metadata.icc == space.profile?.bytes)
  }

  // MARK: Without a profile

  @Test(arguments: [false, true])
  func `Adobe RGB stated by a camera gets a profile`(rotatesOnly: Bool) throws {
    let jpeg = try TestImages.bytes("inputs/jpeg-444.jpg")
    let segment = ProfiledFiles.exif(colorSpace: 0xFF, index: "R03")
    let image = try ImageSource(FileBytes(ProfiledFiles.jpeg(jpeg, adding: [segment])))
    let filter: any Filter = rotatesOnly ? Flip(.horizontal) : Exposure(ev: 0.5)
    let rendering = try Renderer.render(image, FilterGraph([filter]))
    #expect(rendering.path == (rotatesOnly ? .coefficients : .pixels))
    #expect(try ImageSource(FileBytes(rendering.jpeg)).metadata.icc == ICCProfile.adobeRGB?.bytes)
    // The same values with that profile give the same result.
    let profile = try #require(ICCProfile.adobeRGB)
    let profiled = try ImageSource(FileBytes(ProfiledFiles.jpeg(jpeg, profile: profile)))
    #expect(
      try Renderer.raster(image, FilterGraph([filter]))
        == Renderer.raster(profiled, FilterGraph([filter])))
  }

  @Test func `a PNG that states linear values is processed as linear`() throws {
    let image = Charts.image(256, 1, .rgb) { x, _, _ in x }
    let png = try ProfiledFiles.png(
      PNGEncoder.encode(image), adding: [("gAMA", ICCProfile.number(100_000))])
    let raster = try Renderer.raster(ImageSource(FileBytes(png)), FilterGraph([Exposure(ev: -1)]))
    for x in 0..<256 {
      let expected = SRGBTransfer.encode(Double(x) / 510)
      #expect(abs(Double(raster.planes[0][x]) - expected) < 1e-5)
    }
  }

  @Test(arguments: [ChannelLayout.rgb, .gray])
  func `linear input without a profile is written with the sRGB curve`(
    channels: ChannelLayout
  ) throws {
    // Eight pixels for each level of the sRGB curve, as 16-bit linear values.
    let image = Charts.image(2048, 8, channels, bytesPerSample: 2) { x, _, _ in
      Int((SRGBTransfer.decode(Double(x / 8) / 255) * 65_535).rounded())
    }
    let png = try ProfiledFiles.png(
      PNGEncoder.encode(image), adding: [("gAMA", ICCProfile.number(100_000))])
    let file = try ImageSource(FileBytes(png))
    var options = RenderOptions()
    options.quality = .ijg(100)
    let graphs: [FilterGraph] = [
      FilterGraph(), try FilterGraph([Flip(.vertical)]), try FilterGraph([Gamma(power: 1 + 1e-7)]),
    ]
    for graph in graphs {
      let rendering = try Renderer.render(file, graph, options: options)
      let bytes = FileBytes(rendering.jpeg)
      let decoded = try ImageDecoders.decode(bytes)
      for level in 0..<256 {
        let found = decoded[x: 8 * level + 4, y: 4, channel: 0]
        #expect(abs(found - level) <= 1, "\(level): \(found)")
      }
      let icc = try ImageSource(bytes).metadata.icc
      let gray = ICCProfile.gray(transfer: .sRGB, description: "Gray, sRGB")
      #expect(icc == (channels == .gray ? gray : .sRGB)?.bytes)
    }
  }

  @Test func `linear input with a profile keeps its curve`() throws {
    let profile = Self.rgb(TestProfiles.curv([]))
    let image = Charts.image(64, 8, .rgb) { x, _, _ in 4 * x }
    let png = try ProfiledFiles.png(PNGEncoder.encode(image), profile: profile)
    let rendering = try Renderer.render(ImageSource(FileBytes(png)), FilterGraph([Flip(.vertical)]))
    #expect(try ImageSource(FileBytes(rendering.jpeg)).metadata.icc == profile.bytes)
  }

  // MARK: All parts of a graph

  @Test func `branches and statistics use the same curve`() throws {
    let image = Charts.noise(48, 40)
    let adobe = try Self.spaces[3].source(image)
    // The same image with values on the sRGB curve.
    let bright = Charts.image(48, 40, .rgb, bytesPerSample: 2) { x, y, channel in
      let light = pow(Double(image[x: x, y: y, channel: channel]) / 255, 2.199_218_75)
      return Int((SRGBTransfer.encode(light) * 65_535).rounded())
    }
    let plain = try Charts.source(bright)
    var graph = FilterGraph()
    try graph.append(Contrast(1.3), id: "base")
    try graph.append(GaussianBlur(sigma: 2), id: "soft", inputs: ["source"])
    try graph.append(MaskLuma(), id: "bright", inputs: ["source"])
    try graph.append(Blend(.screen), inputs: ["base", "soft"], mask: "bright", opacity: 0.8)
    for graph in [graph, try FilterGraph([AutoLevels()])] {
      let found = try Renderer.raster(adobe, graph).rgb
      let expected = try Renderer.raster(plain, graph).rgb
      for (a, b) in zip(found.joined(), expected.joined()) {
        let light = SRGBTransfer.encode(pow(Double(max(a, 0)), 2.199_218_75))
        #expect(abs(light - Double(max(b, 0))) < 0.006)
      }
    }
  }

  @Test func `a preview has the colors of the rendering`() throws {
    let image = Charts.image(64, 64, .rgb) { _, _, channel in [200, 100, 30][channel] }
    let source = try Self.spaces[3].source(image)
    let graph = try FilterGraph([Exposure(ev: 0.5)])
    let full = try Renderer.raster(source, graph)
    let small = try Renderer.previewRaster(
      source, graph, fitting: PixelSize(width: 16, height: 16))
    for (a, b) in zip(full.planes, small.planes) { #expect(abs(a[100] - b[100]) < 1e-4) }
  }
}
