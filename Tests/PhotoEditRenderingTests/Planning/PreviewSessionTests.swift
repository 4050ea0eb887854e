// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditRendering

@Suite("Preview sessions")
struct PreviewSessionTests {
  private static let box = PixelSize(width: 160, height: 160)

  /// The difference between the resized full rendering and the preview, both clamped for display.
  private func difference(
    _ session: PreviewSession, _ image: ImageSource, _ graph: FilterGraph,
    _ precision: PreviewSession.Precision = .interactive
  ) throws -> ImageDifference {
    let preview = try session.raster(graph, precision: precision)
    var resized = graph
    try resized.append(Resize(width: preview.size.width, height: preview.size.height))
    let full = try Renderer.raster(image, resized)
    #expect(full.size == preview.size)
    return try ImageDifference(full.image(bytesPerSample: 1), preview.image(bytesPerSample: 1))
  }

  @Test(arguments: CatalogCase.all)
  func `a preview looks like the full rendering for every filter`(_ entry: CatalogCase) throws {
    // A quarter of the photo, since each filter is rendered at full size.
    let quarter = try PreviewTests.quarter.get()
    let session = PreviewSession(quarter, fitting: PixelSize(width: 80, height: 80))
    for filter in PreviewTests.gentle(entry).some(entry.number + 1) {
      let difference = try difference(session, quarter, Charts.graph([filter]))
      let failure = ToleranceClass.P.failure(of: difference)
      #expect(failure == nil, "\(filter)")
    }
    #expect(session.keptBytes <= PreviewSession.maximumBytes)
  }

  @Test(arguments: PreviewTests.chains)
  func `a preview looks like the full rendering for a chain`(_ entry: PreviewTests.Case) throws {
    let image = try PreviewTests.photo.get()
    let session = PreviewSession(
      image, fitting: PixelSize(width: entry.side, height: entry.side))
    let graph = try FilterGraph(entry.chain.map(Definition.make))
    let failure = ToleranceClass.P.failure(of: try difference(session, image, graph))
    #expect(failure == nil)
  }

  @Test(
    arguments: [
      "photo-1024.jpg", "jpeg-581x387.jpg", "orientation-6.jpg", "png-rgba-16.png", "jpeg-cmyk.jpg",
      "jpeg-display-p3.jpg", "jpeg-gray.jpg",
    ],
    [
      [], ["rotate90"], ["crop:x=0.3,y=0.1,w=0.11,h=0.7"], ["resize:width=30"],
      ["saturate:amount=1.1"], ["autoLevels"], ["straighten:angle=3"],
    ])
  func `a preview has the size of other previews`(file: String, chain: [String]) throws {
    let image = try Charts.source(named: file)
    let graph = try FilterGraph(chain.map(Definition.make))
    for side in [1, 33, 4000] {
      let box = PixelSize(width: side, height: 2 * side)
      let rendering = try PreviewSession(image, fitting: box).render(graph)
      #expect(rendering.size == (try Renderer.preview(image, graph, fitting: box).size))
      let read = try ImageSource(FileBytes(rendering.jpeg))
      #expect(read.size == rendering.size && read.metadata.orientation == .up)
    }
  }

  @Test(
    arguments: ["photo-1024.jpg", "jpeg-581x387.jpg", "orientation-6.jpg", "jpeg-gray.jpg"],
    [["saturate:amount=1.3"], ["rotate90"], ["unsharpMask:sigma=2,amount=1"], ["equalize"], []])
  func `a still at full size has the pixels that are saved`(file: String, chain: [String]) throws {
    let image = try Charts.source(named: file)
    let graph = try FilterGraph(chain.map(Definition.make))
    let box = PixelSize(width: 2000, height: 2000)
    let still = try PreviewSession(image, fitting: box).render(graph, precision: .still)
    var options = RenderOptions()
    options.strip = .all
    let saved = try Renderer.render(image, graph, options: options)
    let pixels = try [still, saved].map { try ImageDecoders.decode(FileBytes($0.jpeg)) }
    let isEqual = pixels[0].bytes == pixels[1].bytes
    #expect(isEqual && pixels[0].size == pixels[1].size)
  }

  @Test(arguments: PreviewTests.chains)
  func `a still is at least as close to the full rendering`(_ entry: PreviewTests.Case) throws {
    let image = try PreviewTests.photo.get()
    let session = PreviewSession(
      image, fitting: PixelSize(width: entry.side, height: entry.side))
    let graph = try FilterGraph(entry.chain.map(Definition.make))
    let still = try difference(session, image, graph, .still)
    #expect(ToleranceClass.P.failure(of: still) == nil)
    let interactive = try difference(session, image, graph)
    #expect(still.mean <= interactive.mean + 0.01)
  }

  @Test func `pixels are decoded once for each size`() throws {
    let image = try PreviewTests.photo.get()
    let session = PreviewSession(image, fitting: Self.box)
    #expect(session.keptBytes == 0)
    for amount in [0.9, 1.1, 1.2] {
      _ = try session.render(FilterGraph([Saturate(amount)]))
    }
    #expect(session.keptBytes == 160 * 120 * 3 * 2)
    // In gamma-encoded values, averaging and blurring can be exchanged.
    _ = try session.render(FilterGraph([GaussianBlur(sigma: 8)]))
    _ = try session.render(FilterGraph([UnsharpMask(sigma: 4, amount: 1)]))
    #expect(session.keptBytes == 160 * 120 * 3 * 2)
    _ = try session.render(FilterGraph([GaussianBlur(sigma: 8, light: .linear)]))
    #expect(session.keptBytes == 5 * 160 * 120 * 3 * 2)
  }

  @Test(arguments: [
    ("whiteBalance:temperature=6000", 1), ("vibrance:amount=0.4", 1), ("exposure:ev=-1", 1),
    // A black that becomes gray, and a steep curve.
    ("levels:outBlack=0.2", 1.4), ("sigmoidalContrast:amount=20", 1.4),
    // Lightness from linear light: edges between complementary colors.
    ("blackWhite:mode=channels", 1.4),
    ("levels:outBlack=0.2 gaussianBlur:sigma=2", 2),
  ])
  func `drags of color filters need few pixels`(filters: String, side: Double) throws {
    let session = PreviewSession(try PreviewTests.photo.get(), fitting: Self.box)
    let chain = filters.split(separator: " ").map { Definition.make(String($0)) }
    let graph = try FilterGraph(chain)
    func bytes(_ side: Double) -> Int {
      Int((160 * side).rounded()) * Int((120 * side).rounded()) * 6
    }
    _ = try session.render(graph)
    #expect(session.keptBytes == bytes(side))
    _ = try session.render(graph, precision: .still)
    #expect(session.keptBytes == bytes(2) + (side == 2 ? 0 : bytes(side)))
  }

  @Test(arguments: [
    ["exposure:ev=0.5"], ["curve:points=0:0.1/0.5:0.6/1:1,channel=r", "gamma:power=0.8"],
    ["contrast:amount=1.2", "exposure:ev=0.3", "saturate:amount=1.2"],
    ["exposure:ev=-0.4", "rotate90", "crop:x=0.1,y=0.2,w=0.8,h=0.7", "sepia"],
  ])
  func `curves that are looked up have the values of computed ones`(chain: [String]) throws {
    let image = try PreviewTests.photo.get()
    let session = PreviewSession(image, fitting: PixelSize(width: 1024, height: 1024))
    let kept = try session.raster(FilterGraph()).image(bytesPerSample: 2)
    #expect(kept.size == image.size && kept.size.pixelCount * 3 > 2 << 18)
    let graph = try FilterGraph(chain.map(Definition.make))
    #expect(try session.raster(graph) == Renderer.raster(Charts.source(kept), graph))
  }

  @Test(arguments: [
    ("clarity:amount=0.5", true), ("clarity:amount=0.5,radius=0.002", false),
    ("bilateral:diameter=9", false),
  ])
  func `large windows are computed from reduced pixels`(filter: String, isReduced: Bool) throws {
    let image = try PreviewTests.photo.get()
    let session = PreviewSession(image, fitting: Self.box)
    _ = try session.render(FilterGraph([Definition.make(filter)]))
    #expect((session.keptBytes > 0) == isReduced)
  }

  @Test(
    arguments: ["photo-1024.jpg", "jpeg-gray.jpg", "jpeg-display-p3.jpg", "png-rgba-8.png"],
    [[], ["grayscale"], ["exposure:ev=2"], ["gaussianBlur:sigma=2"]])
  func `the levels of a preview are those of its pixels`(file: String, chain: [String]) throws {
    var options = RenderOptions()
    options.countsLevels = true
    let image = try Charts.source(named: file)
    let graph = try FilterGraph(chain.map(Definition.make))
    // Larger than some of the images, which are then not encoded again.
    for box in [Self.box, PixelSize(width: 1024, height: 1024)] {
      let session = PreviewSession(image, fitting: box, options: options)
      for precision in [PreviewSession.Precision.interactive, .still] {
        let rendering = try session.render(graph, precision: precision)
        let levels = try #require(rendering.levels)
        #expect(levels.pixelCount == rendering.size.pixelCount)
        let raster = try session.independentRaster(graph, precision: precision)
        #expect(levels == LevelCounts(slowly: raster))
      }
    }
    #expect(try PreviewSession(image, fitting: Self.box).render(graph).levels == nil)
  }

  @Test func `a later request cancels an earlier one`() throws {
    let outcome = try outcome(
      of: { session, graph throws(RenderError) in _ = try session.render(graph) },
      during: { session, graph throws(RenderError) in _ = try session.render(graph) })
    guard case .failure(.cancelled) = outcome else {
      Issue.record("the first request was not canceled")
      return
    }
  }

  @Test func `pixels are rendered beside other requests`() throws {
    let raster: Request = { session, graph throws(RenderError) in
      _ = try session.independentRaster(graph, precision: .interactive)
    }
    let render: Request = { session, graph throws(RenderError) in _ = try session.render(graph) }
    for (first, second) in [(raster, render), (render, raster)] {
      try outcome(of: first, during: second).get()
    }
  }

  private typealias Request =
    @Sendable (PreviewSession, FilterGraph) throws(RenderError) -> Void

  /// Returns the outcome of a request while which another one was made.
  private func outcome(
    of first: @escaping Request, during second: Request
  ) throws -> Result<Void, RenderError> {
    let image = try PreviewTests.photo.get()
    // The second request is made when the first one checks for cancellation.
    let (started, ended) = (LockedValue(false), LockedValue(false))
    var options = RenderOptions()
    options.threads = 1
    options.isCancelled = {
      let isFirst = started.change { value in
        defer { value = true }
        return !value
      }
      if isFirst { _ = ended.wait { $0 ? true : nil } }
      return false
    }
    let session = PreviewSession(image, fitting: Self.box, options: options)
    let graph = try FilterGraph([Invert(amount: 1)])
    // A task would wait until other tests are done.
    let outcome = LockedValue<Result<Void, RenderError>?>(nil)
    let work = BackgroundWork {
      let result = Result { () throws(RenderError) in try first(session, graph) }
      outcome.withLock { $0 = result }
    }
    _ = started.wait { $0 ? true : nil }
    // Nothing is rendered: the graph belongs to another image.
    var other = FilterGraph()
    other.source = try Charts.source(named: "jpeg-gray.jpg").identity
    #expect(throws: RenderError.self) { try second(session, other) }
    ended.change { $0 = true }
    work.wait()
    return try #require(outcome.withLock { $0 })
  }
}

extension LevelCounts {
  /// Counts the levels of pixels one by one.
  fileprivate init(slowly raster: Raster) {
    self.init()
    let (image, planes) = (raster.image(bytesPerSample: 1), raster.planes.count)
    for start in stride(from: 0, to: image.bytes.count, by: planes) {
      let color = (0..<3).map { Int(image.bytes[start + ($0 < planes ? $0 : 0)]) }
      let luma = (299 * color[0] + 587 * color[1] + 114 * color[2] + 500) / 1000
      for (channel, level) in (color + [luma]).enumerated() { levels[256 * channel + level] += 1 }
      if color.max() == 0 { shadows += 1 }
      if color.max() == 255 { highlights += 1 }
    }
  }
}
