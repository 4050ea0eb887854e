// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage

@testable import PhotoEditCodecs

/// Decodes strictly or leniently; checksums are corrected first, or all inputs would be rejected.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let choice = bytes.last ?? 0
  if choice & 1 == 0 { correctChecksums(of: &bytes) }
  let limits = ImageLimits(maximumPixels: 1 << 16, maximumSide: 4096)
  let options = DecoderOptions(limits: limits, isLenient: choice & 2 == 2)
  do throws(CodecError) {
    try PNGDecoder(FileBytes(bytes), options: options).readToEnd()
  } catch {
    return 0
  }
  return 0
}

/// Corrects the checksum of each chunk inside the file.
func correctChecksums(of bytes: inout [UInt8]) {
  var position = 8
  while position + 12 <= bytes.count {
    let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
    guard length <= bytes.count - position - 12 else { return }
    let end = position + 8 + length
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes[position + 4..<end] {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    for i in 0..<4 { bytes[end + i] = UInt8(truncatingIfNeeded: ~crc >> UInt32(24 - 8 * i)) }
    position = end + 4
  }
}
