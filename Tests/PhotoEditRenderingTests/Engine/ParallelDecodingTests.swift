// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditRendering

@Suite("Multithreaded decoding and encoding")
struct ParallelDecodingTests {
  /// Renderings of this engine have a restart marker after each MCU row.
  private static func jpeg(height: Int = 700) throws -> FileBytes {
    let settings = JPEGSettings(quality: 88)
    return try JPEGs.encode(
      JPEGs.waves(200, height), luma: settings.luma, chroma: settings.chroma,
      sampling: settings.sampling)
  }

  /// Strips so low that a small image has many.
  private static var options: RenderOptions {
    var options = RenderOptions()
    options.stripHeight = 4
    return options
  }

  private static func hasRestartIntervals(_ image: ImageSource) throws -> Bool {
    let job = try RenderJob(image, FilterGraph([Gamma(power: 2)]), options: Self.options)
    return try PixelSource(job, usesRestartIntervals: true).hasRestartIntervals
  }

  static let chains: [[any Filter]] = [
    [Gamma(power: 1.4)], [Saturate(1.4), Vignette(amount: 0.5)],
    [UnsharpMask(sigma: 1, amount: 1)], [GaussianBlur(sigma: 30)], [Grayscale(.luma601)],
    [Rotate90(turns: 1)], [Flip(), Grayscale(.average)],
  ]

  @Test(arguments: chains, [true, false])
  func `the bytes do not depend on the number of threads`(
    _ chain: [any Filter], hasMarkers: Bool
  ) throws {
    let image =
      try hasMarkers ? ImageSource(Self.jpeg()) : Charts.source(named: "photo-landscape.jpg")
    let graph = try FilterGraph(chain)
    var options = Self.options
    options.threads = 1
    let alone = try Renderer.render(image, graph, options: options).jpeg
    for threads in [2, 4, 8, 64] {
      options.threads = threads
      #expect(try Renderer.render(image, graph, options: options).jpeg == alone, "\(threads)")
    }
  }

  @Test func `restart markers divide the scan into restart intervals`() throws {
    #expect(try Self.hasRestartIntervals(ImageSource(Self.jpeg())))
    #expect(try !Self.hasRestartIntervals(Charts.source(named: "photo-landscape.jpg")))
  }

  /// Reports of a damaged image come from reading it in order, with or without restart intervals.
  @Test func `damage between restart markers is reported and filled as by the decoder`() throws {
    let jpeg = try Self.jpeg(height: 160).array
    let graph = try FilterGraph([Gamma(power: 1)])
    var state: UInt64 = 0x51_1CE5
    var refusals = 0
    for _ in 0..<SeededNumbers.cases(100) {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      var damaged = jpeg
      damaged[jpeg.count / 3 + Int(state >> 33) % (jpeg.count / 2)] ^= 1 << UInt8(state >> 60 & 7)
      let bytes = FileBytes(damaged)
      let source = try ImageSource(bytes)
      for isLenient in [false, true] {
        let strict = DecoderOptions(isLenient: isLenient)
        var options = Self.options
        options.isLenient = isLenient
        let expected = Result {
          try ImageDecoders.decode(ImageDecoders.open(bytes, options: strict))
        }
        let found = Result { try Renderer.raster(source, graph, options: options) }
        switch (expected, found) {
        case (.success(let image), .success(let raster)):
          #expect(raster.planes == image.floatPlanes)
        case (.failure(let error as CodecError), .failure(RenderError.codec(let other))):
          #expect(error == other)
          refusals += 1
        default: Issue.record("one is refused and the other is not: \(expected), \(found)")
        }
      }
    }
    #expect(refusals > SeededNumbers.cases(10))
  }

  /// libjpeg accepts some codes that a restart interval rejects; they must not prevent the lossless
  /// path.
  @Test func `a lossless transform is used even if restart intervals are rejected`() throws {
    let jpeg = try Self.jpeg(height: 160).array
    let graph = try FilterGraph([Grayscale(.luma601)])
    var state: UInt64 = 0x10_55E55
    var (moved, refused) = (0, 0)
    for _ in 0..<300 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      var changed = jpeg
      changed[jpeg.count / 3 + Int(state >> 33) % (jpeg.count / 2)] ^= 1 << UInt8(state >> 60 & 7)
      let image = try ImageSource(FileBytes(changed))
      let transform = JPEGCoefficientTransform(
        orientation: .up, crop: Region(image.header.size), chroma: .drop)
      let isMovable = (try? transform.run(image.bytes)) != nil
      var options = Self.options
      options.isLenient = true
      let reader = try JPEGEntropyDecoder(
        image.bytes, options: DecoderOptions(), rowsPerInterval: { _ in 4 })
      let memory = UnsafeMutableRawPointer.allocate(
        byteCount: reader.layout.mcuRows * reader.layout.bytesPerRow, alignment: 64)
      defer { memory.deallocate() }
      let areRead = reader.intervals.map {
        (try? $0.readRows(0..<reader.layout.mcuRows, into: memory)) != nil
      }
      if isMovable && areRead == false {
        refused += 1
      }
      moved += isMovable ? 1 : 0
      let path = try Renderer.render(image, graph, options: options).path
      #expect(path == (isMovable ? .coefficients : .pixels))
    }
    print("\(moved) of 300 changed files can be moved, \(refused) of them despite refusals")
    #expect(moved > 20 && moved < 300 && refused > 0)
  }

  /// Counts from before a restart interval was rejected must not be counted again.
  @Test func `levels are counted once, even if restart intervals are rejected`() throws {
    let jpeg = try Self.jpeg(height: 160).array
    var state: UInt64 = 0x10_55E55
    var refused = 0
    for _ in 0..<60 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      var changed = jpeg
      changed[jpeg.count / 3 + Int(state >> 33) % (jpeg.count / 2)] ^= 1 << UInt8(state >> 60 & 7)
      let image = try ImageSource(FileBytes(changed))
      var options = Self.options
      options.isLenient = true
      let job = try RenderJob(image, FilterGraph(), options: options)
      let plain = try Renderer.raster(image, FilterGraph(), options: options)
      let source = try PixelSource(job, usesRestartIntervals: true)
      let plan = job.plan(source.shape, result: .floats)
      guard (try? job.deliver(plan, of: source) { _ in }) == nil else { continue }
      refused += 1
      let copy = Charts.image(plain.size.width, plain.size.height, .rgb) { x, y, channel in
        Int((plain.rgb[channel][y * plain.size.width + x] * 255).rounded())
      }
      let graph = try FilterGraph([Equalize()])
      let expected = try Renderer.raster(Charts.source(copy), graph).rgb
      let actual = try Renderer.raster(image, graph, options: options).rgb
      #expect(try difference(expected, actual) <= 0.001)
    }
    #expect(refused > 0)
  }
}
