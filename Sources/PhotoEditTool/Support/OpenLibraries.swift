// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCommandLine
import PhotoEditLibrary
import PhotoEditStorage

/// The libraries that a command works in, open until it ends.
enum OpenLibraries {
  private static let open = Guarded<[PhotoLibrary]>([])

  /// The library in a folder, the same object for every input of a command.
  ///
  /// Warns when opening it has changed its database.
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

  /// Closes the libraries, after the manifests beside the photos have followed what was changed.
  ///
  /// That is done once for a command and not after each input: they are written and synced together.
  ///
  /// - Parameter inHaste: Whether that is left to the next program that writes.
  static func close(inHaste: Bool) {
    let libraries = open.withLock { open in
      defer { open = [] }
      return open
    }
    guard !inHaste else { return }
    for library in libraries { library.finishChanges() }
    // Dispatch releases a queue on another thread, and waits for ever where there is none.
    if !Threads.areAvailable(1) { open.withLock { $0 = libraries } }
  }
}
