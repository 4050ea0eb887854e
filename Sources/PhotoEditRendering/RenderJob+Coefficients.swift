// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels

extension RenderJob {
  /// Renders with a lossless transform if that is exact; otherwise, returns nil.
  func renderCoefficients() throws(RenderError) -> Rendering? {
    guard case .coefficients(let transform) = coefficientChoice else { return nil }
    let isGray = image.frame?.color == .gray || transform.chroma == .drop
    do throws(RenderError) {
      return try withRestartIntervalsIfClean { usesRestartIntervals throws(RenderError) in
        try renderCoefficients(
          transform, isGray: isGray, usesRestartIntervals: usesRestartIntervals)
      }
    } catch {
      switch error {
      // Only decoding to pixels shows which rows of a damaged image are recovered, and only pixels
      // can be reduced to what a baseline file can hold.
      case .codec(.damaged), .codec(.unsupported): return nil
      default: throw error
      }
    }
  }

  private func renderCoefficients(
    _ transform: JPEGCoefficientTransform, isGray: Bool, usesRestartIntervals: Bool
  ) throws(RenderError) -> Rendering {
    let (job, bytes) = try fitted { $0.coefficientMemory(transform) }
    return try MemoryBudget.process.holding(bytes, of: options.limits) {
      () throws(RenderError) in
      try job.rearrange(transform, isGray: isGray, usesRestartIntervals: usesRestartIntervals)
    }
  }

  private func rearrange(
    _ transform: JPEGCoefficientTransform, isGray: Bool, usesRestartIntervals: Bool
  ) throws(RenderError) -> Rendering {
    var strict = decoderOptions(lumaOnly: transform.chroma != .keep)
    strict.isLenient = false
    let early = drawsThumbnail ? nil : rendered(isGray: isGray)
    let (reader, bands, assembler) = try codec { () throws(CodecError) in
      let reader = try JPEGEntropyDecoder(
        image.bytes, options: strict,
        rowsPerInterval: usesRestartIntervals ? { stripHeight(bytesPerRow: $0.bytesPerRow) } : nil)
      let bands = JPEGCoefficientBands(transform, reader)
      return (reader, bands, try JPEGAssembler(size: bands.size, segments: early?.segments ?? []))
    }
    let sums = drawsThumbnail ? JPEGThumbnailSums(transform, reader) : nil
    var pipeline = Pipeline()
    pipeline.append(
      JPEGEntropyDecoding(
        reader, pool: StripPool(), thumbnail: sums, isCancelled: options.isCancelled),
      stripHeight: stripHeight(bytesPerRow: reader.layout.bytesPerRow))
    pipeline.append(
      CoefficientEncoding(bands, assembler: assembler, isCancelled: options.isCancelled),
      stripHeight: 1)
    try StripScheduler(pipeline, threads: threads).run(threads: threads)
    let thumbnail = try codec { () throws(CodecError) in try sums?.thumbnail() }
    let metadata = early ?? rendered(isGray: isGray, thumbnail: thumbnail)
    let jpeg = try codec { () throws(CodecError) in
      try assembler.finish(with: early == nil ? metadata.segments : nil)
    }
    guard let frame = image.frame else { preconditionFailure("source is not a JPEG") }
    let encoding = RenderEncoding(
      keeping: frame, isGray: isGray, swapsAxes: transform.orientation.swapsAxes)
    return rendering(
      jpeg, method: .coefficients, encoding: encoding, metadata: metadata,
      notices: reader.notices)
  }
}

extension [FilterOperation] {
  /// Returns the operations as a rotation, a crop of the stored image, and whether color is
  /// dropped; nil if there are others.
  func losslessGeometry(
    stored: PixelSize
  ) -> (rotation: Orientation, crop: Region, isGray: Bool)? {
    var rotation = Orientation.up
    var crop = Region(stored)
    var isGray = false
    for operation in self {
      switch operation {
      case .orient(let orientation):
        rotation = orientation
        crop = Region(rotation.applied(to: stored))
      case .crop(let region):
        crop = Region(
          x: crop.x + region.x, y: crop.y + region.y, width: region.width, height: region.height)
      case .matrix(let matrix):
        guard matrix == .sum(LumaWeights.rec601) else { return nil }
        isGray = true
      default: return nil
      }
    }
    return (rotation, rotation.storedRegion(crop, stored: stored), isGray)
  }
}
