// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditStorage

/// The files of one commit: staged first, renamed into place just before the database commits.
///
/// Before the first file is renamed, all paths are written to an intent file that this process
/// keeps locked. An unlocked intent file means that the process ended between renaming and commit;
/// the files that are not in the database are then removed; see `PhotoLibrary.cleanUp`.
final class TransactionFiles {
  let layout: LibraryLayout
  private var folder: StagingFolder?
  private var moves: [(staged: String, file: String)] = []
  private var published: [String] = []
  private var intent: IntentFile?
  private var count = 0

  init(_ layout: LibraryLayout) { self.layout = layout }

  /// Returns a path for a new unfinished file, on the same file system as the library.
  func newPath() throws(LibraryError) -> String {
    count += 1
    if let folder { return folder.file("\(count)") }
    let created = try inFiles(layout.makeStagingFolder())
    folder = created
    return created.file("\(count)")
  }

  /// Schedules the move of a staged and synced file to a path relative to the library.
  func place(_ staged: String, at file: String) { moves.append((staged, file)) }

  /// Renames all files into place and syncs their folders; the last step before the commit.
  ///
  /// From then on, no file can be written, and its modification time is the commit's date: from a
  /// later time, `LibraryCheck` concludes that the file was written nevertheless.
  ///
  /// - Parameter date: The date of the commit, in seconds since 1970.
  func publish(at date: Double) throws(LibraryError) {
    guard !moves.isEmpty else { return }
    do throws(FileError) {
      _ = try layout.hasFolder(LibraryLayout.stagingName)
      intent = try IntentFile(in: layout.staging, files: moves.map(\.file))
      var folders: Set<String> = []
      for move in moves {
        let path = layout.path(move.file)
        if folders.insert(FileSystem.folder(of: path)).inserted {
          folders.formUnion(try layout.createFolder(FileSystem.folder(of: move.file)))
        }
        FileSystem.makeReadOnly(move.staged)
        FileSystem.setModificationTime(of: move.staged, to: date)
        let isNew = !FileSystem.itemExists(path)
        try FileSystem.rename(move.staged, to: path)
        // An existing file has the same name, hence the same bytes, and belongs to a version.
        if isNew { published.append(path) }
      }
      for folder in folders.sorted() { try FileSystem.syncFolder(folder) }
    } catch {
      rollBack()
      throw LibraryError(error)
    }
  }

  /// Removes the published files after a failed commit.
  func rollBack() {
    for path in published {
      // A file that cannot be removed is an orphan that `library check` reports.
      do throws(FileError) { try FileSystem.remove(path) } catch {}
      FileSystem.removeFolderIfEmpty(FileSystem.folder(of: path))
    }
    published = []
    end()
  }

  /// Leaves the published files and the intent file to the next process that opens the library.
  ///
  /// After a failed commit it is unknown whether its rows will exist; this is checked then.
  func keepForRecovery() {
    published = []
    // Closed but not removed: the lock is released, and the paths are kept.
    intent = nil
    end()
  }

  /// Ends the commit; no files remain staged.
  func end() {
    intent?.remove()
    intent = nil
    folder?.discard()
    folder = nil
  }
}

/// The paths that a commit is about to create, in a file that its process keeps locked.
final class IntentFile {
  static let prefix = "intent-"
  private let file: OpenFile

  init(in folder: String, files: [String]) throws(FileError) {
    file = try OpenFile(creating: folder + "/" + Self.prefix + UUID().uuidString)
    do throws(FileError) {
      _ = try file.lock()
      try write(files.map { $0 + "\n" }.joined())
    } catch {
      remove()
      throw error
    }
  }

  private func write(_ text: String) throws(FileError) {
    let result: Result<Void, FileError> = Array(text.utf8).withUnsafeBytes { bytes in
      do throws(FileError) { return .success(try file.write(bytes)) } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  func remove() { unlink(file.path) }
}
