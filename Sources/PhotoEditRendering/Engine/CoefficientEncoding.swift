// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs

/// Encodes coefficients unchanged or with an orientation applied; a row is a band.
///
/// With an index, it reads the coefficients of each band itself.
struct CoefficientEncoding: StripProducer {
  let bands: JPEGCoefficientBands
  let index: JPEGIndex?
  let pool: StripPool
  let assembler: JPEGAssembler
  let isCancelled: @Sendable () -> Bool
  private let encoders = ObjectPool<JPEGEncoderHandle>()

  var name: String { "encoding" }
  var height: Int { bands.count }
  var isSequential: Bool { false }

  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> {
    if rows.isEmpty { return 0..<0 }
    // The whole index, so that damage is found before a band is encoded.
    return bands.mcuRows(forBands: index == nil ? rows : 0..<bands.count)
  }

  func make(_ rows: Range<Int>, from inputs: [StripWindow]) throws(RenderError) -> Strip? {
    for band in rows {
      if isCancelled() { throw .cancelled }
      let area = bands.area(forBands: band..<band + 1)
      try codec { () throws(CodecError) in
        guard let index else {
          let memory = area.rows.map { UnsafeMutableRawPointer(mutating: inputs[0].row($0)) }
          return try encode(band, rows: memory, first: area.rows.lowerBound)
        }
        let strip = Strip(
          rows: area.rows, bytesPerRow: index.bytesPerRow(columns: area.columns.count), pool: pool)
        try index.read(area, into: strip.memory)
        try encode(
          band, rows: area.rows.map { strip.row($0) }, first: area.rows.lowerBound,
          columns: area.columns)
        withExtendedLifetime(strip) {}
      }
    }
    return nil
  }

  private func encode(
    _ band: Int, rows: [UnsafeMutableRawPointer], first: Int, columns: Range<Int>? = nil
  ) throws(CodecError) {
    try encoders.with({ () throws(CodecError) in try JPEGEncoderHandle() }) {
      encoder throws(CodecError) in
      try bands.encode(band, rows: rows, first: first, columns: columns, with: encoder) {
        bytes throws(CodecError) in try assembler.add(bytes, at: band)
      }
    }
  }
}
