// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels

/// A decoder that reads one image row by row, from top to bottom.
///
/// Must not be used by several threads at the same time.
public protocol ImageDecoder: AnyObject {
  /// The properties of the image, as stored in the file.
  var header: ImageHeader { get }
  /// Notices so far; complete once the last row is read.
  var notices: [DecoderWarning] { get }
  /// Upper bound of the decoder's own memory while decoding, in bytes; known from the header.
  ///
  /// Excludes the file and the requested rows.
  var workingBytes: Int { get }
  /// Decodes the next rows and returns the number of complete rows written; 0 at the end.
  ///
  /// Fewer than `count` rows are written only at the end. After an error every call throws it
  /// again.
  ///
  /// - Parameters:
  ///   - count: Number of rows to read, at least 1; 16 or more per call cost no extra time.
  ///   - base: Address of the first row; must have space for `count` times `bytesPerRow` bytes.
  ///   - bytesPerRow: Distance between rows, at least `header.layout.bytesPerRow(width:)`.
  func readRows(_ count: Int, into base: UnsafeMutableRawPointer, bytesPerRow: Int)
    throws(CodecError) -> Int
}

extension ImageDecoder {
  /// Bytes of a delivered row.
  var bytesPerRow: Int { header.layout.bytesPerRow(width: header.size.width) }

  /// Decodes and discards the remaining rows, which finds damage anywhere in the file.
  ///
  /// - Parameter limits: The limits for the required memory.
  package func readToEnd(limits: ImageLimits = ImageLimits()) throws(CodecError) {
    let bytesPerRow = bytesPerRow
    try limits.check(memory: workingBytes + 16 * bytesPerRow)
    let rows = UnsafeMutableRawPointer.allocate(byteCount: 16 * bytesPerRow, alignment: 64)
    defer { rows.deallocate() }
    while try readRows(16, into: rows, bytesPerRow: bytesPerRow) > 0 {}
  }

  /// Checks the caller's arguments before C writes to the caller's memory.
  func checkRows(_ count: Int, bytesPerRow: Int) -> Int32 {
    precondition(count > 0, "at least one row must be asked for")
    precondition(
      bytesPerRow >= self.bytesPerRow,
      "the rows of the image exceed the buffer")
    return Int32(min(count, header.size.height))
  }
}
