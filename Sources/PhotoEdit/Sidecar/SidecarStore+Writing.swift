// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The writing of the sidecar file.
extension SidecarStore {
  /// Renames a new sidecar over the old one, which commits a change; if the folder cannot be
  /// synced, restores the old one.
  func write(
    _ document: SidecarDocument, over old: SidecarDocument?
  ) throws(EditingError) {
    try checkSidecarPath(knowing: old)
    let bytes = try document.encoded(for: paths.sidecar)
    try translating(EditingError.init) { () throws(FileError) in
      let staging = try StagingFolder(in: paths.folder)
      defer { staging.discard() }
      let path = staging.file("sidecar")
      let file = try OpenFile(creating: path)
      try file.write(bytes)
      FileSystem.share(path, like: paths.photo)
      try file.sync()
      let isFirst = try FileSystem.entry(at: paths.sidecar) == nil
      let previous = staging.file("previous")
      if !isFirst { try FileSystem.duplicate(paths.sidecar, to: previous) }
      try FileSystem.rename(path, to: paths.sidecar)
      do throws(FileError) {
        try FileSystem.syncFolder(paths.folder)
      } catch {
        do throws(FileError) {
          if isFirst {
            try FileSystem.remove(paths.sidecar)
          } else {
            try FileSystem.rename(previous, to: paths.sidecar)
          }
        } catch {
          // The new sidecar is in place, so the change is complete; throwing an error would be
          // wrong.
          return
        }
        throw error
      }
    }
  }
}
