// SPDX-License-Identifier: Apache-2.0
import Glibc

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
    var template = Array((parent + "/" + Self.prefix + "XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      let code = errno
      guard code != ENOENT && code != ENOTDIR else {
        throw FileError(.noPlace, path: parent, reason: "there is no such folder to write to")
      }
      throw FileError(errno: code, "cannot create a file here", path: parent)
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    do throws(FileError) {
      handle = try LockedFolder(path)
    } catch {
      rmdir(path)
      throw error
    }
  }

  /// A path in the folder.
  public func file(_ name: String) -> String { path + "/" + name }

  /// Removes the folder with everything in it; what was published elsewhere stays.
  public func discard() {
    // Failing to remove litter must not hide the error that led here; the next session reaps it.
    do throws(FileError) { try FileSystem.removeFolder(path) } catch {}
  }

  deinit { discard() }

  /// Removes staging folders of sessions that no longer live.
  public static func reapAbandoned(in parent: String) {
    // Reaping is a courtesy: what cannot be listed, locked or removed is left to a later session.
    do throws(FileError) {
      for name in try FileSystem.names(in: parent) where name.hasPrefix(prefix) {
        do throws(FileError) {
          let folder = try OpenFile(folder: parent + "/" + name)
          if try folder.lock(waits: false) { try FileSystem.removeFolder(folder.path) }
        } catch {}
      }
    } catch {}
  }
}

private final class LockedFolder: Sendable {
  let folder: OpenFile

  init(_ path: String) throws(FileError) {
    folder = try OpenFile(folder: path)
    guard try folder.lock(waits: false) else {
      throw FileError(.busy, path: path, reason: "another session reaps this folder; try again")
    }
  }
}
