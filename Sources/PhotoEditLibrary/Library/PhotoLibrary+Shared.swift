// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditStorage

extension PhotoLibrary {
  /// The variable that names the library of this user.
  public static let folderVariable = "PHOTOEDIT_LIBRARY"

  private struct Weak: Sendable {
    weak let library: PhotoLibrary?
  }

  private static let open = Guarded<[String: Weak]>([:])

  /// The library in a folder, the same object for every caller in this program.
  ///
  /// Two paths that lead to one folder give one library. The object goes when nobody holds it.
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

  /// The library that the variable `PHOTOEDIT_LIBRARY` names.
  ///
  /// - Throws: `LibraryError` with `missingResource` when it names none.
  public static func shared() throws(LibraryError) -> PhotoLibrary {
    guard let folder = ProcessInfo.processInfo.environment[folderVariable], !folder.isEmpty else {
      throw LibraryError(
        .missingResource, "\(folderVariable) names no library",
        hint: "set it to the folder of a library, or use shared(at:)")
    }
    return try shared(at: URL(filePath: folder))
  }
}
