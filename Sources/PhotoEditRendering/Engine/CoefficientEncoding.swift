// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs

/// Encodes coefficients unchanged or with an orientation applied; a row is a band.
final class CoefficientEncoding: StripProducer {
  private let bands: JPEGCoefficientBands
  private let assembler: JPEGAssembler
  private let encoders = ObjectPool<JPEGEncoderHandle>()
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
