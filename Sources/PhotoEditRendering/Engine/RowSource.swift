// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// An object that fills rows of bytes from rows of its source.
protocol RowSource: Sendable {
  /// The steps that compute the rows, for display.
  var name: String { get }
  /// The size and format of the rows.
  var output: StripShape { get }
  /// Indicates whether a row has the bytes of one channel after those of another.
  var separatesChannels: Bool { get }
  /// The preferred number of rows per request.
  var rowsAtOnce: Int { get }
  /// Returns the rows of an input that some output rows are computed from.
  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int>
  /// Writes the rows of a strip.
  ///
  /// - Parameter inputs: The requested rows, in the order of the inputs.
  func fill(_ strip: Strip, from inputs: [StripWindow]) throws(RenderError)
}

/// Rows already computed by an earlier level.
struct FinishedRows: RowSource {
  let name = ""
  let output: StripShape
  let separatesChannels: Bool
  var rowsAtOnce: Int { StageProducer.rowsOfMCU }

  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> { rows }

  func fill(_ strip: Strip, from inputs: [StripWindow]) {
    for y in strip.rows {
      strip.row(y).copyMemory(from: inputs[0].row(y), byteCount: strip.bytesPerRow)
    }
  }
}
