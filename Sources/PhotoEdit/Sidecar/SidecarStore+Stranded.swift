// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditContainers
import PhotoEditStorage

extension SidecarStore {
  /// Returns the sidecars in the folder that record this photo under a name that no longer exists,
  /// because the photo was renamed without its sidecar.
  package func strandedSidecars() -> [String] {
    guard entry(at: paths.sidecar) == nil else { return [] }
    var own: Set<SHA256Digest>?
    var found: [String] = []
    do throws(FileError) {
      for name in try FileSystem.names(in: paths.folder) where name.hasSuffix(".aae") {
        let photo = paths.folder + "/" + name.dropLast(4)
        let path = SidecarPaths(photo: photo, contentExtension: paths.contentExtension).sidecar
        guard !FileSystem.itemExists(photo), let document = Self.document(at: path) else {
          continue
        }
        if own == nil { own = try photoDigests.all(of: paths.photo) }
        if let own, !own.isDisjoint(with: document.photoDigests) { found.append(name) }
      }
    } catch {
      // A folder that cannot be listed is not reported here; the photo itself is reported
      // separately.
    }
    return found
  }

  private static func document(at path: String) -> SidecarDocument? {
    guard let list = try? PropertyList(reading: path) else { return nil }
    return try? SidecarDocument(list, path: path)
  }
}
