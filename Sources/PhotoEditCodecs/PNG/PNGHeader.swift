// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// The header chunk of a PNG, read before libpng processes the file so that limits are checked
/// first.
struct PNGHeader {
  let size: PixelSize

  init(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
    guard bytes.prefix(8).elementsEqual(ChunkReader.pngSignature.prefix(bytes.count)) else {
      throw .damaged(
        message: "invalid signature; the file may have been transferred in text mode",
        recoveredRows: nil,
        rows: nil)
    }
    guard bytes.count >= 33 else {
      throw .damaged(message: "file ends inside the header", recoveredRows: nil, rows: nil)
    }
    guard bytes[8..<16].elementsEqual([0, 0, 0, 13] + Array("IHDR".utf8)) else {
      throw .damaged(message: "header chunk is missing", recoveredRows: nil, rows: nil)
    }
    guard let width = bytes.unsigned32(at: 16), let height = bytes.unsigned32(at: 20),
      (1...0x7FFF_FFFF).contains(width), (1...0x7FFF_FFFF).contains(height)
    else {
      throw .damaged(message: "width or height is 0 or too large", recoveredRows: nil, rows: nil)
    }
    size = PixelSize(width: width, height: height)
  }
}
