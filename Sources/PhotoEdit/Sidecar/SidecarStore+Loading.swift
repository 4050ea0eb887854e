// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditContainers
import PhotoEditStorage

/// What lies beside a photo.
struct Stored {
  var document: SidecarDocument?
  var foreign: ForeignEdit?
  var notices: [String] = []
}

/// An edit that another program recorded in a file of its own.
struct ForeignEdit {
  var record: EditRecord
  var rendering: String
  /// Whether the record says that it was made on the original.
  var isBasedOnOriginal: Bool
}

extension SidecarStore {
  /// Reads our sidecar, and another program's where ours says nothing.
  func load() throws(EditingError) -> Stored {
    var stored = Stored()
    if let list = try PropertyList(reading: paths.sidecar) {
      guard SidecarDocument.isOurs(list) else {
        // Somebody else's file under our name is theirs; the edit in it is read below.
        return try loadForeign([paths.sidecar], into: stored)
      }
      stored.document = try SidecarDocument(list, path: paths.sidecar)
    }
    if stored.document?.record != nil || stored.document?.hidesForeign == true { return stored }
    return try loadForeign(paths.foreignSidecars, into: stored)
  }

  private func loadForeign(_ candidates: [String], into stored: Stored) throws(EditingError)
    -> Stored
  {
    var stored = stored
    for path in candidates {
      let list: PropertyList
      do throws(EditingError) {
        guard let found = try PropertyList(reading: path) else { continue }
        list = found
      } catch {
        // Somebody else's damage is no reason to refuse the photo.
        stored.notices.append("\(error.path ?? path): \(error.message); it is left alone")
        continue
      }
      // The sidecar of a photo without an extension has the name that others give to theirs.
      if SidecarDocument.isOurs(list) { continue }
      guard let adjustment = AdjustmentData(list, isForeign: true) else {
        stored.notices.append("\(path) is no record that can be read; it is left alone")
        continue
      }
      guard let rendering = paths.foreignRenderings.first(where: { entry(at: $0) == .file }) else {
        stored.notices.append(
          "\(path) records an edit by \(adjustment.formatIdentifier), but its rendering is missing; "
            + "the original is used")
        continue
      }
      let digest = try filing { () throws(FileError) in try FileBytes.digest(of: rendering) }
      stored.foreign = ForeignEdit(
        record: EditRecord(foreign: adjustment, list, current: digest),
        rendering: rendering, isBasedOnOriginal: list.isBasedOnOriginal)
      return stored
    }
    return stored
  }

  func entry(at path: String) -> FileSystem.Entry? {
    do throws(FileError) { return try FileSystem.entry(at: path) } catch { return nil }
  }
}
