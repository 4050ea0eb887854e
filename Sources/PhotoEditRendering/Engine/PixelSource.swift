// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels

/// The image as the engine reads it: decoded as a whole, split into entropy decoding and
/// reconstruction on two threads, or with pixels supplied by the caller.
struct PixelSource {
  private enum Kind {
    case whole(any ImageDecoder)
    case converted(any ImageDecoder, ColorConversion)
    case halves(JPEGCoefficientReader, JPEGReconstructor)
    case made(FramePipeline.Reading, [CodecNotice])
    case changed(ChangedRows)
  }

  /// The size and layout of the pixels.
  let shape: StripShape
  private let kind: Kind
  private let isCancelled: @Sendable () -> Bool

  /// Opens the source; decodes only its Y plane if nothing else is needed.
  ///
  /// - Parameter usesSlices: Whether several threads may decode restart intervals at once.
  init(_ job: RenderJob, usesSlices: Bool) throws(RenderError) {
    let bytes = job.picture.bytes
    isCancelled = job.options.isCancelled
    switch job.pixels {
    case .rows(let rows, _, let reading):
      // Of the source, only the notices found when it is opened.
      let notices = try codec { () throws(CodecError) in
        try ImageDecoders.open(job.picture.bytes, options: job.decoderOptions(lumaOnly: false))
          .notices
      }
      (kind, shape) = (.made(reading, notices), rows)
      return
    case .changed(let change):
      let rows = try ChangedRows(job, change)
      (kind, shape) = (.changed(rows), rows.shape)
      return
    case nil: break
    }
    let options = job.decoderOptions(lumaOnly: job.decodesLumaOnly)
    let isInHalves = job.isReadInHalves
    (kind, shape) = try codec { () throws(CodecError) in
      let shape: (ImageHeader) -> StripShape = {
        StripShape(size: $0.size, format: .packed($0.layout))
      }
      if isInHalves {
        let reader = try JPEGCoefficientReader(
          bytes, options: options,
          rowsPerSlice: usesSlices ? { job.stripHeight(bytesPerRow: $0.bytesPerRow) } : nil)
        let reconstructor = try JPEGReconstructor(bytes, options: options)
        return (.halves(reader, reconstructor), shape(reconstructor.header))
      }
      let decoder = try ImageDecoders.open(bytes, options: options)
      guard let conversion = job.treatment.conversion else {
        return (.whole(decoder), shape(decoder.header))
      }
      guard conversion.takes(decoder.header.layout) else {
        let format = decoder.header.format.nameWithArticle
        throw .unsupported("\(format) whose samples do not match its profile")
      }
      return (
        .converted(decoder, conversion),
        StripShape(size: decoder.header.size, format: .packed(conversion.layout))
      )
    }
  }

  /// Indicates whether restart intervals are decoded, which rejects damage without reporting its
  /// cause.
  var hasSlices: Bool {
    if case .halves(let reader, _) = kind { reader.slices != nil } else { false }
  }

  /// The working memory of the decoder, in bytes.
  var decodingBytes: Int {
    switch kind {
    case .whole(let decoder), .converted(let decoder, _): decoder.workingBytes
    case .halves(_, let reconstructor): 2 * reconstructor.workingBytes
    case .made: 0
    case .changed(let rows): rows.decodingBytes
    }
  }

  /// Returns the size in bytes of the strips before the pixels that the plan reads: coefficients,
  /// or pixels to be converted.
  func stripBytes(_ job: RenderJob) -> Int {
    switch kind {
    case .whole, .made: 0
    case .halves: job.coefficientBytes()
    case .changed(let rows): rows.stripBytes(job)
    case .converted(let decoder, _):
      (2 + job.threads) * min(job.stripHeight(bytesPerRow: shape.bytesPerRow), shape.size.height)
        * decoder.header.layout.bytesPerRow(width: shape.size.width)
    }
  }

  /// The notices found so far; complete once the last row is read.
  var notices: [CodecNotice] {
    switch kind {
    case .whole(let decoder), .converted(let decoder, _): decoder.notices
    case .halves(let reader, _): reader.notices
    case .made(_, let notices): notices
    case .changed(let rows): rows.notices
    }
  }

  /// Appends the decoder to the start of a pipeline.
  ///
  /// - Parameter job: The job that determines the strip height.
  func append(to pipeline: inout Pipeline, pool: StripPool, of job: RenderJob) {
    let height = job.stripHeight(bytesPerRow: shape.bytesPerRow)
    switch kind {
    case .whole(let decoder):
      pipeline.append(RowDecoding(decoder, pool: pool), stripHeight: height)
    case .converted(let decoder, let conversion):
      pipeline.append(RowDecoding(decoder, pool: pool), stripHeight: height)
      pipeline.append(
        RowConversion(conversion, shape: shape, pool: pool, isCancelled: isCancelled),
        stripHeight: height)
    case .halves(let reader, let reconstructor):
      let decoding = CoefficientDecoding(reader, pool: pool, isCancelled: isCancelled)
      let rows = job.stripHeight(bytesPerRow: reader.layout.bytesPerRow)
      pipeline.append(decoding, stripHeight: rows)
      // Few rows of small pixels need many coefficients, which have to fit as well.
      let fitting = 2 * rows * reconstructor.layout.mcuHeight
      pipeline.append(
        Reconstruction(reconstructor, shape: shape, pool: pool), stripHeight: min(height, fitting))
    case .made(let reading, _):
      pipeline.append(FrameReading(shape, pool: pool, reading: reading), stripHeight: height)
    case .changed(let rows): rows.append(to: &pipeline, pool: pool, of: job)
    }
  }
}
