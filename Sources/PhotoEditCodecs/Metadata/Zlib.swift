// SPDX-License-Identifier: Apache-2.0
import CPhotoEditZlib
import PhotoEditPlatform

/// The parts of zlib that are needed: whole streams and checksums.
package enum Zlib {
  /// The reason why a stream could not be inflated.
  package enum Failure: Error {
    case damaged
    /// The output exceeds the limit or the available memory.
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
    let status = pe_zlib_inflate(input.baseAddress, input.count, limit, &output, &count)
    return try result(Int(status), output, count)
  }

  /// Copies and frees the output of a call.
  private static func result(
    _ status: Int, _ output: UnsafeMutablePointer<UInt8>?, _ count: Int
  ) throws(Failure) -> [UInt8] {
    switch status {
    case Int(PE_ZLIB_OK):
      defer { free(output) }
      return Array(UnsafeBufferPointer(start: output, count: count))
    case Int(PE_ZLIB_DAMAGED): throw .damaged
    default: throw .tooLarge
    }
  }

  /// Inflates one raw deflate stream (RFC 1951) into at most `limit` bytes.
  package static func inflate(raw bytes: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
    guard limit >= 0, limit < 1 << 40 else { throw .tooLarge }
    var output: UnsafeMutablePointer<UInt8>?
    var (count, consumed) = (0, 0)
    let status = bytes.withUnsafeBufferPointer {
      pe_zlib_inflate_raw($0.baseAddress, $0.count, limit, &output, &count, &consumed)
    }
    let inflated = try result(Int(status), output, count)
    guard consumed == bytes.count else { throw .damaged }
    return inflated
  }

  /// Returns the CRC-32 that protects PNG chunks.
  static func crc32(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    let input = bytes.bindMemory(to: UInt8.self)
    return pe_zlib_crc32(input.baseAddress, input.count)
  }
}
