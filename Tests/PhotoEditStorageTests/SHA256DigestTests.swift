// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage
import Testing

@Suite("SHA-256 digests")
struct DigestTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
  ])
  func `digests match the published SHA-256 examples`(text: String, hex: String) {
    #expect(SHA256Digest(of: Array(text.utf8)).hex == hex)
  }

  @Test func `a digest is parsed from its text, other text is rejected`() {
    let digest = SHA256Digest(of: [1, 2, 3])
    #expect(SHA256Digest(digest.description) == digest)
    #expect(SHA256Digest(digest.hex) == digest)
    #expect(SHA256Digest(String(digest.hex.dropLast())) == nil)
    #expect(SHA256Digest(String(repeating: "g", count: 64)) == nil)
  }

  @Test func `hashing in pieces gives the digest of the whole`() {
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var builder = DigestBuilder()
    for start in stride(from: 0, to: bytes.count, by: 777) {
      bytes[start..<min(start + 777, bytes.count)].withUnsafeBytes { builder.update($0) }
    }
    #expect(builder.finish() == SHA256Digest(of: bytes))
  }
}
