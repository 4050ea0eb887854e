// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// Takes ownership of a buffer encoded by C; nil if the encoder failed.
func encodedBytes(
  _ encode: (UnsafeMutablePointer<Int>) -> UnsafeMutablePointer<UInt8>?
) -> [UInt8]? {
  var count = 0
  guard let bytes = encode(&count) else { return nil }
  defer { free(bytes) }
  return Array(UnsafeBufferPointer(start: bytes, count: count))
}

/// The value as a little-endian field of `count` bytes.
func little(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}
