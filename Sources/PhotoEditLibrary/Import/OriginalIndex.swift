// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite
package import PhotoEditStorage
import Synchronization

/// The files of a library, for detecting duplicates without copying.
final class OriginalIndex: Sendable {
  private let sizes: Set<Int>
  private let library: LibraryReader
  let isUsed: Bool

  init(_ library: LibraryReader, isUsed: Bool) throws(LibraryError) {
    self.library = library
    self.isUsed = isUsed
    guard isUsed else {
      sizes = []
      return
    }
    sizes = Set(
      try library.read { database throws(LibraryError) in
        try database.all("SELECT DISTINCT size FROM resource") { Int($0.int(0)) }
      })
  }

  /// Returns the entries of a group if the library already has all its files; otherwise nil.
  ///
  /// Adjustment data and XMP count as present only in the asset of their original, since those of
  /// other photos may be identical. An unreadable file counts as unknown; the next step that reads
  /// it reports the error.
  ///
  /// - Parameter restoresTrashed: Whether an asset in the trash is not known, as it is restored.
  func lines(
    of group: ImportGroup, restoresTrashed: Bool = false
  ) throws(LibraryError) -> [ImportedFile]? {
    guard isUsed, let digest = digest(of: group.original.path) else { return nil }
    let isLone = group.files.allSatisfy { $0 == group.original || $0 == group.packet }
    let (asset, known) = try find(digest, orRendering: isLone)
    guard let asset, let known, !known.isTrashed || !restoresTrashed else { return nil }
    func duplicate(_ path: String, of asset: Original) -> ImportedFile {
      ImportedFile(path, duplicateOf: asset.name, isTrashed: known.isTrashed)
    }
    var lines = group.original.stored == nil ? [duplicate(group.original.path, of: asset)] : []
    let storedDigests = Set(known.resources.values.map(\.digest))
    let others = [group.movie, group.alternate].compactMap { $0 }
    for file in group.files where file != group.original {
      // The JSON files of one photo differ from export to export.
      if file == group.packet, known.resources[.sidecar] != nil, file.isDescription {
        let isStored = self.digest(of: file.path).map { storedDigests.contains($0.bytes) } == true
        lines.append(
          isStored
            ? duplicate(file.path, of: asset)
            : ImportedFile(file.path, .read, asset: asset.name, reason: .superseded))
        continue
      }
      guard let digest = self.digest(of: file.path) else { return nil }
      if storedDigests.contains(digest.bytes) {
        lines.append(duplicate(file.path, of: asset))
      } else if others.contains(file), let other = try find(digest).asset {
        lines.append(duplicate(file.path, of: other))
      } else {
        return nil
      }
    }
    return lines
  }

  /// Returns whether a file is the original of an asset that was edited here.
  func isEdited(_ file: ImportScan.File) throws(LibraryError) -> Bool {
    guard isUsed, let digest = digest(of: file.path), let known = try find(digest).known else {
      return false
    }
    return known.hasHistory && known.resources[.photo]?.digest == digest.bytes
  }

  struct Original {
    /// The local identifier; nil if this process may not access it.
    let name: String?
  }

  /// Returns the asset that has the bytes as its original, or else as its current version, with its
  /// files.
  func find(_ digest: SHA256Digest, orRendering: Bool = false) throws(LibraryError) -> (
    asset: Original?, known: ExistingAsset?
  ) {
    let known = try library.read { database throws(LibraryError) -> ExistingAsset? in
      guard let found = try database.asset(withOriginal: digest, orRendering: orRendering) else {
        return nil
      }
      return try ExistingAsset(found, in: database)
    }
    return (known.map { Original(name: library.visibleName($0.identifier)) }, known)
  }

  /// Returns the digest of a file; nil without reading it if no library file has the same size.
  private func digest(of path: String) -> SHA256Digest? {
    guard let size = FileVersion(path)?.size, sizes.contains(size),
      (try? FileSystem.entry(at: FileSystem.resolved(path))) == .file
    else { return nil }
    return try? FileBytes.digest(of: path)
  }
}

/// Lookup of assets and originals by content.
extension PhotoLibrary {
  /// Returns the local identifier of the asset with an original of these bytes, or nil if there is
  /// none that this process may access.
  package func identifier(
    ofOriginal digest: SHA256Digest
  ) throws(LibraryError) -> String? {
    try reader.read { database throws(LibraryError) in
      try database.asset(withOriginal: digest)
    }.flatMap { reader.visibleName($0) }
  }

  /// Returns the path and the digest of an asset's original, or nil if it has none.
  package func original(
    of asset: Asset
  ) throws(LibraryError) -> (path: String, digest: SHA256Digest)? {
    guard let identifier = LocalIdentifier(asset.localIdentifier, as: .asset),
      let original = try reader.versions(of: identifier).original,
      let digest = SHA256Digest(bytes: original.digest)
    else { return nil }
    return (reader.layout.path(original.file), digest)
  }
}
