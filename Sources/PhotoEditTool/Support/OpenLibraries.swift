// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCommandLine
import PhotoEditLibrary
import PhotoEditStorage

/// The libraries that a command uses, open until it ends.
enum OpenLibraries {
  private static let open = LockedValue<[PhotoLibrary]>([])

  /// Returns the library in a folder, the same object for every input of a command.
  ///
  /// Warns if opening it has changed its database.
  static func library(
    in folder: String, _ environment: CommandEnvironment
  ) throws(LibraryError) -> PhotoLibrary {
    let library = try PhotoLibrary.shared(at: URL(filePath: folder))
    let isNew = open.withLock { open in
      if open.contains(where: { $0 === library }) { return false }
      open.append(library)
      return true
    }
    if isNew, let migration = library.migration { environment.warn("\(folder): \(migration)") }
    return library
  }

  /// Closes the libraries after updating the manifests next to the photos.
  ///
  /// The manifests are updated once for a command and not after each input, so that they are
  /// written and synced together.
  ///
  /// - Parameter inHaste: Whether the update is left to the next program that writes.
  static func close(inHaste: Bool) {
    let libraries = open.withLock { open in
      defer { open = [] }
      return open
    }
    guard !inHaste else { return }
    for library in libraries { library.finishChanges() }
    // Dispatch releases a queue on another thread, and blocks permanently if no thread is
    // available.
    if !ThreadGroup.areAvailable(1) { open.withLock { $0 = libraries } }
  }
}
