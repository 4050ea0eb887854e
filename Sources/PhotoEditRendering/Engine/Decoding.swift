// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels

/// A decoder that delivers pixels in order from the top.
final class RowDecoding: StripProducer, @unchecked Sendable {
  // Safe: the scheduler never runs two tasks of a sequential producer at once.
  private let decoder: any ImageDecoder
  private let pool: StripPool

  init(_ decoder: any ImageDecoder, pool: StripPool) {
    self.decoder = decoder
    self.pool = pool
  }

  var height: Int { decoder.header.size.height }
  var isSequential: Bool { true }

  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> { 0..<0 }

  func make(_ rows: Range<Int>, from inputs: [StripWindow]) throws(RenderError) -> Strip? {
    let header = decoder.header
    let strip = Strip(
      rows: rows, bytesPerRow: header.layout.bytesPerRow(width: header.size.width), pool: pool)
    var done = 0
    try codec { () throws(CodecError) in
      while done < rows.count {
        let count = try decoder.readRows(
          rows.count - done, into: strip.memory + done * strip.bytesPerRow,
          bytesPerRow: strip.bytesPerRow)
        guard count > 0 else {
          throw .damaged(
            message: "unexpected end of image", recoveredRows: rows.lowerBound + done, rows: height)
        }
        done += count
      }
    }
    return strip
  }
}

/// The entropy decoding of a JPEG decoder: a row is an MCU row of coefficients.
final class CoefficientDecoding: StripProducer, @unchecked Sendable {
  // Safe: the scheduler never runs two tasks of a sequential producer at once, and restart
  // intervals can be read concurrently.
  private let reader: JPEGCoefficientReader
  private let pool: StripPool
  private let isCancelled: @Sendable () -> Bool
  private let thumbnail: JPEGThumbnailSums?

  init(
    _ reader: JPEGCoefficientReader, pool: StripPool, thumbnail: JPEGThumbnailSums? = nil,
    isCancelled: @escaping @Sendable () -> Bool
  ) {
    self.reader = reader
    self.pool = pool
    self.thumbnail = thumbnail
    self.isCancelled = isCancelled
  }

  var height: Int { reader.layout.mcuRows }
  var isSequential: Bool { reader.intervals == nil }
  var alignment: Int {
    reader.isReadAtOnce ? reader.layout.mcuRows : reader.intervals?.rowsPerInterval ?? 1
  }

  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> { 0..<0 }

  func make(_ rows: Range<Int>, from inputs: [StripWindow]) throws(RenderError) -> Strip? {
    if isCancelled() { throw .cancelled }
    let strip = Strip(rows: rows, bytesPerRow: reader.layout.bytesPerRow, pool: pool)
    try codec { () throws(CodecError) in
      if let intervals = reader.intervals {
        try intervals.readRows(rows, into: strip.memory)
      } else {
        try reader.readRows(rows, into: strip.memory)
      }
    }
    thumbnail?.add(rows, at: strip.memory)
    return strip
  }
}

/// The reconstruction of a JPEG decoder: converts MCU rows into rows of pixels.
final class Reconstruction: StripProducer, @unchecked Sendable {
  // Safe: the scheduler never runs two tasks of a sequential producer at once.
  private let reconstructor: JPEGReconstructor
  private let shape: StripShape
  private let pool: StripPool

  init(_ reconstructor: JPEGReconstructor, shape: StripShape, pool: StripPool) {
    self.reconstructor = reconstructor
    self.shape = shape
    self.pool = pool
  }

  var height: Int { shape.size.height }
  var isSequential: Bool { true }

  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> {
    rows.isEmpty ? 0..<0 : reconstructor.layout.rows(forPixelRows: rows)
  }

  func make(_ rows: Range<Int>, from inputs: [StripWindow]) throws(RenderError) -> Strip? {
    let strip = Strip(rows: rows, bytesPerRow: shape.bytesPerRow, pool: pool)
    let mcuRows = inputRows(for: rows, of: 0)
    try codec { () throws(CodecError) in
      try reconstructor.readRows(
        rows.count, into: strip.memory, bytesPerRow: strip.bytesPerRow,
        coefficients: mcuRows.map { UnsafeMutableRawPointer(mutating: inputs[0].row($0)) },
        first: mcuRows.lowerBound)
    }
    return strip
  }
}

/// The reconstruction of a JPEG decoder up to the samples of each component; a row is an MCU row.
final class PlaneReconstruction: StripProducer, @unchecked Sendable {
  // Safe: the scheduler never runs two tasks of a sequential producer at once.
  private let reconstructor: JPEGPlaneReconstructor
  private let pool: StripPool

  init(_ reconstructor: JPEGPlaneReconstructor, pool: StripPool) {
    self.reconstructor = reconstructor
    self.pool = pool
  }

  var height: Int { reconstructor.layout.mcuRows }
  var isSequential: Bool { true }

  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> { rows }

  func make(_ rows: Range<Int>, from inputs: [StripWindow]) throws(RenderError) -> Strip? {
    let strip = Strip(rows: rows, bytesPerRow: reconstructor.layout.bytesPerMCURow, pool: pool)
    try codec { () throws(CodecError) in
      try reconstructor.readRows(
        rows, into: strip.memory,
        coefficients: rows.map { UnsafeMutableRawPointer(mutating: inputs[0].row($0)) })
    }
    return strip
  }
}
