// SPDX-License-Identifier: Apache-2.0
import CPhotoEditDigest

/// MD5 digests, for file formats that require them; not for security.
package enum MD5 {
  /// Returns the 16 bytes of the digest.
  package static func digest(of bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 16)
    bytes.withUnsafeBytes { pe_md5($0.baseAddress, $0.count, &digest) }
    return digest
  }

  /// Returns the digest as 32 uppercase hexadecimal digits.
  package static func hexadecimal(of bytes: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    return String(
      decoding: digest(of: bytes).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
      as: UTF8.self)
  }
}
