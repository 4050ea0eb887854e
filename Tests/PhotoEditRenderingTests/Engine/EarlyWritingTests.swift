// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditRendering

@Suite("Writing a JPEG while it is rendered")
struct EarlyWritingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func jpeg(height: Int) throws -> FileBytes {
    let settings = JPEGSettings(quality: 88)
    return try JPEGs.encode(
      JPEGs.waves(192, height), luma: settings.luma, chroma: settings.chroma,
      sampling: settings.sampling)
  }

  /// A file that is written at every opportunity.
  private func stagedFile() throws -> StagedFile {
    try StagedFile(for: folder.path("out.jpg"), keepsDigest: true, earlyByteCount: 1)
  }

  /// Checks that a rendering is the same without and with a file, and that this is the file.
  ///
  /// - Returns: The size of the file before it was completed.
  @discardableResult
  private func check(
    _ image: ImageSource, _ graph: FilterGraph, _ options: RenderOptions = RenderOptions()
  ) throws -> Int {
    let expected = try Renderer.render(image, graph, options: options)
    let staged = try stagedFile()
    var options = options
    options.staged = staged
    let rendering = try Renderer.render(image, graph, options: options)
    let early = try staged.file.regularSize()
    let digest = try staged.complete(with: rendering.jpeg)
    try staged.publish(replacing: true)
    let file = try FileBytes.reading(folder.path("out.jpg"))
    #expect(rendering == expected && file.array == expected.jpeg)
    #expect(digest == file.digest())
    return early
  }

  static let graphs: [[any Filter]] = [
    [], [Gamma(power: 1.4)], [Rotate90(turns: 1)], [Grayscale(.luma601)],
  ]

  @Test(arguments: try TestImages.inputs())
  func `a file is what a rendering returns, wherever its metadata comes from`(
    _ input: TestImages.Entry
  ) throws {
    let image = try ImageSource(FileBytes(input.bytes()))
    for graph in Self.graphs { try check(image, FilterGraph(graph)) }
  }

  /// Its position is written to the metadata when the image before it is complete.
  @Test func `a file with a gain map is what a rendering returns`() throws {
    let image = try ImageSource(FileBytes(GainMapTests.photo()))
    for filters in [[], [Rotate90(turns: 1)], [Straighten(angle: 7)]] as [[any Filter]] {
      #expect(try check(image, FilterGraph(filters)) == 0)
    }
  }

  @Test(arguments: [[Gamma(power: 1.4)], [Rotate90(turns: 1)]] as [[any Filter]])
  func `all but the end is written before a rendering is complete`(_ filters: [any Filter]) throws {
    let image = try ImageSource(Self.jpeg(height: 704))
    let graph = try FilterGraph(filters)
    let count = try Renderer.render(image, graph).jpeg.count
    // The marker at the end follows when the rendering is known to be complete.
    #expect(try check(image, graph) == count - 2)
  }

  /// The first attempt reads restart intervals and is given up where one of them is rejected.
  @Test func `a rendering that starts again from the top replaces what it wrote`() throws {
    let jpeg = try Self.jpeg(height: 320).array
    var options = RenderOptions()
    options.stripHeight = 4
    options.isLenient = true
    var state: UInt64 = 0xEA_21_1E5
    var restarts = 0
    for _ in 0..<40 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      var damaged = jpeg
      damaged[jpeg.count * 2 / 3 + Int(state >> 33) % (jpeg.count / 4)] ^= 1 << UInt8(state >> 61)
      let image = try ImageSource(FileBytes(damaged))
      let job = try RenderJob(image, FilterGraph([Gamma(power: 2)]), options: options)
      let isRejected =
        (try? job.withSource { source throws(RenderError) in
          let plan = job.plan(source.shape, result: .floats)
          guard source.hasRestartIntervals else { return true }
          try job.deliver(plan, of: source) { _ in }
          return false
        }) ?? true
      restarts += isRejected ? 1 : 0
      for filters in Self.graphs { try check(image, FilterGraph(filters), options) }
    }
    #expect(restarts > 0)
  }
}
