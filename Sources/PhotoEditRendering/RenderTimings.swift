// SPDX-License-Identifier: Apache-2.0

/// The time that one run over the pixels of an image took, by pass.
public struct RenderTimings: Sendable, Hashable, CustomStringConvertible {
  /// The decoder, some filters, or the encoder.
  public struct Pass: Sendable, Hashable {
    /// The work of the pass, for display.
    public let name: String
    /// The time that all threads together spent in it.
    public let duration: Duration
  }

  /// The passes in the order in which they read each other's rows.
  public let passes: [Pass]
  /// The time from the start of the first pass to the end of the last one.
  public let elapsed: Duration
  /// The number of threads that shared the work.
  public let threads: Int

  /// The time that all threads together waited for rows of others.
  public var waiting: Duration {
    passes.reduce(elapsed * threads) { $0 - $1.duration }
  }

  /// One line with milliseconds.
  public var description: String {
    let shares =
      passes.map { "\($0.name) \($0.duration.milliseconds)" } + ["waiting \(waiting.milliseconds)"]
    let workers = threads == 1 ? "1 thread" : "\(threads) threads"
    return "pixels took \(elapsed.milliseconds) ms on \(workers): " + shares.joined(separator: ", ")
  }
}

extension Duration {
  /// The duration in milliseconds, rounded to a tenth.
  fileprivate var milliseconds: Double {
    (self / .microseconds(100)).rounded() / 10
  }
}

extension RenderJob {
  /// Runs a pipeline on all threads and reports the time that it took.
  func run(_ pipeline: Pipeline, stripsAhead: Int? = nil) throws(RenderError) {
    let scheduler = StripScheduler(
      pipeline, threads: threads, stripsAhead: stripsAhead, measuresTime: options.timings != nil)
    let start = ContinuousClock.now
    try scheduler.run(threads: threads)
    guard let timings = options.timings else { return }
    timings(
      RenderTimings(
        passes: zip(pipeline.levels, scheduler.durations).map {
          RenderTimings.Pass(name: $0.producer.name, duration: $1)
        }, elapsed: .now - start, threads: threads))
  }
}
