// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditStorage

/// The folders to which one call writes many small files, each of them atomically.
///
/// Every file is synced, then renamed into place; the folders are synced together at the end.
struct ThumbnailFolders: Sendable {
  private var stagings: [String: StagingFolder] = [:]

  /// Creates a staging folder in each folder; if that fails, the error is reported with the file to
  /// be written there.
  init(_ folders: Set<String>) {
    for folder in folders {
      do throws(FileError) { stagings[folder] = try StagingFolder(in: folder) } catch {}
    }
  }

  /// Writes a file atomically.
  ///
  /// - Parameters:
  ///   - number: Distinguishes the file from others that are written at the same time.
  ///   - input: A file that is never replaced.
  ///   - original: The photo, whose read permissions the file does not exceed.
  func write(
    _ bytes: [UInt8], to path: String, number: Int, replacesFiles: Bool, notOver input: String?,
    like original: String?
  ) throws(CommandFailure) {
    try Publishing.check(path, replacesFiles: replacesFiles, notOver: input)
    let folder = FileSystem.folder(of: path)
    try translating({ CommandFailure($0) }) { () throws(FileError) in
      // If there is no staging folder, creating it here reports the reason.
      let staging = if let known = stagings[folder] { known } else { try StagingFolder(in: folder) }
      let staged = staging.file("\(number)")
      let file = try OpenFile(creating: staged)
      try file.write(bytes)
      try file.sync()
      try FileSystem.publish(staged, as: path, replacing: replacesFiles, like: original)
    }
  }

  /// Syncs the folders and removes unfinished files.
  func finish() throws(CommandFailure) {
    for (folder, staging) in stagings {
      staging.discard()
      try mapFileErrors(FileSystem.syncFolder(folder))
    }
  }
}
