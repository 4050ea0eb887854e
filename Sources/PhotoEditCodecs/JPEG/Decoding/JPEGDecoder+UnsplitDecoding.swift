// SPDX-License-Identifier: Apache-2.0
import CPhotoEditJPEG
import PhotoEditPixels

/// Entropy decoding and reconstruction in one step.
extension JPEGDecoder {
  /// Decodes the next rows and returns the number of rows written; 0 at the end.
  public func readRows(_ count: Int, into base: UnsafeMutableRawPointer, bytesPerRow: Int)
    throws(CodecError) -> Int
  {
    let requested = checkRows(count, bytesPerRow: bytesPerRow)
    try end.check()
    try checkBytes()
    var written: Int32 = 0
    let code = pe_jpeg_read_rows(
      handle.pointer, base.assumingMemoryBound(to: UInt8.self), bytesPerRow, requested, &written)
    try end.keep(handle.check(code, rows: header.size.height))
    return Int(written)
  }
}
