// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditStorage

/// A lookup of the photos to whose edits files belong, by the sidecars next to the files.
struct SidecarIndex {
  /// The photos with a sidecar, for each folder that was listed.
  private var photos: [String: [String]] = [:]

  /// Returns the photo whose current rendering or base is the given file; nil if no sidecar next to
  /// the file names it.
  ///
  /// Only sidecars of photos whose name, without its extension, is a prefix of the file's name are
  /// read, such as "photo.jpg" for "photo.edited.jpg": a folder may contain ten thousand.
  mutating func photo(forEditFile path: String, otherThan known: String? = nil) -> String? {
    guard FileSystem.itemExists(path) else { return nil }
    let (folder, name) = (FileSystem.folder(of: path), FileSystem.lastName(of: path))
    let identity = BatchPlan.identity(path)
    for photo in photos(in: folder) where photo != name {
      guard name.utf8.starts(with: FileSystem.splitName(photo).stem.utf8) else { continue }
      let photoPath = path.utf8.contains(UInt8(ascii: "/")) ? folder + "/" + photo : photo
      if let known, BatchPlan.identity(known) == BatchPlan.identity(photoPath) { continue }
      guard FileSystem.itemExists(photoPath) else { continue }
      let contents = Self.contents(ofEditOf: photoPath)
      if contents.contains(where: { BatchPlan.identity($0) == identity }) { return photoPath }
    }
    return nil
  }

  private mutating func photos(in folder: String) -> [String] {
    if let known = photos[folder] { return known }
    var found: [String] = []
    do throws(FileError) {
      found = try FileSystem.names(in: folder).filter { $0.hasSuffix(".aae") }
        .map { String($0.dropLast(4)) }
    } catch {
      // A folder that cannot be listed is treated as empty.
    }
    photos[folder] = found
    return found
  }

  /// Returns the rendering and the base of a photo's edit.
  private static func contents(ofEditOf photo: String) -> [String] {
    do throws(EditingError) {
      let state = try SidecarStore(path: photo).state()
      guard state.isEdited, !state.isThirdParty else { return [] }
      // The base of a first edit is the photo itself.
      return [state.current.path, state.base?.path].compactMap { $0 }.filter { $0 != photo }
    } catch {
      // An error in a sidecar is reported when its photo is edited.
      return []
    }
  }
}
