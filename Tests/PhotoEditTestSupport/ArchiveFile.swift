// SPDX-License-Identifier: Apache-2.0

/// An archive with stored entries, which may be invalid in many ways.
package struct ArchiveFile {
  /// An entry of an archive.
  package struct Entry {
    /// The bytes of its name.
    package var name: [UInt8]
    /// The content.
    package var bytes: [UInt8]
    /// The type of a tar entry: "0" for a file, "1" for a hard link, "2" for a symbolic link.
    package var type: UInt8 = UInt8(ascii: "0")
    /// The name that a link in a tar leads to.
    package var target = "target"
    /// The stated size, if it differs from the actual one.
    package var statedSize: UInt64?
    /// Indicates whether a ZIP states that the entry is encrypted.
    package var isEncrypted = false

    /// Creates a file.
    package init(_ name: String, _ bytes: [UInt8]) {
      (self.name, self.bytes) = (Array(name.utf8), bytes)
    }

    /// Creates another name of an earlier file of a tar.
    package init(_ name: String, linkTo target: String) {
      self.init(name, [])
      (type, self.target) = (UInt8(ascii: "1"), target)
    }
  }

  /// The entries, in order.
  package var entries: [Entry]

  /// Creates an archive of files.
  package init(_ files: [(String, [UInt8])]) { entries = files.map { Entry($0.0, $0.1) } }

  // MARK: ZIP

  private static func little(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320
    }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
  }

  /// The bytes of a ZIP archive.
  package var zip: [UInt8] {
    var (body, directory): ([UInt8], [UInt8]) = ([], [])
    for entry in entries {
      let size = entry.statedSize ?? UInt64(entry.bytes.count)
      // Names are UTF-8 if they can be.
      let isText = Array(String(decoding: entry.name, as: UTF8.self).utf8) == entry.name
      let flags: UInt64 = (isText ? 0x800 : 0) | (entry.isEncrypted ? 1 : 0)
      let common =
        Self.little(20, 2) + Self.little(flags, 2) + Self.little(0, 2) + Self.little(0x21_0000, 4)
        + Self.little(UInt64(Self.checksum(entry.bytes)), 4) + Self.little(size, 4)
        + Self.little(size, 4) + Self.little(UInt64(entry.name.count), 2) + Self.little(0, 2)
      let mode: UInt64 = entry.type == UInt8(ascii: "2") ? 0o120_777 : 0o100_644
      directory +=
        Array("PK\u{1}\u{2}".utf8) + Self.little(0x314, 2) + common + Self.little(0, 6)
        + Self.little(mode << 16, 4) + Self.little(UInt64(body.count), 4) + entry.name
      body += Array("PK\u{3}\u{4}".utf8) + common + entry.name + entry.bytes
    }
    let count = Self.little(UInt64(entries.count), 2)
    return body + directory + Array("PK\u{5}\u{6}".utf8) + Self.little(0, 4) + count + count
      + Self.little(UInt64(directory.count), 4) + Self.little(UInt64(body.count), 4)
      + Self.little(0, 2)
  }

  // MARK: tar

  private static let blockSize = 512

  private static func octal(_ value: UInt64, _ count: Int) -> [UInt8] {
    let digits = Array(String(value, radix: 8).utf8)
    guard digits.count < count else {
      // GNU's binary form of a large number.
      return [0x80] + little(value, count - 1).reversed()
    }
    return [UInt8](repeating: UInt8(ascii: "0"), count: count - 1 - digits.count) + digits + [0]
  }

  /// The bytes of a tar archive; names have at most 100 bytes.
  package var tar: [UInt8] {
    var bytes: [UInt8] = []
    for entry in entries {
      func field(_ text: [UInt8], _ count: Int) -> [UInt8] {
        Array((text + [UInt8](repeating: 0, count: count)).prefix(count))
      }
      let size = entry.statedSize ?? UInt64(entry.bytes.count)
      let before =
        field(entry.name, 100) + Self.octal(0o644, 8) + Self.octal(0, 8) + Self.octal(0, 8)
        + Self.octal(size, 12) + Self.octal(0, 12)
      let after =
        [entry.type] + field(Array(entry.target.utf8), 100) + field(Array("ustar\u{0}00".utf8), 8)
      let header = field(
        before + [UInt8](repeating: UInt8(ascii: " "), count: 8) + after, Self.blockSize)
      let sum = header.reduce(UInt64(0)) { $0 + UInt64($1) }
      bytes += header[..<148] + Self.octal(sum, 7) + [UInt8(ascii: " ")] + header[156...]
      let padded = (entry.bytes.count + Self.blockSize - 1) / Self.blockSize * Self.blockSize
      bytes += field(entry.bytes, padded)
    }
    return bytes + [UInt8](repeating: 0, count: 2 * Self.blockSize)
  }
}
