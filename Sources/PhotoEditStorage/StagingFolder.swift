// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// A hidden folder that holds a session's unfinished files beside the place they are meant for.
///
/// The session holds the folder's lock, which the kernel releases when the process ends in any
/// way. A folder whose lock is free is abandoned, and the next session that starts there reaps it.
public final class StagingFolder: Sendable {
  static let prefix = ".photoedit-staging-"

  /// The folder.
  public let path: String
  private let handle: LockedFolder

  /// Makes a staging folder inside `parent` and reaps the abandoned ones beside it.
  public init(in parent: String) throws(FileError) {
    Self.reapAbandoned(in: parent)
    // Between its creation and its lock a folder looks abandoned, and another session may reap it.
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
    throw FileError(.busy, path: parent, reason: "other sessions reap every new folder")
  }

  private static func make(in parent: String) throws(FileError) -> String {
    var template = Array((parent + "/" + Self.prefix + "XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      let code = errno
      guard code != ENOENT && code != ENOTDIR else {
        throw FileError(.noPlace, path: parent, reason: "there is no such folder to write to")
      }
      throw FileError(errno: code, "cannot create a file here", path: parent)
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// A path in the folder.
  public func file(_ name: String) -> String { path + "/" + name }

  /// Removes the folder with everything in it; what was published elsewhere stays.
  public func discard() {
    // Failing to remove litter must not hide the error that led here; the next session reaps it.
    do throws(FileError) { try handle.folder.removeFiles() } catch {}
    // By whatever path: this removes nothing but an empty folder.
    rmdir(path)
  }

  deinit { discard() }

  /// Removes staging folders of this user's sessions that no longer live.
  ///
  /// In a folder that others may write to, they may put folders of such names, and exchange them at
  /// any time: everything goes by descriptors, and what another user owns or may write to stays.
  public static func reapAbandoned(in parent: String) {
    // Reaping is a courtesy: what cannot be listed, locked or removed is left to a later session.
    do throws(FileError) {
      let parent = try OpenFile(folder: parent)
      for name in try parent.names() where isName(name) {
        do throws(FileError) {
          let folder = try OpenFile(folder: name, in: parent)
          guard folder.isPrivate(), try folder.lock() == .taken else { continue }
          try folder.removeFiles()
          parent.removeFolderIfEmpty(name)
        } catch {}
      }
    } catch {}
  }

  private static func isName(_ name: String) -> Bool {
    name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + 6
  }
}

private final class LockedFolder: Sendable {
  let folder: OpenFile

  /// Opens and locks a new folder; nil when another session was faster and reaps it.
  init?(_ path: String) throws(FileError) {
    do throws(FileError) {
      folder = try OpenFile(folder: path, followsLink: false)
    } catch {
      if error.kind == .missing { return nil }
      throw error
    }
    guard try folder.lock() != .heldElsewhere, try folder.isLinked() else { return nil }
  }
}
