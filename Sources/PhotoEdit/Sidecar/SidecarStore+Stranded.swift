// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditContainers
import PhotoEditStorage

extension SidecarStore {
  /// Sidecars in the folder whose photo is gone and that record this one: it was renamed alone.
  package func strandedSidecars() -> [String] {
    guard entry(at: paths.sidecar) == nil else { return [] }
    var own: Set<Digest>?
    var found: [String] = []
    do throws(FileError) {
      for name in try FileSystem.names(in: paths.folder) where name.hasSuffix(".aae") {
        let photo = paths.folder + "/" + name.dropLast(4)
        let path = SidecarPaths(photo: photo, contentExtension: paths.contentExtension).sidecar
        guard !FileSystem.isThere(photo), let document = Self.document(at: path) else { continue }
        if own == nil { own = try photoDigests.all(of: paths.photo) }
        if let own, !own.isDisjoint(with: document.photoDigests) { found.append(name) }
      }
    } catch {
      // What cannot be listed is not told; the photo itself is reported by its own rules.
    }
    return found
  }

  private static func document(at path: String) -> SidecarDocument? {
    guard let list = try? PropertyList(reading: path) else { return nil }
    return try? SidecarDocument(list, path: path)
  }
}
