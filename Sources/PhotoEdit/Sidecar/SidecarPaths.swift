// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditStorage

/// The paths of all files in a folder that belong to one photo.
struct SidecarPaths: Hashable, Sendable {
  let photo: String
  let folder: String
  let name: String
  /// The file extension of contents: "jpg", or "mov" for videos.
  let contentExtension: String

  /// Indicates whether the edit is stored in its own folder in a state directory.
  let isInState: Bool

  /// - Parameter stateFolder: The folder of the edit in a state directory; nil for the photo's
  ///   folder.
  init(photo: String, contentExtension: String = "jpg", stateFolder: String? = nil) {
    self.photo = photo
    self.contentExtension = contentExtension
    isInState = stateFolder != nil
    folder = stateFolder ?? FileSystem.folder(of: photo)
    name = FileSystem.lastName(of: photo)
  }

  /// Returns a path in the folder of the edit; only the name if the photo's path is only a name.
  private func destination(_ name: String) -> String {
    isInState || photo.utf8.contains(UInt8(ascii: "/")) ? folder + "/" + name : name
  }

  /// Returns a path in the photo's folder; only the name if the photo's path is only a name.
  private func sibling(_ name: String) -> String {
    photo.utf8.contains(UInt8(ascii: "/")) ? FileSystem.folder(of: photo) + "/" + name : name
  }

  private var stem: String { FileSystem.splitName(name).stem }

  /// The sidecar: "photo.jpg.aae".
  var sidecar: String { destination(isInState ? "edit.aae" : name + ".aae") }
  /// The input of the edit, if it is not the original: "photo.base.jpg".
  var base: String {
    destination(isInState ? "base." + contentExtension : stem + ".base." + contentExtension)
  }
  /// The output of the edit, unless the user chose another path: "photo.edited.jpg".
  var rendering: String {
    destination(isInState ? "edited." + contentExtension : stem + ".edited." + contentExtension)
  }
  /// The folder of superseded contents that cannot be rendered again.
  var journal: String { destination(".photoedit/" + (isInState ? "journal" : name)) }

  /// The folder of all journals next to the photo.
  var journals: String { destination(".photoedit") }

  /// Returns the path of superseded contents in the journal, named by their digest.
  func journalPath(_ digest: SHA256Digest) -> String {
    journal + "/" + digest.hex + "." + contentExtension
  }

  /// Returns whether a name in the journal has the form of `journalPath`, or of a partial copy of it.
  func isJournalFile(_ name: String) -> Bool {
    let whole = name.hasSuffix(Self.partial) ? String(name.dropLast(Self.partial.count)) : name
    let parts = FileSystem.splitName(whole)
    return SHA256Digest(parts.stem) != nil && parts.fileExtension == contentExtension
  }

  /// The suffix of a partial copy.
  static let partial = ".part"

  /// Returns the path of contents, complete and synced, until the commit makes them valid.
  func pending(_ target: String, _ digest: SHA256Digest) -> String {
    let name = pendingPrefix(target) + digest.hex.prefix(16) + ".pending"
    let folder = FileSystem.folder(of: target)
    return target.utf8.contains(UInt8(ascii: "/"))
      ? (folder == "/" ? "" : folder) + "/" + name : name
  }

  /// Returns the common prefix of the names of all pending contents for one target.
  ///
  /// It identifies the photo and the target, so that two photos with the same target do not
  /// conflict, and it is short, so that a target's name may have all of the 255 bytes allowed for
  /// names.
  func pendingPrefix(_ target: String) -> String {
    let destination = recorded(target)
    var key =
      (isInState ? FileSystem.lastName(of: folder) : name) + "/" + FileSystem.lastName(of: target)
    if !isInState, destination.utf8.contains(UInt8(ascii: "/")) {
      key += "/" + recorded(photo, always: true)
    }
    return ".photoedit-" + SHA256Digest(of: Array(key.utf8)).hex.prefix(16) + "-"
  }

  /// Returns a path as recorded in the sidecar: relative if that survives moving the folder.
  func recorded(_ path: String) -> String { recorded(path, always: false) }

  private func recorded(_ path: String, always: Bool) -> String {
    do throws(FileError) {
      let destination = try FileSystem.resolved(FileSystem.folder(of: path))
      let name = FileSystem.lastName(of: path)
      let own = try FileSystem.resolved(folder)
      if !always && destination == own { return name }
      if !always && destination.hasPrefix(own + "/") {
        return destination.dropFirst(own.count + 1) + "/" + name
      }
      return (destination == "/" ? "" : destination) + "/" + name
    } catch {
      // A folder that no longer exists cannot be resolved.
      return path
    }
  }

  /// Returns whether a recorded path is next to the photo.
  static func isSibling(_ recorded: String) -> Bool {
    !recorded.utf8.contains(UInt8(ascii: "/")) && recorded != "." && recorded != ".."
      && !recorded.isEmpty
  }

  /// Returns whether a name is the default name of a rendering of any photo.
  func isDefaultName(_ path: String) -> Bool {
    FileSystem.lastName(of: path).hasSuffix(".edited." + contentExtension)
  }

  /// Returns whether a sidecar may give a new rendering this name: it must be that of an image or a
  /// video, and not the default name of another photo's rendering.
  func canName(_ path: String) -> Bool {
    let extensions = contentExtension == "mov" ? ["mov", "qt"] : ["jpg", "jpeg"]
    let name = FileSystem.splitName(FileSystem.lastName(of: path))
    return extensions.contains(name.fileExtension.lowercased()) && !isDefaultName(path)
  }

  /// Returns the path to which a recorded path refers.
  func resolved(_ recorded: String) -> String {
    recorded.utf8.first == UInt8(ascii: "/") ? recorded : destination(recorded)
  }

  /// Returns whether a path is reserved for the photo's records and cannot be used for a rendering.
  func isReserved(_ path: String) -> Bool {
    let destination = recorded(path)
    if [sidecar, base, journals].contains(where: { recorded($0) == destination }) { return true }
    let thirdParty = thirdPartySidecars.filter { FileSystem.itemExists($0) }
    let thirdPartyFiles = thirdParty.isEmpty ? [] : thirdParty + thirdPartyRenderings
    return thirdPartyFiles.contains { FileSystem.itemExists($0) && recorded($0) == destination }
  }

  /// The sidecars of Apple Photos or other programs next to the photo, with the names that these
  /// use.
  var thirdPartySidecars: [String] { [".AAE", ".aae"].map { sibling(stem + $0) } }

  /// The renderings that belong to a third-party sidecar: "IMG_E0001.JPG" for "IMG_0001.JPG".
  var thirdPartyRenderings: [String] {
    guard stem.hasPrefix("IMG_"), stem.count > 4 else { return [] }
    let edited = sibling("IMG_E" + stem.dropFirst(4))
    return [".JPG", ".jpg", ".JPEG", ".jpeg"].map { edited + $0 }
  }
}

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
      for folder in missing.reversed() { try FileSystem.createSyncedFolder(folder) }
      guard missing.isEmpty, entry(at: paths.sidecar) == nil else { return }
      // A process that was killed may have created the folders without syncing their names.
      let directory = FileSystem.folder(of: paths.folder)
      sync([directory, FileSystem.folder(of: directory)])
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
