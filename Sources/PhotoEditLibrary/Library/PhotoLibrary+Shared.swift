// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditStorage

extension PhotoLibrary {
  /// The environment variable with the path of this user's library.
  public static let folderVariable = "PHOTOEDIT_LIBRARY"

  private struct Weak: Sendable {
    weak let library: PhotoLibrary?
  }

  private static let open = LockedValue<[String: Weak]>([:])

  /// Returns the library in a folder, the same object for all callers in this process.
  ///
  /// Two paths to the same folder return the same library. The object is released with its last
  /// reference.
  public static func shared(at url: URL) throws(LibraryError) -> PhotoLibrary {
    let path: String
    do throws(FileError) { path = try FileSystem.resolved(url.path) } catch {
      throw error.kind == .missing ? .noLibrary(url.path) : LibraryError(error)
    }
    let result: Result<PhotoLibrary, LibraryError> = open.withLock { open in
      if let known = open[path]?.library { return .success(known) }
      do throws(LibraryError) {
        let library = try PhotoLibrary(at: URL(filePath: path))
        open = open.filter { $0.value.library != nil }
        open[path] = Weak(library: library)
        return .success(library)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Returns the library at the path in the environment variable `PHOTOEDIT_LIBRARY`.
  ///
  /// - Throws: `LibraryError` with `missingResource` if the variable is not set.
  public static func shared() throws(LibraryError) -> PhotoLibrary {
    guard let folder = ProcessInfo.processInfo.environment[folderVariable], !folder.isEmpty else {
      throw LibraryError(
        .missingResource, "\(folderVariable) is not set to a library",
        hint: "set it to a library folder, or use shared(at:)")
    }
    return try shared(at: URL(filePath: folder))
  }
}
