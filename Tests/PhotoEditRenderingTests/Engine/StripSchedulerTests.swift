// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditStorage
import Testing

@testable import PhotoEditRendering

@Suite("Strip scheduling")
struct StripSchedulerTests {
  private static let large = PixelSize(width: 4000, height: 3000)

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let operations: [FilterOperation]
    /// Additional rows, besides those of strips in work, that a stage must hold.
    let halo: Int
  }

  static let cases: [Case] = [
    Case(testDescription: "points", operations: lowered([Gamma(power: 2), Grayscale()]), halo: 0),
    Case(
      testDescription: "a vignette, mirrored", operations: lowered([Vignette(amount: 1)]), halo: 0),
    Case(
      testDescription: "a crop at the bottom",
      operations: [.crop(Region(x: 10, y: 2900, width: 100, height: 90))], halo: 0),
    Case(
      testDescription: "nearest pixels",
      operations: lowered([Resize(width: 400, height: 300, kernel: .nearest)]), halo: 80),
    Case(testDescription: "a blur", operations: lowered([GaussianBlur(sigma: 10)]), halo: 80),
    Case(
      testDescription: "a blur, cropped at the bottom",
      operations: lowered([GaussianBlur(sigma: 10)])
        + [.crop(Region(x: 0, y: 2990, width: 4000, height: 10))], halo: 80),
  ]

  private static func lowered(_ filters: [any Filter]) -> [FilterOperation] {
    do {
      return try FilterGraph(filters).chain(size: large)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// Strips are counted and not filled, so that a large image costs nothing.
  @Test(arguments: cases, [1, 4])
  func `memory follows the strip height and not the image height`(
    _ entry: Case, threads: Int
  ) throws {
    let height = 16
    let source = StripShape(size: Self.large, format: .packed(RowLayout(channels: .rgb)))
    let plan = RenderPlan(
      entry.operations, source: source, background: .white, result: .bytes(expandingGray: false))
    let alive = AliveStrips()
    let pipeline = Self.pipeline(plan, stripHeight: height, lastStripHeight: height) {
      level, rows, _ throws(RenderError) in
      level == plan.stages.count ? nil : alive.make(rows: rows)
    }
    try StripScheduler(pipeline, threads: threads).run(threads: threads)
    // A reader's window, the strips ahead of it, and those in work, for each stage.
    let ahead = (2 * threads + 2) * height
    let allowed = plan.stages.count * (ahead + 2 * entry.halo + height)
    #expect(alive.peak <= allowed, "\(alive.peak) rows")
    #expect(alive.count == 0)
    #expect(allowed < 3000)
  }

  /// Rows that wait for a wide blur are those of the source; everything else is as small as its
  /// grid.
  @Test(
    arguments: [
      ([GaussianBlur(sigma: 100)], 0), ([UnsharpMask(sigma: 100, amount: 1)], 700),
      // Rows of floats take four times the memory.
      ([GaussianBlur(sigma: 2), UnsharpMask(sigma: 40, amount: 1)], 4 * 550),
    ] as [([any Filter], Int)], [1, 2, 4])
  func `a wide blur retains the bytes stated by its plan`(
    entry: ([any Filter], rowsOfSource: Int), threads: Int
  ) throws {
    let height = 16
    let source = StripShape(size: Self.large, format: .packed(RowLayout(channels: .rgb)))
    let plan = RenderPlan(
      Self.lowered(entry.0), source: source, background: .white,
      result: .bytes(expandingGray: false))
    let alive = AliveStrips()
    let pipeline = Self.pipeline(plan, stripHeight: height, lastStripHeight: height) {
      level, rows, _ throws(RenderError) in
      if level == plan.stages.count { return nil }
      let shape = level == 0 ? source : plan.stages[level - 1].output
      return alive.make(rows: rows, bytesPerRow: shape.bytesPerRow)
    }
    try StripScheduler(pipeline, threads: threads).run(threads: threads)
    let reported = plan.peakStripBytes(
      stripHeight: height, heights: plan.stages.map { min(height, $0.mostRowsPerStrip) },
      threads: threads)
    #expect(alive.peak <= reported)
    #expect(alive.count == 0)
    // Each thread holds a few additional strips at every level.
    let allowed = entry.rowsOfSource + 650 * threads
    #expect(reported <= allowed * source.bytesPerRow, "\(reported / source.bytesPerRow) rows")
  }

  @Test(arguments: [1, 2, 7])
  func `the first failure ends the work and is thrown`(threads: Int) throws {
    let plan = RenderPlan(
      [.blur(BlurKernel(gaussian: 3))],
      source: StripShape(
        size: PixelSize(width: 4, height: 400), format: .packed(RowLayout(channels: .gray))),
      background: .white, result: .floats)
    let calls = CallCounter()
    let running = LockedValue<StripScheduler?>(nil)
    let pipeline = Self.pipeline(plan, stripHeight: 4, lastStripHeight: 4) {
      level, rows, _ throws(RenderError) in
      let call = calls.next()
      if call == 9 { throw .tooLarge(PixelSize(width: 9, height: 9)) }
      // The failing thread may be preempted before it reports the failure; no later strip overtakes
      // it here.
      if call > 9 { while running.withLock({ $0?.hasFailed }) != true { sched_yield() } }
      return level == plan.stages.count
        ? nil : Strip(rows: rows, bytesPerRow: 1, pool: StripPool())
    }
    let scheduler = StripScheduler(pipeline, threads: threads)
    running.withLock { $0 = scheduler }
    #expect {
      try scheduler.run(threads: threads)
    } throws: {
      guard case RenderError.tooLarge(PixelSize(width: 9, height: 9)) = $0 else { return false }
      return true
    }
    #expect(calls.value < 9 + threads + 1)
  }

  /// Odd heights, halos larger than the image, crops and downscaling in every combination.
  @Test(arguments: [1, 3, 64], [1, 2, 5])
  func `every strip is computed once for any plan`(height: Int, threads: Int) throws {
    let size = PixelSize(width: 6, height: 37)
    let steps: [FilterOperation] = [
      .blur(BlurKernel(gaussian: 0.5)), .save, .blur(BlurKernel(gaussian: 20)), .mix(opacity: 0.5),
      .blur(BlurKernel(gaussian: 30)), .crop(Region(x: 1, y: 9, width: 4, height: 20)),
      .resample(Resampling(size: PixelSize(width: 4, height: 5), kernel: .lanczos3)),
      .resample(Resampling(size: PixelSize(width: 3, height: 90), kernel: .nearest)),
    ]
    for rotation in [Orientation.up, .down, .right] {
      for first in [0, 1, 4, 5] {
        let operations = [.orient(rotation)] + steps[first...]
        let stored = rotation.inverse.applied(to: size)
        let plan = RenderPlan(
          rotation == .up ? Array(operations.dropFirst()) : Array(operations),
          source: StripShape(size: stored, format: .packed(RowLayout(channels: .rgba))),
          background: .white, result: .floats)
        let rows = LockedValue<[Int]>([])
        let pipeline = Self.pipeline(plan, stripHeight: height, lastStripHeight: 8) {
          level, range, windows throws(RenderError) in
          if level == plan.stages.count { rows.withLock { $0 += range } }
          for (position, window) in windows.enumerated() {
            // The window holds every row that the stage may request.
            let stage = plan.stages[level - 1]
            for y in stage.inputRows(for: range, of: position) { _ = window.row(y) }
          }
          return level == plan.stages.count
            ? nil : Strip(rows: range, bytesPerRow: 1, pool: StripPool())
        }
        try StripScheduler(pipeline, threads: threads).run(threads: threads)
        #expect(rows.withLock { $0.sorted() } == Array(0..<plan.outputSize.height))
      }
    }
  }
}

extension StripSchedulerTests {
  typealias Work =
    @Sendable (_ level: Int, _ rows: Range<Int>, _ inputs: [StripWindow]) throws(RenderError) ->
    Strip?

  /// The levels of a plan, with a closure in place of the work.
  private static func pipeline(
    _ plan: RenderPlan, stripHeight: Int, lastStripHeight: Int, work: @escaping Work
  ) -> Pipeline {
    var pipeline = Pipeline()
    pipeline.append(
      Worker(
        height: plan.source.size.height, isSequential: true, reads: { _, _ in 0..<0 },
        work: { (rows, windows) throws(RenderError) in try work(0, rows, windows) }),
      stripHeight: stripHeight)
    for (index, stage) in plan.stages.enumerated() {
      let height = index == plan.stages.count - 1 ? lastStripHeight : stripHeight
      pipeline.append(
        Worker(
          height: stage.output.size.height, isSequential: false,
          reads: { stage.inputRows(for: $0, of: $1) },
          work: { (rows, windows) throws(RenderError) in try work(index + 1, rows, windows) }),
        stripHeight: min(height, stage.mostRowsPerStrip), inputs: stage.levels)
    }
    return pipeline
  }

  private struct Worker: StripProducer {
    let name = "test"
    let height: Int
    let isSequential: Bool
    let reads: @Sendable (Range<Int>, Int) -> Range<Int>
    let work: @Sendable (Range<Int>, [StripWindow]) throws(RenderError) -> Strip?

    func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> { reads(rows, input) }

    func make(_ rows: Range<Int>, from inputs: [StripWindow]) throws(RenderError) -> Strip? {
      try work(rows, inputs)
    }
  }
}

/// Creates strips of one byte per row and counts the live rows, or the bytes of live real rows.
private final class AliveStrips: Sendable {
  private struct Weak: @unchecked Sendable {
    // Safe: reached under the lock only.
    weak var strip: Strip?
    var byteCount: Int
  }

  private struct State {
    var strips: [Weak] = []
    var peak = 0
  }

  private let state = LockedValue(State())

  func make(rows: Range<Int>, bytesPerRow: Int = 1) -> Strip {
    let strip = Strip(rows: rows, bytesPerRow: 1, pool: StripPool())
    let weak = Weak(strip: strip, byteCount: rows.count * bytesPerRow)
    state.withLock { state in
      state.strips.removeAll { $0.strip == nil }
      state.strips.append(weak)
      state.peak = max(
        state.peak, state.strips.reduce(0) { $0 + ($1.strip == nil ? 0 : $1.byteCount) })
    }
    return strip
  }

  var peak: Int { state.withLock { $0.peak } }
  var count: Int { state.withLock { $0.strips.count { $0.strip != nil } } }
}
