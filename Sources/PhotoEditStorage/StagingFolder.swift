// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem
import PhotoEditPlatform

/// A hidden folder for a session's unfinished files, next to their destination.
///
/// The session holds the folder's lock, which the kernel releases when the process ends. A
/// folder whose lock is free is stale, and the next session that starts there removes it.
public final class StagingFolder: Sendable {
  static let prefix = ".photoedit-staging-"

  /// The path of the folder.
  public let path: String
  private let handle: LockedFolder

  /// Creates a staging folder inside `parent` and removes stale ones next to it.
  public init(in parent: String) throws(FileError) {
    Self.removeStaleStaging(in: parent)
    // Before it is locked, a new folder looks stale, and another session may remove it.
    for _ in 0..<100 {
      let candidate = try Self.make(in: parent)
      do throws(FileError) {
        if let handle = try LockedFolder(candidate) {
          path = candidate
          self.handle = handle
          return
        }
      } catch {
        rmdir(candidate)
        throw error
      }
    }
    throw FileError(.busy, path: parent, reason: "temporary folder was removed by another process")
  }

  private static func make(in parent: String) throws(FileError) -> String {
    var template = Array((parent + "/" + Self.prefix + "XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw failure(errno, in: parent)
    }
    let bytes = template.dropLast().map { UInt8(truncatingIfNeeded: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the error for a folder in which no file can be created.
  static func failure(_ code: Int32, in parent: String) -> FileError {
    guard code != ENOENT && code != ENOTDIR else {
      return FileError(
        .invalidDestination, path: parent, reason: "destination folder does not exist")
    }
    return FileError(errno: code, "cannot create a file here", path: parent)
  }

  /// Returns a path in the folder.
  public func file(_ name: String) -> String { path + "/" + name }

  /// Removes the folder with everything in it; files that were published elsewhere stay.
  public func discard() {
    // A failure here must not hide the original error; the next session removes the rest.
    do throws(FileError) { try handle.folder.removeAll() } catch {}
    // Safe for any path: this only removes an empty folder.
    rmdir(path)
  }

  deinit { discard() }

  /// Removes staging folders of this user's sessions that have ended.
  ///
  /// In a folder that other users may write to, they can create folders with such names and replace
  /// them at any time. Therefore everything uses descriptors, and files that belong to another user
  /// or that another user may write to are kept.
  public static func removeStaleStaging(in parent: String) {
    // Failures are ignored: folders that cannot be removed are left to a later session.
    do throws(FileError) {
      let parent = try OpenFile(folder: parent)
      for name in try parent.names() { _ = removeIfStale(name, in: parent) }
    } catch {}
  }

  /// Removes a folder if it is the staging folder of a session of this user that has ended.
  ///
  /// - Returns: Whether it was removed.
  static func removeIfStale(_ name: String, in parent: borrowing OpenFile) -> Bool {
    guard isName(name) else { return false }
    do throws(FileError) {
      let folder = try OpenFile(folder: name, in: parent)
      guard folder.isPrivate(), try folder.lock() == .acquired else { return false }
      try folder.removeAll()
      return unlinkat(parent.descriptor, name, AT_REMOVEDIR) == 0
    } catch {
      return false
    }
  }

  private static func isName(_ name: String) -> Bool {
    name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + 6
  }
}

private final class LockedFolder: Sendable {
  let folder: OpenFile

  /// Opens and locks a new folder; returns nil if another session is removing it.
  init?(_ path: String) throws(FileError) {
    do throws(FileError) {
      folder = try OpenFile(folder: path, followsLink: false)
    } catch {
      if error.kind == .missing { return nil }
      throw error
    }
    guard try folder.lock() != .busy, try folder.isLinked() else { return nil }
  }
}
