// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditLibrary
import Synchronization

/// The libraries that a command works in, open until it ends.
enum OpenLibraries {
  private static let open = Mutex<[PhotoLibrary]>([])

  /// The library in a folder, the same object for every input of a command.
  static func library(in folder: String) throws(LibraryError) -> PhotoLibrary {
    let library = try PhotoLibrary.shared(at: URL(filePath: folder))
    open.withLock { open in
      if !open.contains(where: { $0 === library }) { open.append(library) }
    }
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
  }
}
