// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// Random text that grants access; only its digest is kept.
enum Secret {
  /// Returns random hexadecimal digits from the system's generator.
  static func random(bits: Int) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var generator = SystemRandomNumberGenerator()
    return String(
      decoding: (0..<bits / 4).map { _ in digits[Int.random(in: 0..<16, using: &generator)] },
      as: UTF8.self)
  }

  /// Returns the digest of a secret.
  static func digest(_ text: String) -> [UInt8] { SHA256Digest(of: Array(text.utf8)).bytes }

  /// Returns whether digests are equal, in a time that does not depend on their contents.
  static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | $1.0 ^ $1.1 } == 0
  }
}
