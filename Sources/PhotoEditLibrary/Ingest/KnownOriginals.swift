// SPDX-License-Identifier: Apache-2.0
import Database
import Storage
import Synchronization

/// The originals of a library, to tell duplicates without copying them.
final class KnownOriginals: Sendable {
  private let sizes: Set<Int>
  private let library: PhotoLibrary
  let isUsed: Bool
  /// What a dry run has come across.
  private let seen = Mutex<Set<Digest>>([])

  init(_ library: PhotoLibrary, isUsed: Bool) throws(LibraryError) {
    self.library = library
    self.isUsed = isUsed
    guard isUsed else {
      sizes = []
      return
    }
    sizes = Set(
      try library.read { database throws(LibraryError) in
        try database.all("SELECT DISTINCT size FROM resource WHERE type IN (1, 2, 3)") {
          Int($0.int(0))
        }
      })
  }

  /// An asset that has some bytes as its original.
  struct Original: Sendable {
    /// Its local identifier; nil where this program may not see it.
    let asset: String?
  }

  /// The asset that has the bytes of a file as its original; nil when there is none.
  ///
  /// A file whose size no original has is not even read. One that cannot be read is none that is
  /// known; whoever reads it next says why.
  func asset(withOriginal path: String) throws(LibraryError) -> Original? {
    guard isUsed, let size = FileVersion(path)?.size, sizes.contains(size),
      (try? FileSystem.entry(at: FileSystem.resolved(path))) == .file,
      let digest = try? FileBytes.digest(of: path)
    else { return nil }
    return try asset(digest)
  }

  func asset(_ digest: Digest) throws(LibraryError) -> Original? {
    try library.read { database throws(LibraryError) in
      try database.asset(withOriginal: digest)
    }.map { Original(asset: library.visibleName($0)) }
  }

  /// Whether a dry run comes across some bytes for the first time.
  func isFirst(_ digest: Digest) -> Bool { seen.withLock { $0.insert(digest).inserted } }
}
