// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditStorage

/// The folders into which one call writes many small files, each of them whole at once.
///
/// Every file is durable before it gets its name; the names become durable together, at the end.
struct ThumbnailFolders: Sendable {
  private var stagings: [String: StagingFolder] = [:]

  /// Makes room for unfinished files in each folder; one that cannot take any is told with the
  /// file that was to go there.
  init(_ folders: Set<String>) {
    for folder in folders {
      do throws(FileError) { stagings[folder] = try StagingFolder(in: folder) } catch {}
    }
  }

  /// Writes a file under a name in one step.
  ///
  /// - Parameters:
  ///   - number: Tells the file from others that are written at the same time.
  ///   - input: A file that must not be replaced, whatever is allowed.
  ///   - original: The photo; the file is not more readable.
  func write(
    _ bytes: [UInt8], to path: String, number: Int, replacesFiles: Bool, notOver input: String?,
    like original: String?
  ) throws(CommandFailure) {
    try Publishing.check(path, replacesFiles: replacesFiles, notOver: input)
    let folder = FileSystem.folder(of: path)
    try filing { () throws(FileError) in
      // Making one here says why there was none.
      let staging = if let known = stagings[folder] { known } else { try StagingFolder(in: folder) }
      let staged = staging.file("\(number)")
      let file = try OpenFile(creating: staged)
      try file.write(bytes)
      try file.sync()
      try FileSystem.publish(staged, as: path, replacing: replacesFiles, like: original)
    }
  }

  /// Makes the names durable and removes what is unfinished.
  func finish() throws(CommandFailure) {
    for (folder, staging) in stagings {
      staging.discard()
      try filing(FileSystem.syncFolder(folder))
    }
  }
}
