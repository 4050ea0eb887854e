// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage
import Testing

@Suite("Frame rendering")
struct FrameRendererTests {
  /// The expected rendering of a photo with the same pixels, in three channels.
  private func photo(_ image: ImageBuffer, _ graph: FilterGraph) throws -> ImageBuffer {
    let result = try Renderer.raster(Charts.source(image), graph).image(bytesPerSample: 1)
    guard result.layout.channels == .gray, image.layout.channels == .rgb else { return result }
    return Charts.image(result.size.width, result.size.height, .rgb) { x, y, _ in
      result[x: x, y: y, channel: 0]
    }
  }

  @Test func `any graph renders a frame like a photo with the same pixels`() throws {
    let image = Charts.noise(67, 45)
    var graphs = RandomGraphs(seed: 7)
    for number in 0..<60 {
      let graph = try graphs.graph(for: image.size)
      let renderer = try FrameRenderer(graph, size: image.size, layout: image.layout)
      let expected = try photo(image, graph)
      #expect(renderer.outputSize == expected.size)
      #expect(try renderer.render(image) == expected, "graph \(number): \(graph.nodes)")
    }
  }

  @Test func `one renderer handles many frames on many threads`() async throws {
    let frames = (0..<8).map { seed in
      Charts.image(80, 60, .rgb) { x, y, channel in (x * 3 + y * 5 + channel * 40 + seed * 31) % 256
      }
    }
    for filters: [any Filter] in [
      [GaussianBlur(sigma: 3), Crop(x: 0.1, y: 0.1, width: 0.5, height: 0.5)],
      [Grayscale(.luma601)],
      // Adapts to each frame.
      [Equalize()], [DenoiseNLM(amount: 1)], [Dehaze(0.5)],
      // Transforms each frame as a whole.
      [DenoiseWavelet(strength: 2)],
    ] {
      let graph = try FilterGraph(filters)
      let renderer = try FrameRenderer(graph, size: frames[0].size, layout: frames[0].layout)
      let results = try await withThrowingTaskGroup(of: (Int, ImageBuffer).self) { group in
        for (index, frame) in frames.enumerated() {
          group.addTask { (index, try renderer.render(frame)) }
        }
        return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      for (index, frame) in frames.enumerated() {
        #expect(try results[index] == photo(frame, graph))
      }
    }
  }

  @Test(arguments: Orientation.allCases)
  func `frames are filtered with the orientation applied and returned as stored`(
    orientation: Orientation
  ) throws {
    let stored = Charts.noise(40, 30)
    let oriented = stored.rotated(orientation)
    for filters: [any Filter] in [
      [Contrast(1.5)], [Vignette(amount: 1), GaussianBlur(sigma: 1)], [Grayscale(.luma601)],
    ] {
      let graph = try FilterGraph(filters)
      let renderer = try FrameRenderer(
        graph, size: stored.size, layout: stored.layout, orientation: orientation)
      #expect(renderer.resultOrientation == orientation)
      let result = try renderer.render(stored).rotated(orientation)
      let expected = try photo(oriented, graph)
      // Sums along rows and columns are computed in another order if a frame is rotated by 90°.
      #expect(zip(result.bytes, expected.bytes).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    }
    let graph = try FilterGraph([Crop(pixels: Region(x: 3, y: 5, width: 10, height: 8))])
    let renderer = try FrameRenderer(
      graph, size: stored.size, layout: stored.layout, orientation: orientation)
    #expect(renderer.resultOrientation == .up)
    #expect(try renderer.render(stored) == photo(oriented, graph))
  }

  @Test func `lengths are scaled with the frames`() throws {
    let small = Charts.noise(50, 40)
    let renderer = try FrameRenderer(
      FilterGraph([GaussianBlur(sigma: 4)]), size: small.size, layout: small.layout, scale: 0.25)
    #expect(try renderer.render(small) == photo(small, FilterGraph([GaussianBlur(sigma: 1)])))
  }

  @Test func `an unsupported graph is rejected before the first frame`() throws {
    let graph = try FilterGraph([Crop(pixels: Region(x: 90, y: 0, width: 20, height: 20))])
    #expect(throws: RenderError.self) {
      try FrameRenderer(
        graph, size: PixelSize(width: 64, height: 48), layout: RowLayout(channels: .rgb))
    }
  }
}
