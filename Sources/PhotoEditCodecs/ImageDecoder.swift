// SPDX-License-Identifier: Apache-2.0
package import PhotoEditPixels

/// Reads one picture row by row, from the top to the bottom.
///
/// A decoder belongs to one thread at a time.
public protocol ImageDecoder: AnyObject {
  /// What the file says of its picture.
  var header: ImageHeader { get }
  /// What was found so far; complete once the last row is read.
  var notices: [CodecNotice] { get }
  /// Bytes that the decoder keeps for itself while it decodes, at most; known from the header.
  ///
  /// The file and the rows that are asked for come on top.
  var workingBytes: Int { get }
  /// Decodes the next rows and returns how many were written, each of them whole; 0 at the end.
  ///
  /// Fewer than `count` rows are written only at the end. After an error every call throws it again.
  ///
  /// - Parameters:
  ///   - count: How many rows are wanted, at least 1; 16 and more per call cost nothing extra.
  ///   - base: Where the first row goes; `count` times `bytesPerRow` bytes belong to the caller.
  ///   - bytesPerRow: Distance of two rows, at least `header.layout.bytesPerRow(width:)`.
  func readRows(_ count: Int, into base: UnsafeMutableRawPointer, bytesPerRow: Int)
    throws(CodecError) -> Int
}

extension ImageDecoder {
  /// Bytes of a row as it is delivered.
  var bytesPerRow: Int { header.layout.bytesPerRow(width: header.size.width) }

  /// Decodes the rows that are left and forgets them, which finds damage anywhere in the file.
  ///
  /// - Parameter limits: What is refused of the memory that it takes.
  package func readToEnd(limits: ImageLimits = ImageLimits()) throws(CodecError) {
    let bytesPerRow = bytesPerRow
    try limits.check(memory: workingBytes + 16 * bytesPerRow)
    let rows = UnsafeMutableRawPointer.allocate(byteCount: 16 * bytesPerRow, alignment: 64)
    defer { rows.deallocate() }
    while try readRows(16, into: rows, bytesPerRow: bytesPerRow) > 0 {}
  }

  /// Checks what a caller promised, before C writes into his memory.
  func checkRows(_ count: Int, bytesPerRow: Int) -> Int32 {
    precondition(count > 0, "at least one row must be asked for")
    precondition(
      bytesPerRow >= self.bytesPerRow,
      "the rows of the picture are longer than the space for them")
    return Int32(min(count, header.size.height))
  }
}
