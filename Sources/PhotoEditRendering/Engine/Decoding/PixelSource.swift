// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage

/// The image as the engine reads it: decoded as a whole, split into entropy decoding and
/// reconstruction on two threads, or with pixels supplied by the caller.
struct PixelSource {
  private enum Kind {
    case whole(any ImageDecoder)
    case converted(any ImageDecoder, ColorConversion)
    case split(JPEGEntropyDecoder)
    case supplied(FramePipeline.Reading, [DecoderWarning])
    case changed(ChangedRows)
  }

  /// The size and layout of the pixels.
  let shape: StripShape
  private let kind: Kind
  /// Indicates whether parts of the image may be read out of order, as if it were not damaged.
  let readsParts: Bool
  private let bytes: FileBytes
  private let options: DecoderOptions
  private let isCancelled: @Sendable () -> Bool
  private let transparency = TransparencyFinding()

  /// Indicates whether the pixels are opaque; complete once the last row is read.
  ///
  /// Only decoded pixels are inspected; others with an alpha channel count as transparent.
  var isOpaque: Bool {
    switch kind {
    case .whole, .converted: !transparency.hasTransparentPixels
    case .split: true
    case .supplied, .changed: false
    }
  }

  /// Opens the source; decodes only its Y plane if nothing else is needed.
  ///
  /// - Parameter usesRestartIntervals: Whether several threads may decode restart intervals or
  ///   columns in parallel.
  init(_ job: RenderJob, usesRestartIntervals: Bool) throws(RenderError) {
    readsParts = usesRestartIntervals
    let bytes = job.image.bytes
    let options = job.decoderOptions(lumaOnly: job.decodesLumaOnly)
    (self.bytes, self.options) = (bytes, options)
    isCancelled = job.options.isCancelled
    switch job.pixels {
    case .rows(let rows, _, let reading):
      // The notices found when the source is opened.
      let notices = try codec { () throws(CodecError) in
        try ImageDecoders.open(job.image.bytes, options: job.decoderOptions(lumaOnly: false))
          .notices
      }
      (kind, shape) = (.supplied(reading, notices), rows)
      return
    case .changed(let change):
      let rows = try ChangedRows(job, change)
      (kind, shape) = (.changed(rows), rows.shape)
      return
    case nil: break
    }
    let usesSplitDecoding = job.usesSplitDecoding
    (kind, shape) = try codec { () throws(CodecError) in
      let shape: (ImageHeader) -> StripShape = {
        StripShape(size: $0.size, format: .packed($0.layout))
      }
      if usesSplitDecoding {
        let reader = try JPEGEntropyDecoder(
          bytes, options: options,
          rowsPerInterval: usesRestartIntervals
            ? { job.stripHeight(bytesPerRow: $0.bytesPerRow) } : nil)
        return (.split(reader), shape(reader.header))
      }
      let decoder = try ImageDecoders.open(bytes, options: options)
      guard let conversion = job.treatment.conversion else {
        return (.whole(decoder), shape(decoder.header))
      }
      guard conversion.accepts(decoder.header.layout) else {
        let format = decoder.header.format.nameWithArticle
        throw .unsupported("\(format) with samples that do not match its profile")
      }
      return (
        .converted(decoder, conversion),
        StripShape(size: decoder.header.size, format: .packed(conversion.layout))
      )
    }
  }

  /// The reader of the coefficients, if parts of the image may be read out of order.
  var readerOfParts: JPEGEntropyDecoder? {
    if readsParts, case .split(let reader) = kind { reader } else { nil }
  }

  /// Indicates whether restart intervals are decoded; this detects damage without reporting its
  /// cause.
  var hasRestartIntervals: Bool {
    if case .split(let reader) = kind { reader.intervals != nil } else { false }
  }

  /// Indicates whether it can be read again in little time: a baseline JPEG, or rows in memory.
  var isQuicklyRead: Bool {
    switch kind {
    case .split, .supplied: true
    case .whole, .converted, .changed: false
    }
  }

  /// The working memory of the decoder, in bytes.
  var decodingBytes: Int {
    switch kind {
    case .whole(let decoder), .converted(let decoder, _): decoder.workingBytes
    case .split(let reader): 2 * reader.workingBytes
    case .supplied: 0
    case .changed(let rows): rows.decodingBytes
    }
  }

  /// The part of `decodingBytes` that is held until the last row is read.
  var heldBytes: Int {
    switch kind {
    case .whole(let decoder), .converted(let decoder, _): decoder.heldBytes
    case .split, .supplied: decodingBytes
    case .changed(let rows): rows.heldBytes
    }
  }

  /// Returns the size in bytes of the strips before the pixels that the plan reads: coefficients,
  /// or pixels to be converted.
  func stripBytes(_ job: RenderJob) -> Int {
    switch kind {
    case .whole, .supplied: 0
    case .split: job.coefficientBytes()
    case .changed(let rows): rows.stripBytes(job)
    case .converted(let decoder, _):
      (2 + job.threads) * min(job.stripHeight(bytesPerRow: shape.bytesPerRow), shape.size.height)
        * decoder.header.layout.bytesPerRow(width: shape.size.width)
    }
  }

  /// The notices found so far; complete once the last row is read.
  var notices: [DecoderWarning] {
    switch kind {
    case .whole(let decoder), .converted(let decoder, _): decoder.notices
    case .split(let reader): reader.notices
    case .supplied(_, let notices): notices
    case .changed(let rows): rows.notices
    }
  }

  /// Indicates whether the passes of a plan can read the samples of a JPEG's components, instead of
  /// pixels that libjpeg converts: all that read the source convert each row on their own.
  func canDeliverPlanes(to stages: [Stage]) -> Bool {
    guard case .split(let reader) = kind, reader.frame.planeSampling != nil,
      options.scale == .full, !options.decodesLumaOnly
    else { return false }
    return stages.allSatisfy { !$0.levels.contains(0) || $0.canReadPlanes }
  }

  /// Appends the decoder to the start of a pipeline.
  ///
  /// - Parameters:
  ///   - deliversPlanes: Whether the rows of the last level are MCU rows of samples.
  ///   - job: The job that determines the strip height.
  /// - Returns: The layout of the samples, if they are delivered.
  func append(
    to pipeline: inout Pipeline, deliversPlanes: Bool, pool: StripPool, of job: RenderJob
  ) throws(RenderError) -> JPEGPlaneLayout? {
    let height = job.stripHeight(bytesPerRow: shape.bytesPerRow)
    switch kind {
    case .whole(let decoder):
      pipeline.append(
        RowDecoding(decoder: decoder, pool: pool, transparency: transparency), stripHeight: height)
    case .converted(let decoder, let conversion):
      pipeline.append(
        RowDecoding(decoder: decoder, pool: pool, transparency: transparency), stripHeight: height)
      pipeline.append(
        RowConversion(conversion: conversion, shape: shape, pool: pool, isCancelled: isCancelled),
        stripHeight: height)
    case .split(let reader):
      let decoding = JPEGEntropyDecoding(decoder: reader, pool: pool, isCancelled: isCancelled)
      let rows = job.stripHeight(bytesPerRow: reader.layout.bytesPerRow)
      pipeline.append(decoding, stripHeight: rows)
      if deliversPlanes {
        let reconstructor = try codec { () throws(CodecError) in
          try JPEGPlaneReconstructor(bytes, options: options)
        }
        pipeline.append(
          JPEGPlaneReconstruction(reconstructor: reconstructor, pool: pool), stripHeight: rows)
        return reconstructor.layout
      }
      let reconstructor = try codec { () throws(CodecError) in
        try JPEGPixelReconstructor(bytes, options: options)
      }
      // A few rows of scaled-down pixels require many coefficients, which must fit as well.
      let fitting = 2 * rows * reconstructor.layout.mcuHeight
      pipeline.append(
        JPEGPixelReconstruction(reconstructor: reconstructor, shape: shape, pool: pool),
        stripHeight: min(height, fitting))
    case .supplied(let reading, _):
      pipeline.append(FrameReading(shape: shape, pool: pool, reading: reading), stripHeight: height)
    case .changed(let rows): try rows.append(to: &pipeline, pool: pool, of: job)
    }
    return nil
  }
}

extension Stage {
  /// Indicates whether the pass takes each pixel of the source once: in order, or column by column.
  fileprivate var canReadPlanes: Bool {
    if case .rotation(let orientation) = inputMapping { return orientation.swapsAxes }
    return inputMapping == .rows && level == 0 && blurred?.level != 0
      && sides.allSatisfy { $0.image.level != 0 }
  }
}
