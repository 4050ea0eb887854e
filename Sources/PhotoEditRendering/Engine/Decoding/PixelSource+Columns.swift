// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels

/// A large JPEG that is rotated by 90° or 270° is read by columns of MCUs, because the first row of
/// the result needs all rows of the image.
extension PixelSource {
  /// Returns the rotation at the start of a plan if it reads the samples of a JPEG by columns.
  ///
  /// - Parameter tiles: The tiles that the plan is divided into, if it is.
  func rotationOfColumns(
    in plan: RenderPlan, _ tiles: TileLayout?, of job: RenderJob
  ) -> Orientation? {
    guard let reader = readerOfParts, reader.canBeIndexed, tiles?.rotation == nil,
      case .rotation(let rotation)? = plan.stages.first?.inputMapping, rotation.swapsAxes,
      canDeliverPlanes(to: plan.stages),
      plan.stages.dropFirst().allSatisfy({ !$0.levels.contains(0) }),
      // A sample is half as long as a coefficient.
      reader.frame.coefficientBytes / 2 > job.options.mostBytesKept
    else { return nil }
    return rotation
  }

  /// Returns the maximum memory of the index and of the samples between the decoder and a rotation,
  /// in bytes.
  func columnBytes(_ job: RenderJob) -> Int {
    guard let frame = readerOfParts?.frame else { return 0 }
    let columns = JPEGColumnReconstructor.columnsPerBand(of: frame)
    let bytesPerBand = frame.coefficientBytes / 2 / max(1, frame.mcuColumns) * columns
    return JPEGIndexGrid(step: columns).byteCount(for: frame)
      + (6 + 2 * job.threads) * bytesPerBand
  }

  /// Appends an index and a decoder of columns to the start of a pipeline; returns the layout of the
  /// samples, or nil if there can be no index.
  func appendColumns(
    for rotation: Orientation, to pipeline: inout Pipeline, pool: StripPool, of job: RenderJob
  ) throws(RenderError) -> JPEGPlaneLayout? {
    guard let reader = readerOfParts else { return nil }
    let isReversed = rotation.matrix.xy < 0
    let decoderOptions = job.decoderOptions(lumaOnly: false)
    let reconstructor = try codec { () throws(CodecError) in
      try JPEGColumnReconstructor(reader, isReversed: isReversed, options: decoderOptions)
    }
    guard let reconstructor else { return nil }
    let isCancelled = job.options.isCancelled
    pipeline.append(
      JPEGIndexing(index: reconstructor.index, pool: pool, isCancelled: isCancelled),
      stripHeight: job.stripHeight(bytesPerRow: reader.layout.bytesPerRow))
    pipeline.append(
      JPEGColumnReconstruction(reconstructor: reconstructor, pool: pool, isCancelled: isCancelled),
      stripHeight: 1)
    return reconstructor.layout
  }
}
