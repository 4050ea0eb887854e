// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditRendering

@Suite("Renderings")
struct RenderTests {
  @Test func `luma601 keeps the Y coefficients of the source`() throws {
    let bytes = FileBytes(try TestImages.bytes("inputs/photo-landscape.jpg"))
    let graph = try FilterGraph([Grayscale(.luma601)])
    let rendering = try Renderer.render(try ImageSource(bytes), graph)
    #expect(rendering.path == .coefficients)
    let before = try jpegCoefficients(bytes)[0]
    #expect(try jpegCoefficients(FileBytes(rendering.jpeg))[0] == before)
  }

  // MARK: Losses

  @Test(arguments: [
    ("png-rgba-8.png", ["alpha"]), ("png-gray-alpha-8.png", ["alpha"]),
    ("png-rgba-16.png", ["alpha", "bitDepth"]), ("png-rgb-16.png", ["bitDepth"]),
    ("png-rgb-trns.png", ["alpha"]), ("png-rgb-8.png", []), ("jpeg-444.jpg", []),
  ])
  func `features that a JPEG cannot hold are reported`(name: String, kinds: [String]) throws {
    let rendering = try Renderer.render(
      Charts.source(named: name), FilterGraph([Gamma(power: 1.2)]))
    #expect(
      rendering.losses.map(\.kind).filter { ["alpha", "bitDepth"].contains($0) }.sorted() == kinds)
    for loss in rendering.losses { #expect(!loss.detail.isEmpty) }
  }

  @Test(arguments: [ChannelLayout.rgba, .grayAlpha], [1, 2])
  func `an alpha channel is lost only if a pixel is not opaque`(
    channels: ChannelLayout, bytesPerSample: Int
  ) throws {
    var image = Charts.noise(40, 300, channels, bytesPerSample: bytesPerSample)
    let pixel = channels.count * bytesPerSample
    for index in image.bytes.indices where index % pixel >= pixel - bytesPerSample {
      image.bytes[index] = 255
    }
    func hasAlphaLoss(_ image: ImageBuffer) throws -> Bool {
      try Renderer.render(Charts.source(image), FilterGraph()).losses.contains {
        $0.kind == "alpha"
      }
    }
    #expect(try !hasAlphaLoss(image))
    image.bytes[image.bytes.count - 1] = 254
    #expect(try hasAlphaLoss(image))
  }

  @Test func `a loss contains its figures`() throws {
    var graph = FilterGraph()
    graph.background = Background(red: 1, green: 2, blue: 255)
    let losses = try Renderer.render(Charts.source(named: "png-rgba-16.png"), graph).losses
    #expect(losses.contains { $0.detail.contains("16 bits") })
    #expect(losses.contains { $0.detail.contains("#0102ff") })
  }

  // MARK: Rejections

  @Test func `an image other than the edited one is rejected`() throws {
    let image = try Charts.source(named: "orientation-6.jpg")
    var graph = try FilterGraph([Gamma(power: 2)])
    graph.source = image.identity
    #expect(throws: Never.self) { try Renderer.render(image, graph) }
    let identity = image.identity
    let others = [
      FilterGraph.Source(
        size: identity.size, orientation: identity.orientation, digest: SHA256Digest(of: [1])),
      .init(size: identity.size.transposed, orientation: .right, digest: identity.digest),
      .init(size: identity.size, orientation: .up, digest: identity.digest),
    ]
    for other in others {
      graph.source = other
      for render in [
        { _ = try Renderer.render(image, graph) }, { _ = try Renderer.raster(image, graph) },
      ] {
        #expect {
          try render()
        } throws: {
          guard case RenderError.sourceMismatch(other, identity) = $0 else { return false }
          return "\($0)".contains("the edit belongs to another image")
        }
      }
    }
  }

  @Test func `a graph with an unsupported node is never rendered`() throws {
    let json = """
      {"format":"org.photoedit.filter-graph","version":"1.0","nodes":[
      {"id":"a","filter":"gamma","v":1,"params":{"power":2}},
      {"id":"b","filter":"glow","v":1,"params":{}}]}
      """
    let graph = try FilterGraph(json: Array(json.utf8))
    for name in ["jpeg-444.jpg", "png-rgb-8.png"] {
      #expect {
        try Renderer.render(Charts.source(named: name), graph)
      } throws: {
        guard case RenderError.graph(let reason) = $0 else { return false }
        return reason == graph.blockingReasons.first
      }
    }
  }

  @Test func `a disabled node of any kind is skipped`() throws {
    let json = """
      {"format":"org.photoedit.filter-graph","version":"1.0","nodes":[
      {"id":"a","filter":"glow","v":9,"params":{"x":[1]},"enabled":false},
      {"id":"b","filter":"gamma","v":1,"params":{"power":2}},
      {"id":"c","filter":"invert","v":1,"params":{"amount":1},"enabled":false}]}
      """
    let image = try Charts.source(Charts.noise(8, 8))
    #expect(
      try Renderer.raster(image, FilterGraph(json: Array(json.utf8)))
        == raster(image, [Gamma(power: 2)]))
  }

  @Test func `the result is that of the output node`() throws {
    let json = """
      {"format":"org.photoedit.filter-graph","version":"1.0","nodes":[
      {"id":"a","filter":"gamma","v":1,"params":{"power":2}},
      {"id":"b","filter":"invert","v":1,"params":{"amount":1}},
      {"id":"c","filter":"brightness","v":1,"in":["a"],"params":{"amount":0.25}}],
      "output":{"node":"c"}}
      """
    let image = try Charts.source(Charts.noise(8, 8))
    #expect(
      try Renderer.raster(image, FilterGraph(json: Array(json.utf8)))
        == raster(image, [Gamma(power: 2), Brightness(0.25)]))
  }

  // MARK: Cancellation

  @Test(arguments: [1, 3], [0, 1, 4])
  func `a canceled rendering stops at the next strip`(threads: Int, after: Int) throws {
    let image = try Charts.source(Charts.noise(20, 120))
    let asked = CallCounter()
    var options = RenderOptions()
    options.threads = threads
    options.stripHeight = 4
    options.isCancelled = { asked.next() > after }
    let graph = try FilterGraph([GaussianBlur(sigma: 1)])
    #expect {
      try Renderer.render(image, graph, options: options)
    } throws: {
      if case RenderError.cancelled = $0 { true } else { false }
    }
    // Every worker may have been about to check once more.
    #expect(asked.value <= after + 1 + threads)
  }

  @Test func `the lossless path can be canceled as well`() throws {
    var options = RenderOptions()
    options.isCancelled = { true }
    #expect {
      try Renderer.render(
        Charts.source(named: "jpeg-444.jpg"), FilterGraph([Rotate90(turns: 1)]), options: options)
    } throws: {
      if case RenderError.cancelled = $0 { true } else { false }
    }
  }

  // MARK: Rasters

  @Test func `raster samples are rounded half up to bytes and clamped`() {
    let raster = Raster(
      size: PixelSize(width: 8, height: 1),
      planes: [[-1, 0, 0.5 / 255, 0.49 / 255, 254.5 / 255, 1, 2, .nan]])
    #expect(raster.image(bytesPerSample: 1).bytes == [0, 0, 1, 0, 255, 255, 255, 0])
  }

  @Test func `a float map stores its rows from the bottom`() {
    let raster = Raster(size: PixelSize(width: 1, height: 2), planes: [[1, -2]])
    let head = Array("Pf\n1 2\n-1.0\n".utf8)
    #expect(raster.pfm == head + [0, 0, 0, 0xC0, 0, 0, 0x80, 0x3F])
  }
}

/// Counts calls from any thread.
final class CallCounter: Sendable {
  private let count = LockedValue(0)

  /// The number of this call, from 1.
  func next() -> Int {
    count.withLock {
      $0 += 1
      return $0
    }
  }

  var value: Int { count.withLock { $0 } }
}
