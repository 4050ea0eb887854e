// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
import PhotoEditStorage

/// Finds and reads the images in `TestImages` and the manifest that describes them.
package enum TestImages {
  /// The manifest entry of a file.
  package struct Entry: Decodable, Hashable, Sendable, CustomStringConvertible {
    /// The path relative to `TestImages`: "inputs/photo-64.jpg".
    package let path: String
    /// The origin of the file as one phrase.
    package let origin: String
    /// The SPDX identifier of the license.
    package let license: String
    /// The digest as 64 lower-case hexadecimal digits.
    package let sha256: String
    /// The number of stored columns; nil if the file has no readable header.
    package let width: Int?
    /// The number of stored rows; nil if the file has no readable header.
    package let height: Int?
    /// The purpose of the file.
    package let purpose: String
    /// The short name of the expected error; only malformed files have one.
    package let expected: String?

    private enum CodingKeys: String, CodingKey {
      case path, origin, sha256, width, height, purpose, expected
      case license = "licence"
    }

    /// The last part of the path.
    package var name: String { String(path.split(separator: "/").last ?? "") }
    /// The absolute path of the file.
    package var filePath: String { "\(TestImages.folder)/\(path)" }
    /// The path, so that a failing test case names its file.
    package var description: String { path }

    /// Reads the whole file.
    package func bytes() throws -> [UInt8] { try TestImages.read(filePath) }
  }

  /// The folder `TestImages` of the package.
  package static var folder: String { "\(packageRoot)/TestImages" }

  /// The folder that holds `Package.swift`.
  package static var packageRoot: String {
    // This file is three path components below the root.
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  }

  /// All entries of the manifest, sorted by path.
  package static func manifest() throws -> [Entry] {
    let data = try Data(contentsOf: URL(filePath: "\(folder)/MANIFEST.json"))
    return try JSONDecoder().decode([Entry].self, from: data)
  }

  /// The entries of all readable images.
  package static func inputs() throws -> [Entry] {
    try manifest().filter { $0.path.hasPrefix("inputs/") }
  }

  /// The entries of all files that must be rejected.
  package static func malformed() throws -> [Entry] {
    try manifest().filter { $0.path.hasPrefix("malformed/") }
  }

  /// The absolute path of a file, by its path in `TestImages` or its name in `inputs`.
  package static func path(_ name: String) -> String {
    name.contains("/") ? "\(folder)/\(name)" : "\(folder)/inputs/\(name)"
  }

  /// The URL of a file, by its path in `TestImages` or its name in `inputs`.
  package static func url(_ name: String) -> URL { URL(filePath: path(name)) }

  /// Reads a file by its path in `TestImages` or its name in `inputs`.
  package static func bytes(_ name: String) throws -> [UInt8] { try read(path(name)) }

  /// All regular files in `TestImages` except the manifest, sorted by path.
  ///
  /// Edited files next to the images are excluded because the README suggests such edits; so are
  /// candidates of goldens.
  package static func filesOnDisk() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { path in
        var isFolder = false
        return FileManager.default.fileExists(atPath: "\(folder)/\(path)", isDirectory: &isFolder)
          && !isFolder && path != "MANIFEST.json" && !path.hasSuffix(".aae")
          && !path.contains(".edited.") && !path.contains(".candidate.")
          && !path.contains(".photoedit")
      }
      .sorted()
  }

  /// The SHA-256 of a file in `TestImages`, in the notation of the manifest.
  package static func sha256(_ path: String) throws -> String {
    try SHA256Digest(of: read("\(folder)/\(path)")).hex
  }

  private static func read(_ path: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: URL(filePath: path)))
  }
}
