// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// A sidecar whose photo does not exist: the photo was renamed or moved without it.
package struct StrandedSidecar: Sendable {
  /// The path of the sidecar.
  package let path: String
  private let document: SidecarDocument

  /// Reads a sidecar; nil unless it is one of photoedit and its photo does not exist.
  package init?(at path: String) {
    guard path.hasSuffix(".aae"), !FileSystem.itemExists(String(path.dropLast(4))),
      let list = try? PropertyList(reading: path),
      let document = try? SidecarDocument(list, path: path)
    else { return nil }
    self.path = path
    self.document = document
  }

  /// Returns the digests by which sidecars recognize a photo: of its bytes and of its pixels.
  package static func digests(of photo: String) throws(EditingError) -> Set<SHA256Digest> {
    try mapFileErrors(PhotoDigests().all(of: photo))
  }

  /// Returns whether the sidecar records a photo with one of the digests.
  package func records(_ digests: Set<SHA256Digest>) -> Bool {
    !document.photoDigests.isDisjoint(with: digests)
  }

  /// Moves the sidecar, its rendering and base with their default names, and its journal to a photo
  /// that has no sidecar.
  ///
  /// Nothing is replaced. The sidecar is moved last, so that an interrupted call can be repeated;
  /// the rendering and the base are moved only if their contents are recorded.
  package func relink(to photo: String) throws(EditingError) {
    let fileExtension =
      document.rendering.map { FileSystem.splitName($0).fileExtension } == "mov" ? "mov" : "jpg"
    let old = SidecarPaths(photo: String(path.dropLast(4)), contentExtension: fileExtension)
    let new = SidecarPaths(photo: photo, contentExtension: fileExtension)
    try translating(EditingError.init) { () throws(FileError) in
      try Self.move(old.rendering, to: new.rendering, if: document.ownRenderings)
      try Self.move(old.base, to: new.base, if: document.ownBases)
      if FileSystem.isFolder(old.journal), !FileSystem.itemExists(new.journal) {
        if !FileSystem.isFolder(new.journals) { try FileSystem.createFolder(new.journals) }
        try FileSystem.renameExclusively(old.journal, to: new.journal)
        FileSystem.removeFolderIfEmpty(old.journals)
      }
      try FileSystem.renameExclusively(old.sidecar, to: new.sidecar)
      for folder in Set([old.folder, new.folder, old.journals, new.journals].map { PathKey($0) })
        .map(\.path)
      where FileSystem.isFolder(folder) {
        try FileSystem.syncFolder(folder)
      }
    }
  }

  private static func move(
    _ path: String, to target: String, if recorded: Set<SHA256Digest>
  ) throws(FileError) {
    guard path != target, try FileSystem.entry(at: path) == .file,
      !FileSystem.itemExists(target), recorded.contains(try FileBytes.digest(of: path))
    else { return }
    try FileSystem.renameExclusively(path, to: target)
  }
}

extension SidecarStore {
  /// Returns the sidecars in the folder that record this photo under a name that no longer exists,
  /// because the photo was renamed without its sidecar.
  package func strandedSidecars() -> [String] {
    guard entry(at: paths.sidecar) == nil else { return [] }
    var own: Set<SHA256Digest>?
    var found: [String] = []
    do throws(FileError) {
      for name in try FileSystem.names(in: paths.folder) where name.hasSuffix(".aae") {
        guard let stranded = StrandedSidecar(at: paths.folder + "/" + name) else { continue }
        if own == nil { own = try photoDigests.all(of: paths.photo) }
        if let own, stranded.records(own) { found.append(name) }
      }
    } catch {
      // A folder that cannot be listed is not reported here; the photo itself is reported
      // separately.
    }
    return found
  }
}
