// SPDX-License-Identifier: Apache-2.0
import CPhotoEditDigest

/// MD5 digests, for file formats that require them; not for security.
package enum MD5 {
  /// Returns the digest as 32 uppercase hexadecimal digits.
  package static func hexadecimal(of bytes: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: 16)
    bytes.withUnsafeBytes { pe_md5($0.baseAddress, $0.count, &digest) }
    let digits = Array("0123456789ABCDEF".utf8)
    return String(
      decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
