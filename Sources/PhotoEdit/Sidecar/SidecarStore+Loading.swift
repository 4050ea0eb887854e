// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage

/// The edits stored next to a photo.
struct LoadedSidecar {
  var document: SidecarDocument?
  var thirdParty: ThirdPartyEdit?
  var notices: [String] = []
}

/// An edit that another program recorded in its own file.
struct ThirdPartyEdit {
  var record: EditRecord
  var rendering: String
  /// Indicates whether the record states that the edit was made on the original.
  var isBasedOnOriginal: Bool
}

extension SidecarStore {
  /// Reads photoedit's sidecar, and a third-party one if photoedit's does not determine the edit.
  func load() throws(EditingError) -> LoadedSidecar {
    var stored = LoadedSidecar()
    if let list = try list(at: paths.sidecar) {
      guard SidecarDocument.isWrittenByPhotoEdit(list) else {
        // This is a third-party file with the name of photoedit's sidecar; its edit is read below.
        return try loadThirdPartyEdit([paths.sidecar], into: stored)
      }
      stored.document = try SidecarDocument(list, path: paths.sidecar)
    }
    if stored.document?.record != nil || stored.document?.hidesThirdPartyEdit == true {
      return stored
    }
    return try loadThirdPartyEdit(paths.thirdPartySidecars, into: stored)
  }

  private func loadThirdPartyEdit(_ candidates: [String], into stored: LoadedSidecar)
    throws(EditingError)
    -> LoadedSidecar
  {
    var stored = stored
    for path in candidates {
      let list: PropertyList
      do throws(EditingError) {
        guard let found = try self.list(at: path) else { continue }
        list = found
      } catch {
        // A damaged third-party file is no reason to reject the photo.
        stored.notices.append("\(error.path ?? path): \(error.message); the file is ignored")
        continue
      }
      // If a photo has no extension, its sidecar has the name that other programs use for sidecars.
      if SidecarDocument.isWrittenByPhotoEdit(list) { continue }
      guard let adjustment = AdjustmentData(list, isThirdParty: true) else {
        stored.notices.append("\(path): not readable adjustment data; the file is ignored")
        continue
      }
      // The adjustment data of a video with the same name is not that of a photo.
      if movieReader == nil, adjustment.isOfVideo { continue }
      guard let rendering = paths.thirdPartyRenderings.first(where: { entry(at: $0) == .file })
      else {
        stored.notices.append(
          "\(path): edit by \(adjustment.formatIdentifier), but its rendering is missing; "
            + "the original is used")
        continue
      }
      let digest = try mapFileErrors(self.digest(of: rendering))
      stored.thirdParty = ThirdPartyEdit(
        record: EditRecord(thirdParty: adjustment, list, current: digest),
        rendering: rendering, isBasedOnOriginal: list.isBasedOnOriginal)
      return stored
    }
    return stored
  }

  /// Reads a sidecar; nil if it does not exist.
  func list(at path: String) throws(EditingError) -> PropertyList? {
    try PropertyList(reading: path) { () throws(FileError) in try open(path) }
  }

  /// Hashes a file of the edit.
  func digest(of path: String) throws(FileError) -> SHA256Digest {
    try FileBytes.digest(of: try open(path))
  }

  func entry(at path: String) -> FileSystem.Entry? {
    do throws(FileError) { return try FileSystem.entry(at: path) } catch { return nil }
  }
}
