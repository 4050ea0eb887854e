// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels

/// The rows of an unfiltered image, passed through the caller's code.
final class ChangedRows {
  private let job: RenderJob
  private let source: PixelSource
  private let plan: RenderPlan
  private let change: PixelChange

  /// Prepares the unfiltered rendering of a job's image.
  init(_ job: RenderJob, _ change: @escaping PixelChange) throws(RenderError) {
    var options = job.options
    // Dithering belongs at the end of the pipeline, after the caller's code.
    options.dither = .none
    self.job = try RenderJob(job.image, FilterGraph(), options: options)
    // A rejected restart interval would pass rows to the caller's code twice.
    source = try PixelSource(self.job, usesRestartIntervals: false)
    plan = self.job.plan(source.shape, result: .floats)
    self.change = change
  }

  var shape: StripShape {
    StripShape(size: plan.outputSize, format: .planes(plan.outputPlanes))
  }
  var notices: [DecoderWarning] { source.notices }
  var decodingBytes: Int { source.decodingBytes }
  var heldBytes: Int { source.heldBytes }

  /// Returns the size in bytes of all strips before the changed ones.
  func stripBytes(_ job: RenderJob) -> Int {
    let own = fitted(to: job)
    return own.memory(
      of: plan, nil, source, lastHeight: own.stripHeight(bytesPerRow: shape.bytesPerRow), result: 0
    ).strips + source.stripBytes(own)
  }

  /// Appends everything up to the caller's code to the start of a pipeline.
  func append(
    to pipeline: inout Pipeline, pool: StripPool, of job: RenderJob
  ) throws(RenderError) {
    let (change, size, planes) = (change, plan.outputSize, plan.outputPlanes)
    try fitted(to: job).append(plan, of: source, to: &pipeline, pool: pool) {
      strip throws(RenderError) in
      var pixels = PixelStrip(strip, size: size, planes: planes)
      do { try change(&pixels) } catch {
        throw error is CancellationError ? RenderError.cancelled : .pixels(error)
      }
    }
  }

  /// Returns the job with the thread count and strip height of the whole rendering, to limit its
  /// memory.
  private func fitted(to job: RenderJob) -> RenderJob {
    var own = self.job
    own.options.threads = job.options.threads
    own.options.stripHeight = job.options.stripHeight
    return own
  }
}
