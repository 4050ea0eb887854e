// SPDX-License-Identifier: Apache-2.0
import CPhotoEditDigest

/// A SHA-256 digest, which identifies files and edits.
public struct SHA256Digest: Hashable, Sendable, CustomStringConvertible {
  /// The 32 bytes of the digest.
  public let bytes: [UInt8]

  /// Hashes bytes in memory.
  public init(of data: [UInt8]) {
    var hasher = DigestBuilder()
    data.withUnsafeBytes { hasher.update($0) }
    self = hasher.finish()
  }

  fileprivate init(complete bytes: [UInt8]) { self.bytes = bytes }

  /// Takes the 32 bytes of a digest; nil for another number of bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// Parses "sha256:" followed by 64 hexadecimal digits, or only the digits.
  public init?(_ text: String) {
    let digits = Array((text.hasPrefix("sha256:") ? text.dropFirst(7) : text[...]).utf8)
    guard digits.count == 64 else { return nil }
    var bytes: [UInt8] = []
    for i in stride(from: 0, to: 64, by: 2) {
      guard let high = Self.value(digits[i]), let low = Self.value(digits[i + 1]) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    self.bytes = bytes
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// 64 lowercase hexadecimal digits.
  public var hex: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The text "sha256:" and the digits.
  public var description: String { "sha256:" + hex }

  /// The name and version of the hashing library: "OpenSSL 3.0.17 1 Jul 2025".
  package static var libraryVersion: String { String(cString: pe_digest_version()) }
}

/// Computes a digest incrementally.
public struct DigestBuilder: ~Copyable {
  private let state: OpaquePointer

  /// Starts an empty digest.
  public init() {
    guard let state = pe_sha256_create() else { preconditionFailure("out of memory") }
    self.state = state
  }

  /// Adds bytes; the C function is `SHA256_Update`.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    if let base = bytes.baseAddress { pe_sha256_update(state, base, bytes.count) }
  }

  /// Completes the digest.
  public consuming func finish() -> SHA256Digest {
    let bytes = [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
      if let base = buffer.baseAddress { pe_sha256_finish(state, base) }
      count = 32
    }
    discard self
    return SHA256Digest(complete: bytes)
  }

  deinit {
    var unused: [UInt8] = Array(repeating: 0, count: 32)
    pe_sha256_finish(state, &unused)
  }
}

/// MD5 digests, for file formats that require them; not for security.
package enum MD5 {
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
