// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The format of an archive, according to its first bytes or its name.
enum ArchiveFormat {
  /// A format that is read.
  case readable
  /// A format whose reader in libarchive is not used.
  case rar

  private static let names: Set<String> = [
    "zip", "7z", "rar", "tar", "tgz", "tbz", "tbz2", "txz", "tzst", "gz", "bz2", "xz", "zst",
  ]

  /// The bytes with which archives and compressed files begin.
  private static let beginnings: [[UInt8]] = [
    Array("PK\u{3}\u{4}".utf8), Array("PK\u{5}\u{6}".utf8), Array("PK\u{7}\u{8}".utf8),
    Array("7z".utf8) + [0xBC, 0xAF, 0x27, 0x1C], [0x1F, 0x8B], Array("BZh".utf8),
    [0xFD] + Array("7zXZ".utf8), [0x28, 0xB5, 0x2F, 0xFD],
  ]

  private static let rarBeginning = Array("Rar!\u{1A}\u{7}".utf8)
  private static let tarMark = Array("ustar".utf8)
  private static let tarMarkOffset = 257

  /// Recognizes an archive; returns nil for any other file.
  init?(_ head: [UInt8]) {
    if head.starts(with: Self.rarBeginning) {
      self = .rar
    } else if Self.beginnings.contains(where: head.starts)
      || head.dropFirst(Self.tarMarkOffset).starts(with: Self.tarMark)
    {
      self = .readable
    } else {
      return nil
    }
  }

  /// Returns whether a file has the name of an archive.
  static func isName(_ name: String) -> Bool {
    names.contains(FileSystem.splitName(name).fileExtension.lowercased())
  }

  /// Returns the format of a file that the user names; nil if it is not an archive.
  ///
  /// A damaged archive is recognized by its name.
  static func named(_ path: String) -> ArchiveFormat? {
    guard let head = try? ResourceStager.head(of: path) else { return nil }
    let name = FileSystem.lastName(of: path)
    return ArchiveFormat(head)
      ?? (isName(name) && ImportScan.kind(of: head, nil) == nil ? .readable : nil)
  }
}
