// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditTestSupport
import Testing

@testable import PhotoEditRendering

/// Engine figures that do not depend on the machine: allocations and memory.
@Suite("Engine allocations")
struct AllocationTests {
  private static let counts = Allocations.areCounted

  /// A chain with every kind of row step: bytes in and out, matrix, curves, radial gain, blur,
  /// sharpening.
  private static let chain: [any Filter] = [
    Exposure(ev: 0.3), Saturate(1.2), Vignette(amount: 0.5), UnsharpMask(sigma: 1, amount: 0.5),
  ]

  @Test func `the allocation counter counts`() {
    let before = Allocations.count
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 100, alignment: 64)
    memory.deallocate()
    #expect(!Self.counts || Allocations.count > before)
  }

  #if DEBUG
    private static let boxesPerRow = 4
    private static let allocationsPerStrip = 2000.0
  #else
    private static let boxesPerRow = 0
    private static let allocationsPerStrip = 200.0
  #endif

  @Test(.enabled(if: counts, "a sanitizer replaces the allocator"))
  func `processing rows allocates nothing`() throws {
    let size = PixelSize(width: 300, height: 64)
    let plan = RenderPlan(
      try FilterGraph(Self.chain).chain(size: size),
      source: StripShape(size: size, format: .packed(RowLayout(channels: .rgb))),
      background: .white, result: .bytes(expandingGray: false))
    #expect(plan.stages.count == 2)
    let pool = StripPool()
    var window = StripWindow(
      [Strip(rows: 0..<64, bytesPerRow: plan.source.bytesPerRow, pool: pool)], stripHeight: 64)
    for stage in plan.stages {
      let worker = RowWorker(stage)
      let output = Strip(rows: 0..<64, bytesPerRow: stage.output.bytesPerRow, pool: pool)
      // Once, a worker allocates the pointers to its input rows.
      worker.run(
        rows: 0..<64, from: window, into: output.memory, bytesPerRow: output.bytesPerRow)
      let before = Allocations.count
      worker.run(
        rows: 0..<64, from: window, into: output.memory, bytesPerRow: output.bytesPerRow)
      // Unoptimized code allocates boxes where optimized code does not.
      #expect(Allocations.count - before <= 64 * Self.boxesPerRow)
      window = StripWindow([output], stripHeight: 64)
    }
  }

  /// Renders an image on this thread and returns the number of allocations.
  private static func allocations(height: Int, _ filters: [any Filter]) throws -> Int {
    let image = try Charts.source(
      JPEGs.waves(64, height), settings: JPEGSettings(quality: 90))
    var options = RenderOptions()
    options.threads = 1
    options.stripHeight = 32
    let graph = try FilterGraph(filters)
    _ = try Renderer.render(image, graph, options: options)
    let before = Allocations.count
    _ = try Renderer.render(image, graph, options: options)
    return Allocations.count - before
  }

  @Test(.enabled(if: counts, "a sanitizer replaces the allocator"))
  func `a strip needs a bounded number of allocations, and a row none`() throws {
    let short = try Self.allocations(height: 256, [Saturate(1.3)])
    let tall = try Self.allocations(height: 2304, [Saturate(1.3)])
    // 64 additional strips of 32 rows: coefficients, pixels, and half as many bands.
    let perStrip = Double(tall - short) / 64
    print("allocations for each strip of 32 rows: \(perStrip)")
    #expect(perStrip < Self.allocationsPerStrip)
  }

  @Test(arguments: [[Saturate(1.3)], chain, [GaussianBlur(sigma: 3)]] as [[any Filter]])
  func `strip memory does not grow with the height`(_ filters: [any Filter]) throws {
    func bytes(_ height: Int) throws -> Int {
      let size = PixelSize(width: 64, height: height)
      let image = try Charts.source(
        JPEGs.waves(size.width, height), settings: JPEGSettings(quality: 90))
      var options = RenderOptions()
      options.threads = 2
      let pool = StripPool()
      _ = try RenderJob(image, FilterGraph(filters), options: options).renderPixels(pool: pool)
      return pool.byteCount
    }
    let (low, high) = (try bytes(1000), try bytes(5000))
    #expect(high <= low * 3 / 2, "\(low) bytes for 1000 rows, \(high) for 5000")
  }
}
