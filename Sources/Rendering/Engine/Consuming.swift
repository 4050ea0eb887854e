// SPDX-License-Identifier: Apache-2.0
import Codecs
import Pixels

/// Runs the last passes and encodes their rows, a few at a time while they are in the cache.
final class BandEncoding: StripProducer {
  private let filling: any RowFilling
  private let settings: JPEGSettings
  private let layout: RowLayout
  private let pool: StripPool
  private let encoders = Pool<JPEGBandEncoder>()
  private let assembler: JPEGAssembler

  /// Makes the end of a pipeline whose strips are `JPEGStripEncoder.bandHeight` rows high.
  init(
    _ filling: any RowFilling, layout: RowLayout, settings: JPEGSettings, pool: StripPool,
    assembler: JPEGAssembler
  ) {
    self.filling = filling
    self.assembler = assembler
    self.layout = layout
    self.settings = settings
    self.pool = pool
  }

  var height: Int { filling.output.size.height }
  var isSequential: Bool { false }

  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> {
    filling.inputRows(for: rows, of: input)
  }

  func make(_ rows: Range<Int>, from inputs: [StripWindow]) throws(RenderError) -> Strip? {
    try encoders.with(makeEncoder) { encoder throws(RenderError) in
      try codec { () throws(CodecError) in try encoder.begin(rows: rows.count) }
      for first in stride(from: rows.lowerBound, to: rows.upperBound, by: filling.rowsAtOnce) {
        let strip = Strip(
          rows: first..<min(first + filling.rowsAtOnce, rows.upperBound),
          bytesPerRow: filling.output.bytesPerRow, pool: pool)
        try filling.fill(strip, from: inputs)
        try codec { () throws(CodecError) in
          try encoder.write(
            rows: strip.rows.count, from: strip.memory, bytesPerRow: strip.bytesPerRow)
        }
      }
      try codec { () throws(CodecError) in
        try encoder.end { band throws(CodecError) in
          try assembler.add(band, at: rows.lowerBound / JPEGStripEncoder.bandHeight(settings))
        }
      }
    }
    return nil
  }

  private func makeEncoder() throws(RenderError) -> JPEGBandEncoder {
    try codec { () throws(CodecError) in
      try JPEGBandEncoder(
        width: filling.output.size.width, settings: settings, layout: layout)
    }
  }
}

/// Encodes coefficients as they are, or turned; a row is a band.
final class CoefficientEncoding: StripProducer {
  private let bands: JPEGCoefficientBands
  private let assembler: JPEGAssembler
  private let encoders = Pool<JPEGEncoderHandle>()
  private let isCancelled: @Sendable () -> Bool

  init(
    _ bands: JPEGCoefficientBands, assembler: JPEGAssembler,
    isCancelled: @escaping @Sendable () -> Bool
  ) {
    self.bands = bands
    self.assembler = assembler
    self.isCancelled = isCancelled
  }

  var height: Int { bands.count }
  var isSequential: Bool { false }

  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> {
    rows.isEmpty ? 0..<0 : bands.mcuRows(forBands: rows)
  }

  func make(_ rows: Range<Int>, from inputs: [StripWindow]) throws(RenderError) -> Strip? {
    for band in rows {
      if isCancelled() { throw .cancelled }
      let mcuRows = bands.mcuRows(forBands: band..<band + 1)
      let memory = mcuRows.map { UnsafeMutableRawPointer(mutating: inputs[0].row($0)) }
      try codec { () throws(CodecError) in
        try encoders.with({ () throws(CodecError) in try JPEGEncoderHandle() }) {
          encoder throws(CodecError) in
          try bands.encode(band, rows: memory, first: mcuRows.lowerBound, with: encoder) {
            bytes throws(CodecError) in try assembler.add(bytes, at: band)
          }
        }
      }
    }
    return nil
  }
}

/// Runs the last pass and hands its rows to somebody who wants them as they are.
final class RowDelivery: StripProducer {
  /// Takes the rows of a finished strip, on any thread.
  typealias Sink = @Sendable (Strip) -> Void

  private let stage: StageProducer
  private let pool: StripPool
  private let sink: Sink

  init(_ stage: StageProducer, pool: StripPool, sink: @escaping Sink) {
    self.stage = stage
    self.pool = pool
    self.sink = sink
  }

  var height: Int { stage.height }
  var isSequential: Bool { false }

  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> {
    stage.inputRows(for: rows, of: input)
  }

  func make(_ rows: Range<Int>, from inputs: [StripWindow]) throws(RenderError) -> Strip? {
    let strip = Strip(rows: rows, bytesPerRow: stage.stage.output.bytesPerRow, pool: pool)
    try stage.fill(strip, from: inputs)
    sink(strip)
    return nil
  }
}
