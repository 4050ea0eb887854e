// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditRendering

@Suite("Memory limits of rendering")
struct MemoryBudgetTests {
  private static func limits(_ bytes: Int) -> RenderOptions {
    var options = RenderOptions()
    options.limits.maximumMemoryBytes = bytes
    return options
  }

  private static func isRefused(_ allowed: Int, _ body: () throws -> Void) -> Bool {
    do {
      try body()
      return false
    } catch RenderError.codec(.limitExceeded(.memory, let value, allowed)) {
      return value > allowed
    } catch {
      Issue.record("unexpected error: \(error)")
      return false
    }
  }

  @Test(
    arguments: [
      ("photo-1024.jpg", ["sepia"]), ("photo-1024.jpg", ["rotate90"]),
      ("photo-1024.jpg", ["gaussianBlur:sigma=3"]), ("jpeg-progressive.jpg", ["sepia"]),
      ("png-interlaced.png", []), ("png-rgba-16.png", ["exposure:ev=1"]),
    ])
  func `every render path reports its memory and respects the limit`(
    file: String, chain: [String]
  ) throws {
    let image = try Charts.source(named: file)
    let graph = try FilterGraph(chain.map(Definition.make))
    let reported = try Renderer.outline(image, graph).memory
    #expect(reported.result > 0 && reported.decoder > 0 && reported.strips > 0)
    #expect(
      reported.total == reported.decoder + reported.strips + reported.result + reported.assets)
    let expected = try Renderer.render(image, graph)
    #expect(try Renderer.render(image, graph, options: Self.limits(reported.total)) == expected)
    #expect(
      Self.isRefused(10_000) {
        _ = try Renderer.render(image, graph, options: Self.limits(10_000))
      })
  }

  @Test func `rasters, thumbnails, previews and statistics are rejected the same way`() throws {
    let image = try Charts.source(named: "photo-1024.jpg")
    let options = Self.limits(10_000)
    let adapting = try FilterGraph([Definition.make("autoLevels")])
    let plain = try FilterGraph([Definition.make("sepia")])
    let box = PixelSize(width: 64, height: 64)
    #expect(Self.isRefused(10_000) { _ = try Renderer.raster(image, plain, options: options) })
    #expect(Self.isRefused(10_000) { _ = try Renderer.render(image, adapting, options: options) })
    #expect(
      Self.isRefused(10_000) {
        _ = try Renderer.preview(image, plain, fitting: box, options: options)
      })
    #expect(
      Self.isRefused(10_000) {
        _ = try Thumbnailer.thumbnail(of: image, shape: .init(side: 64), options: options)
      })
  }

  @Test func `threads and strips are reduced before a refusal, with identical results`() throws {
    let image = try Charts.source(named: "photo-1024.jpg")
    let graph = try FilterGraph([Definition.make("gaussianBlur:sigma=3"), Definition.make("sepia")])
    var options = RenderOptions()
    options.threads = 8
    let requested = try Renderer.outline(image, graph, options: options).memory.total
    let expected = try Renderer.render(image, graph, options: options)
    options.limits.maximumMemoryBytes = requested / 2
    #expect(try Renderer.render(image, graph, options: options) == expected)
    let job = try RenderJob(image, graph, options: options)
    let fitted = try job.fitted { job in
      RenderMemory(strips: job.threads * 1000 + (job.options.stripHeight == nil ? requested : 0))
    }
    #expect(fitted.job.threads == 1)
    #expect(fitted.job.options.stripHeight == 16)
    #expect(fitted.bytes == 1000)
  }

  @Test func `a graph with many branches is rejected or stays within the limit`() throws {
    let image = try Charts.source(Charts.noise(300, 200))
    var graph = FilterGraph()
    try graph.append(GaussianBlur(sigma: 2), id: "n0")
    for index in 1...60 {
      try graph.append(GaussianBlur(sigma: 2 + Double(index % 5)), id: "n\(index)", inputs: ["n0"])
    }
    var last = "n1"
    for index in 2...60 {
      try graph.append(Blend(.normal), id: "b\(index)", inputs: [last, "n\(index)"])
      last = "b\(index)"
    }
    #expect(
      Self.isRefused(4 << 20) {
        _ = try Renderer.render(image, graph, options: Self.limits(4 << 20))
      })
    // With few rows of each branch, its pixels are the same.
    let most = try Renderer.outline(image, graph).memory.total
    #expect(
      try Renderer.render(image, graph, options: Self.limits(4 * most))
        == Renderer.render(image, graph, options: Self.limits(16 * most)))
    // Its branches get low strips before it takes an eighth of the limit.
    let job = try RenderJob(image, graph, options: Self.limits(80 << 20))
    let (low, usual) = (RenderMemory(strips: 11 << 20), RenderMemory(strips: 9 << 20))
    #expect(try job.fitted { _ in low }.job.options.stripHeight == 8)
    #expect(try job.fitted { $0.minimizesMemory ? usual : low }.bytes == 9 << 20)
    #expect(try job.fitted { _ in usual }.job.options.stripHeight == nil)
  }

  @Test func `a file of noise that exceeds what is left of the limit is refused`() throws {
    let image = try Charts.source(Charts.noise(1200, 900))
    var options = RenderOptions()
    options.quality = .ijg(100)
    // Twice as many bytes as pixels.
    #expect(try Renderer.render(image, FilterGraph(), options: options).jpeg.count > 2 * 1_080_000)
    options.limits.maximumMemoryBytes = 1
    let reported = try Renderer.outline(image, FilterGraph(), options: options).memory.total
    options.limits.maximumMemoryBytes = reported
    #expect(
      Self.isRefused(reported) {
        _ = try Renderer.render(image, FilterGraph(), options: options)
      })
  }

  @Test func `attached images of a graph count as memory`() throws {
    let image = try Charts.source(Charts.noise(40, 30))
    var graph = FilterGraph()
    try graph.append(Overlay(asset: AttachmentKind.image.rawValue))
    graph.assets = Charts.assets
    let outline = try Renderer.outline(image, graph)
    #expect(outline.memory.assets > 0)
    #expect(throws: RenderError.self) {
      try Renderer.render(image, graph, options: Self.limits(100))
    }
  }

  @Test func `work over the shared budget waits`() async {
    let budget = MemoryBudget()
    var limits = ImageLimits()
    limits.maximumMemoryBytes = 10
    let (most, now) = (LockedValue(0), LockedValue(0))
    let allowed = limits
    await withTaskGroup(of: Void.self) { group in
      for bytes in [6, 6, 4, 10, 1, 9, 5] {
        group.addTask {
          try? budget.holding(bytes, of: allowed) { () throws(RenderError) in
            let sum = now.withLock { now in
              now += bytes
              return now
            }
            most.withLock { $0 = max($0, sum) }
            sched_yield()
            now.withLock { $0 -= bytes }
          }
        }
      }
    }
    #expect(most.withLock { $0 } <= 10)
    #expect(now.withLock { $0 } == 0)
    #expect(
      Self.isRefused(10) { try budget.holding(11, of: allowed) { () throws(RenderError) in } })
  }
}

/// Measured memory of a rendering in a separate process.
@Suite("Measured memory", .serialized)
struct MeasuredMemoryTests {
  /// Returns whether a rendering stays below its estimate, which is at most half as much again if
  /// nothing but the decoder needs much memory; the process overhead is not included.
  private static func isEstimated(_ image: ImageSource, _ chain: [String]) throws -> Bool {
    let graph = try FilterGraph(chain.map(Definition.make))
    var options = RenderOptions()
    options.threads = 2
    let reported = try Renderer.outline(image, graph, options: options).memory.total
    let before = try ProcessMemory.peak()
    _ = try Renderer.render(image, graph, options: options)
    let taken = try ProcessMemory.peak() - before
    // Threads, tables and 2 MB pages are in the one, space for a result of noise in the other.
    let slack = 24 << 20
    let most = chain == ["rotate90"] ? taken + taken / 2 + slack : 8 * taken
    return taken <= reported + slack && reported <= most
  }

  /// An image whose rows take more memory than the process itself.
  private static func large(_ channels: ChannelLayout) -> ImageBuffer {
    let size = PixelSize(width: 6000, height: 4000)
    var image = ImageBuffer(size: size, layout: RowLayout(channels: channels))
    let (step, rowCount) = (channels.count, 6000 * channels.count)
    let row = (0..<rowCount + step * 251).map { UInt8(truncatingIfNeeded: $0 / step * 7) }
    image.bytes.withUnsafeMutableBytes { bytes in
      for y in 0..<size.height {
        row.withUnsafeBytes { row in
          let start = y % 251 * step
          UnsafeMutableRawBufferPointer(rebasing: bytes[y * rowCount..<(y + 1) * rowCount])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: row[start..<start + rowCount]))
        }
      }
    }
    return image
  }

  /// Files of 24 million pixels whose decoders hold rows, coefficients or everything.
  private static func files() throws -> [(name: String, bytes: [UInt8])] {
    let jpeg = try Charts.source(
      large(.rgb), settings: JPEGSettings(quality: 90, sampling: .s420))
    let baseline = Array(jpeg.bytes.buffer)
    var files = [
      ("large.jpg", baseline), ("progressive.jpg", try JPEGProgression.progressive(baseline)),
      ("large.png", try PNGEncoder.encode(large(.rgb))),
      ("alpha.png", try PNGEncoder.encode(large(.rgba))),
    ]
    #if WebP
      files.append(("large.webp", LosslessWebP.flat(width: 6000, height: 4000)))
    #endif
    return files.map { (name: $0.0, bytes: $0.1) }
  }

  @Test(.enabled(if: Allocations.areCounted, "a sanitizer keeps freed memory"))
  func `measured memory stays below the estimate, and the estimates of decoders close to it`()
    async throws
  {
    let folder = try TemporaryFolder()
    // The images are created here, so that the other processes measure only the rendering.
    let files = try Self.files().map { try folder.write($0.bytes, to: $0.name) }
    let chains = [
      "sepia", "exposure:ev=1", "gaussianBlur:sigma=4 sepia", "unsharpMask:amount=1",
      "sepia rotate90", "denoiseWavelet",
    ]
    for (file, chain) in chains.map({ (files[0], $0) }) + files.map({ ($0, "rotate90") }) {
      setenv("PHOTOEDIT_TEST_FILE", file, 1)
      setenv("PHOTOEDIT_TEST_CHAIN", chain, 1)
      await #expect(processExitsWith: .success, "\(file) \(chain)") {
        func variable(_ name: String) throws -> String {
          try #require(getenv(name).map { String(cString: $0) })
        }
        let words = try variable("PHOTOEDIT_TEST_CHAIN").split(separator: " ").map { String($0) }
        let image = try ImageSource(FileBytes.reading(variable("PHOTOEDIT_TEST_FILE")))
        exit(try Self.isEstimated(image, words) ? 0 : 1)
      }
    }
    withExtendedLifetime(folder) {}
  }
}
