// SPDX-License-Identifier: Apache-2.0
package import FoundationEssentials
import PhotoEditPlatform

/// A new empty folder that is removed with its contents when the last reference is released.
///
/// Keep the object as long as the folder is needed, in a stored property of the suite or with
/// `withExtendedLifetime`; a copy of its path does not keep the folder.
package final class TemporaryFolder: Sendable {
  /// The absolute path of the folder, without a trailing slash.
  package let path: String

  /// Creates a folder with an unused name in `TMPDIR` or `/tmp`.
  package init() throws {
    let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    var template = Array("\(parent)/photoedit-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw CreationError(parent: parent, reason: String(cString: strerror(errno)))
    }
    path = template.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { String(cString: $0) } ?? ""
    }
  }

  deinit {
    // A test may have removed permissions; a remaining folder must not fail another test.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of a file in the folder.
  package func path(_ name: String) -> String { "\(path)/\(name)" }

  /// The URL of a file in the folder.
  package func url(_ name: String) -> URL { URL(filePath: path(name)) }

  /// Writes a file into the folder and returns its path.
  @discardableResult
  package func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: url(name))
    return path(name)
  }

  /// The error for a folder that could not be created.
  package struct CreationError: Error, CustomStringConvertible {
    let parent: String
    let reason: String

    /// "cannot make a folder in /tmp: Permission denied; set TMPDIR to a place to write".
    package var description: String {
      "cannot make a folder in \(parent): \(reason); set TMPDIR to a place to write"
    }
  }
}
