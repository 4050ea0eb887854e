// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
import PhotoEditStorage

/// Finds and reads the pictures under `TestImages`, and the manifest that describes them.
package enum TestImages {
  /// What the manifest says of one file.
  package struct Entry: Decodable, Hashable, Sendable, CustomStringConvertible {
    /// The place below `TestImages`: "inputs/photo-64.jpg".
    package let path: String
    /// Where the file comes from, as one phrase.
    package let origin: String
    /// SPDX identifier of the licence.
    package let licence: String
    /// 64 lower-case hexadecimal digits.
    package let sha256: String
    /// Columns as stored; nil where a file has no readable header.
    package let width: Int?
    /// Rows as stored; nil where a file has no readable header.
    package let height: Int?
    /// What the file is for.
    package let purpose: String
    /// The short name of the refusal; malformed files alone have one.
    package let expected: String?

    /// The last part of the path.
    package var name: String { String(path.split(separator: "/").last ?? "") }
    /// The file's place on this machine.
    package var filePath: String { "\(TestImages.folder)/\(path)" }
    /// The path, so that a failing case of a table names its file.
    package var description: String { path }

    /// Reads the whole file.
    package func bytes() throws -> [UInt8] { try TestImages.read(filePath) }
  }

  /// The folder `TestImages` of the package.
  package static var folder: String { "\(packageRoot)/TestImages" }

  /// The folder that holds `Package.swift`.
  package static var packageRoot: String {
    // Tests/PhotoEditTestSupport/TestImages.swift: three names below the root.
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  }

  /// All entries of the manifest, sorted by path.
  package static func manifest() throws -> [Entry] {
    let data = try Data(contentsOf: URL(filePath: "\(folder)/MANIFEST.json"))
    return try JSONDecoder().decode([Entry].self, from: data)
  }

  /// The entries of all pictures that must be read.
  package static func inputs() throws -> [Entry] {
    try manifest().filter { $0.path.hasPrefix("inputs/") }
  }

  /// The entries of all files that must be refused.
  package static func malformed() throws -> [Entry] {
    try manifest().filter { $0.path.hasPrefix("malformed/") }
  }

  /// The place of a file on this machine, by its path below `TestImages` or its name in `inputs`.
  package static func path(_ name: String) -> String {
    name.contains("/") ? "\(folder)/\(name)" : "\(folder)/inputs/\(name)"
  }

  /// The URL of a file, by its path below `TestImages` or its name in `inputs`.
  package static func url(_ name: String) -> URL { URL(filePath: path(name)) }

  /// Reads a file, by its path below `TestImages` or its name in `inputs`.
  package static func bytes(_ name: String) throws -> [UInt8] { try read(path(name)) }

  /// Every regular file below `TestImages`, the manifest excepted, sorted by path.
  ///
  /// What an edit of a picture there leaves beside it is not counted, because the README invites to
  /// one; neither are candidates of goldens.
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

  /// The SHA-256 of a file below `TestImages`, in the manifest's spelling.
  package static func sha256(_ path: String) throws -> String {
    try Digest(of: read("\(folder)/\(path)")).hex
  }

  private static func read(_ path: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: URL(filePath: path)))
  }
}
