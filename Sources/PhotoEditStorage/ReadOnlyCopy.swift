// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// A read-only copy of a file for code that opens it by path, made when the path is first needed.
///
/// A hard link would take no time, but writing to it would change the file under all its names, and
/// the superuser is not stopped by permissions. A copy shares the file's blocks if the file system
/// supports that.
package final class ReadOnlyCopy: Sendable {
  private struct Made {
    let folder: StagingFolder
    let path: String
    let version: FileVersion
  }

  private let name: String
  private let makeFolder: @Sendable () throws(FileError) -> StagingFolder
  private let write: @Sendable (_ path: String) throws(FileError) -> Void
  private let made = LockedValue<Made?>(nil)

  /// Creates the copy of bytes in memory or of a file, neither of which is read yet.
  ///
  /// - Parameters:
  ///   - name: The name of the copy.
  ///   - makeFolder: Creates the folder of the copy, which is removed with this object.
  ///   - write: Writes the copy to a path.
  package init(
    named name: String,
    in makeFolder: @escaping @Sendable () throws(FileError) -> StagingFolder,
    write: @escaping @Sendable (_ path: String) throws(FileError) -> Void
  ) {
    self.name = name
    self.makeFolder = makeFolder
    self.write = write
  }

  /// Returns the path of the copy, which exists as long as this object.
  ///
  /// After a failure, the next call tries again.
  package func path() throws(FileError) -> String {
    try made.withLock { made throws(FileError) in
      if let made { return made.path }
      let folder = try makeFolder()
      let path = folder.file(name)
      try write(path)
      FileSystem.makeReadOnly(path)
      guard let version = FileVersion(path) else {
        throw FileError(.missing, path: path, reason: "the copy was removed")
      }
      made = Made(folder: folder, path: path, version: version)
      return path
    }
  }

  /// Indicates whether the copy is made and unchanged since.
  fileprivate var isUnchanged: Bool {
    made.withLock { $0.map { FileVersion($0.path) == $0.version } ?? false }
  }

  /// The copies that were used last, which are kept even after the release of their owners, as long
  /// as there are their sources.
  package final class Recent: Sendable {
    /// The number of copies.
    private static let limit = 16
    private let copies = LockedValue<[(source: String, copy: ReadOnlyCopy)]>([])

    package init() {}

    /// Returns the unchanged copy of a source; nil if it is not among the last ones.
    package func copy(of source: String) -> ReadOnlyCopy? {
      let found = copies.withLock { copies in
        Self.removeDeleted(&copies)
        return copies.first { $0.source == source }?.copy
      }
      return found.flatMap { $0.isUnchanged ? $0 : nil }
    }

    /// Keeps a copy in place of the one that was not used for the longest time.
    package func keep(_ copy: ReadOnlyCopy, of source: String) {
      copies.withLock { copies in
        Self.removeDeleted(&copies)
        copies.removeAll { $0.source == source }
        if copies.count == Self.limit { copies.removeFirst() }
        copies.append((source, copy))
      }
    }

    /// Removes the copies of files that were deleted, such as those of a purged asset.
    private static func removeDeleted(_ copies: inout [(source: String, copy: ReadOnlyCopy)]) {
      copies.removeAll { !FileSystem.itemExists($0.source) }
    }
  }
}
