// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// Something that fills rows of bytes from rows of its source.
protocol RowFilling: Sendable {
  /// What the rows are made of.
  var output: StripShape { get }
  /// How many rows are best asked for at once.
  var rowsAtOnce: Int { get }
  /// The rows of an input that some rows are made of.
  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int>
  /// Writes the rows of a strip.
  ///
  /// - Parameter inputs: What was asked for, in the order of the inputs.
  func fill(_ strip: Strip, from inputs: [StripWindow]) throws(RenderError)
}

/// Rows that an earlier level has made already.
struct FinishedRows: RowFilling {
  let output: StripShape
  var rowsAtOnce: Int { StageProducer.rowsOfMCU }

  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> { rows }

  func fill(_ strip: Strip, from inputs: [StripWindow]) {
    for y in strip.rows {
      strip.row(y).copyMemory(from: inputs[0].row(y), byteCount: strip.bytesPerRow)
    }
  }
}
