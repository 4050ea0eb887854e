// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

extension FileSystem {
  /// The beginning of the names of all temporary files.
  private static let temporaryPrefix = ".photoedit-"
  /// The depth to which folders are searched.
  private static let maximumDepth = 64

  /// Removes old temporary files of this user in a folder and its subfolders.
  ///
  /// Symbolic links are not followed. What cannot be removed is left.
  ///
  /// - Parameter seconds: The age of the files, which excludes those of running processes.
  /// - Returns: The number of removed files and folders.
  package static func sweep(_ folder: String, olderThan seconds: Int) -> Int {
    do throws(FileError) {
      return try sweep(OpenFile(folder: folder), before: time(nil) - seconds, depth: 0)
    } catch {
      return 0
    }
  }

  private static func sweep(
    _ folder: borrowing OpenFile, before limit: Int, depth: Int
  ) throws(FileError) -> Int {
    var count = 0
    for name in try folder.names() {
      var status = stat()
      guard fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      let isOld = status.st_mtim.tv_sec < limit && status.st_uid == geteuid()
      do throws(FileError) {
        if name.hasPrefix(temporaryPrefix) {
          guard isOld else { continue }
          if isFolder { try OpenFile(folder: name, in: folder).removeFiles() }
          if unlinkat(folder.descriptor, name, isFolder ? AT_REMOVEDIR : 0) == 0 { count += 1 }
        } else if isFolder, depth < maximumDepth {
          count += try sweep(OpenFile(folder: name, in: folder), before: limit, depth: depth + 1)
        }
      } catch {}
    }
    return count
  }
}
