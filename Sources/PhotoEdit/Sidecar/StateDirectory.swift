// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditStorage

/// A directory that keeps edits of photos in folders that are not writable.
///
/// Each edit has a folder, named by the digest of the photo's pixels, with the sidecar, the
/// rendering, and the journal. The photo may be renamed, moved, and tagged; its last path is only
/// informative.
package enum StateDirectory {
  /// The environment variable that specifies the directory.
  package static let variable = "PHOTOEDIT_STATE"

  /// Returns the folder of a photo's edit.
  package static func folder(
    for photo: String, in directory: String
  ) throws(EditingError) -> String {
    if let pixels = PixelDigest.digest(of: photo) { return directory + "/" + pixels.hex }
    let file = try mapFileErrors(FileBytes.digest(of: photo))
    return directory + "/" + file.hex
  }
}

extension SidecarStore {
  /// Creates the folder of the edit if it is in a state directory.
  func createStateFolder() throws(EditingError) {
    guard paths.isInState else { return }
    try translating(EditingError.init) { () throws(FileError) in
      var missing: [String] = []
      var path = paths.folder
      while !FileSystem.isFolder(path) {
        missing.append(path)
        path = FileSystem.folder(of: path)
      }
      for folder in missing.reversed() { try FileSystem.createFolder(folder) }
    }
  }
}

extension SidecarDocument {
  /// Records the last known path of the photo, for users inspecting a state directory.
  mutating func notePhoto(at path: String) {
    let folder = try? FileSystem.resolved(FileSystem.folder(of: path))
    let photoPath = (folder ?? FileSystem.folder(of: path)) + "/" + FileSystem.lastName(of: path)
    unknown[Self.prefix + "photoPath"] = .string(photoPath)
  }
}
