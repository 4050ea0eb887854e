// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditRendering

@Suite("Timings of renderings")
struct RenderTimingsTests {
  /// Renders a graph of a JPEG on two threads, and returns what was reported.
  private static func timings(_ filters: [any Filter]) throws -> [RenderTimings] {
    let reported = LockedValue<[RenderTimings]>([])
    var options = RenderOptions()
    options.threads = 2
    options.timings = { timings in reported.withLock { $0.append(timings) } }
    _ = try Renderer.render(
      Charts.source(named: "photo-1024.jpg"), FilterGraph(filters), options: options)
    return reported.withLock { $0 }
  }

  @Test func `every pass has a name and a share of the time`() throws {
    let timings = try #require(
      Self.timings([Exposure(ev: 0.5), GaussianBlur(sigma: 3), Resize(width: 300)]).first)
    let names = timings.passes.map(\.name)
    #expect(names.first == "Huffman codes" && names.last?.hasSuffix("encoding") == true)
    #expect(names.contains { $0.contains("blur over ") }, "\(names)")
    #expect(timings.threads == 2)
    #expect(timings.passes.allSatisfy { $0.duration > .zero })
    // Whatever is not spent in a pass is spent waiting.
    #expect(timings.waiting >= .zero)
    #expect(timings.passes.reduce(timings.waiting) { $0 + $1.duration } == timings.elapsed * 2)
  }

  @Test func `a line names every pass`() throws {
    let timings = try #require(Self.timings([Sepia(amount: 1)]).first)
    let line = timings.description
    #expect(line.hasPrefix("pixels took ") && line.contains(" ms on 2 threads: Huffman codes "))
    #expect(timings.passes.allSatisfy { line.contains($0.name) })
  }

  @Test func `a run that only counts pixels is reported on its own`() throws {
    #expect(try Self.timings([Invert(amount: 1)]).count == 1)
    let runs = try Self.timings([Equalize()]).map { $0.passes.map(\.name) }
    #expect(runs.count == 2 && runs.first?.last == "pixels")
  }

  @Test func `a lossless edit reads and writes Huffman codes only`() throws {
    let timings = try Self.timings([Grayscale()])
    #expect(timings.map { $0.passes.map(\.name) } == [["Huffman codes", "encoding"]])
  }
}
