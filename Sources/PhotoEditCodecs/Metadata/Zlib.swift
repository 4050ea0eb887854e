// SPDX-License-Identifier: Apache-2.0
import CPhotoEditZlib
import PhotoEditPlatform

/// What is needed of zlib: whole streams and checksums.
package enum Zlib {
  /// Why a stream gave no bytes.
  package enum Failure: Error {
    case damaged
    /// It gives more bytes than allowed, or than there is memory.
    case tooLarge
  }

  /// Inflates one zlib stream into at most `limit` bytes.
  static func inflate(
    _ bytes: UnsafeRawBufferPointer, limit: Int
  ) throws(Failure) -> [UInt8] {
    guard limit >= 0, limit < 1 << 40 else { throw .tooLarge }
    var output: UnsafeMutablePointer<UInt8>?
    var count = 0
    let input = bytes.bindMemory(to: UInt8.self)
    switch Int(pe_zlib_inflate(input.baseAddress, input.count, limit, &output, &count)) {
    case Int(PE_ZLIB_OK):
      defer { free(output) }
      return Array(UnsafeBufferPointer(start: output, count: count))
    case Int(PE_ZLIB_DAMAGED): throw .damaged
    default: throw .tooLarge
    }
  }

  /// Inflates bytes that are one raw deflate stream (RFC 1951) into at most `limit` bytes.
  package static func inflate(raw bytes: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
    guard limit >= 0, limit < 1 << 40 else { throw .tooLarge }
    var output: UnsafeMutablePointer<UInt8>?
    var (count, taken) = (0, 0)
    let status = bytes.withUnsafeBufferPointer {
      pe_zlib_inflate_raw($0.baseAddress, $0.count, limit, &output, &count, &taken)
    }
    switch Int(status) {
    case Int(PE_ZLIB_OK):
      defer { free(output) }
      guard taken == bytes.count else { throw .damaged }
      return Array(UnsafeBufferPointer(start: output, count: count))
    case Int(PE_ZLIB_DAMAGED): throw .damaged
    default: throw .tooLarge
    }
  }

  /// The CRC-32 with which PNG guards its chunks.
  static func crc32(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    let input = bytes.bindMemory(to: UInt8.self)
    return pe_zlib_crc32(input.baseAddress, input.count)
  }
}
