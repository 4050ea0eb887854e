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
    let reader = try reader(transform, usesRestartIntervals: usesRestartIntervals)
    // Data that is not clean has no index either.
    let usesIndex = usesRestartIntervals && needsIndex(transform, reader)
    let (job, bytes) = try fitted { $0.coefficientMemory(transform, usesIndex: usesIndex) }
    return try MemoryBudget.process.holding(bytes, of: options.limits) {
      () throws(RenderError) in
      try job.rearrange(transform, reader, isGray: isGray, usesIndex: usesIndex)
    }
  }

  /// Returns a strict reader of the coefficients that a transform needs.
  func reader(
    _ transform: JPEGCoefficientTransform, usesRestartIntervals: Bool
  ) throws(RenderError) -> JPEGEntropyDecoder {
    var strict = decoderOptions(lumaOnly: transform.chroma != .keep)
    strict.isLenient = false
    return try codec { () throws(CodecError) in
      try JPEGEntropyDecoder(
        image.bytes, options: strict,
        rowsPerInterval: usesRestartIntervals ? { stripHeight(bytesPerRow: $0.bytesPerRow) } : nil)
    }
  }

  /// Returns whether the bands of a transform are read by means of an index, because keeping all
  /// coefficients takes more memory.
  func needsIndex(_ transform: JPEGCoefficientTransform, _ reader: JPEGEntropyDecoder) -> Bool {
    !transform.orientation.keepsRowOrder && reader.canBeIndexed
      && reader.frame.coefficientBytes > options.mostBytesKept
  }

  private func rearrange(
    _ transform: JPEGCoefficientTransform, _ reader: JPEGEntropyDecoder, isGray: Bool,
    usesIndex: Bool
  ) throws(RenderError) -> Rendering {
    let early = drawsThumbnail ? nil : rendered(isGray: isGray)
    let bands = JPEGCoefficientBands(transform, reader)
    let assembler = try codec { () throws(CodecError) in
      try JPEGAssembler(
        size: bands.size, segments: early?.segments ?? [], writing: growingFile(early))
    }
    let sums = drawsThumbnail ? JPEGThumbnailSums(transform, reader) : nil
    let index = usesIndex ? reader.index(bands.grid) : nil
    let (pool, isCancelled) = (StripPool(), options.isCancelled)
    let first: any StripProducer =
      if let index {
        JPEGIndexing(index: index, pool: pool, thumbnail: sums, isCancelled: isCancelled)
      } else {
        JPEGEntropyDecoding(decoder: reader, pool: pool, thumbnail: sums, isCancelled: isCancelled)
      }
    var pipeline = Pipeline()
    pipeline.append(first, stripHeight: stripHeight(bytesPerRow: reader.layout.bytesPerRow))
    pipeline.append(
      CoefficientEncoding(
        bands: bands, index: index, pool: pool, assembler: assembler, isCancelled: isCancelled),
      stripHeight: 1)
    try run(pipeline)
    let thumbnail = try codec { () throws(CodecError) in try sums?.thumbnail() }
    let metadata = early ?? rendered(isGray: isGray, thumbnail: thumbnail)
    let jpeg = try codec { () throws(CodecError) in
      try assembler.finish(with: early == nil ? metadata.segments : nil)
    }
    guard let frame = image.frame else { preconditionFailure("source is not a JPEG") }
    let encoding = RenderEncoding(
      keeping: frame, isGray: isGray, swapsAxes: transform.orientation.swapsAxes)
    return try rendering(
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

extension Orientation {
  /// Indicates whether the rows of the result are those of the stored image, in the same order.
  var keepsRowOrder: Bool { self == .up || self == .upMirrored }
}
