// SPDX-License-Identifier: Apache-2.0
import Pixels

/// The header chunk of a PNG, read before libpng sees the file, so that limits hold first.
struct PNGHeader {
  let size: PixelSize

  init(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    guard bytes.prefix(8).elementsEqual(signature.prefix(bytes.count)) else {
      throw .damaged(
        message: "the signature is wrong, as after a transfer in text mode", realRows: nil,
        rows: nil)
    }
    guard bytes.count >= 33 else {
      throw .damaged(message: "the file ends inside its header", realRows: nil, rows: nil)
    }
    guard bytes[8..<16].elementsEqual([0, 0, 0, 13] + Array("IHDR".utf8)) else {
      throw .damaged(message: "the header chunk is missing", realRows: nil, rows: nil)
    }
    let width = Self.number(bytes, at: 16)
    let height = Self.number(bytes, at: 20)
    guard (1...0x7FFF_FFFF).contains(width), (1...0x7FFF_FFFF).contains(height) else {
      throw .damaged(message: "the header has no valid size", realRows: nil, rows: nil)
    }
    size = PixelSize(width: width, height: height)
  }

  private static func number(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
    Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }
}
