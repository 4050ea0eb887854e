// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels

/// The rows of an image without filters on their way through code of a caller.
final class ChangedRows {
  private let job: RenderJob
  private let source: PixelSource
  private let plan: RenderPlan
  private let change: PixelChange

  /// Prepares the rendering without filters of the image of a job.
  init(_ job: RenderJob, _ change: @escaping PixelChange) throws(RenderError) {
    var options = job.options
    // It is for the end of the way, which the caller's code comes before.
    options.dither = .none
    self.job = try RenderJob(job.picture, FilterGraph(), options: options)
    // A slice that is refused would show rows to the caller's code twice.
    source = try PixelSource(self.job, usesSlices: false)
    plan = self.job.plan(source.shape, result: .floats)
    self.change = change
  }

  var shape: StripShape {
    StripShape(size: plan.outputSize, format: .planes(plan.outputPlanes))
  }
  var notices: [CodecNotice] { source.notices }
  var decodingBytes: Int { source.decodingBytes }

  /// Bytes of all strips in front of those that were changed.
  func stripBytes(_ job: RenderJob) -> Int {
    let own = fitted(to: job)
    return own.memory(
      of: plan, source, lastHeight: own.stripHeight(bytesPerRow: shape.bytesPerRow), result: 0
    ).strips + source.stripBytes(own)
  }

  /// Puts everything up to the caller's code at the beginning of a pipeline.
  func append(to pipeline: inout Pipeline, pool: StripPool, of job: RenderJob) {
    let (change, size, planes) = (change, plan.outputSize, plan.outputPlanes)
    fitted(to: job).append(plan, of: source, to: &pipeline, pool: pool) {
      strip throws(RenderError) in
      var pixels = PixelStrip(strip, size: size, planes: planes)
      do { try change(&pixels) } catch {
        throw error is CancellationError ? RenderError.cancelled : .pixels(error)
      }
    }
  }

  /// The job with as little memory as the whole rendering takes.
  private func fitted(to job: RenderJob) -> RenderJob {
    var own = self.job
    own.options.threads = job.options.threads
    own.options.stripHeight = job.options.stripHeight
    return own
  }
}
