// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The names of everything that belongs to one photo in a folder.
struct SidecarPaths: Hashable, Sendable {
  let photo: String
  let folder: String
  let name: String
  /// The extension of contents: "jpg", or "mov" for movies.
  let contentExtension: String

  /// Whether the edit is kept in a folder of its own, in a state directory.
  let isInState: Bool

  /// - Parameter stateFolder: The folder of the edit in a state directory; nil for beside the photo.
  init(photo: String, contentExtension: String = "jpg", stateFolder: String? = nil) {
    self.photo = photo
    self.contentExtension = contentExtension
    isInState = stateFolder != nil
    folder = stateFolder ?? FileSystem.folder(of: photo)
    name = FileSystem.lastName(of: photo)
  }

  /// A name in the folder of the edit, as short as the photo's own path is.
  private func place(_ name: String) -> String {
    isInState || photo.utf8.contains(UInt8(ascii: "/")) ? folder + "/" + name : name
  }

  /// A name beside the photo.
  private func beside(_ name: String) -> String {
    photo.utf8.contains(UInt8(ascii: "/")) ? FileSystem.folder(of: photo) + "/" + name : name
  }

  private var stem: String { FileSystem.splitName(name).stem }

  /// The record of the edit: "photo.jpg.aae".
  var sidecar: String { place(isInState ? "edit.aae" : name + ".aae") }
  /// The input of the edit, when it is not the original: "photo.base.jpg".
  var base: String {
    place(isInState ? "base." + contentExtension : stem + ".base." + contentExtension)
  }
  /// The output of the edit, unless the user wants it elsewhere: "photo.edited.jpg".
  var rendering: String {
    place(isInState ? "edited." + contentExtension : stem + ".edited." + contentExtension)
  }
  /// Contents of superseded states that cannot be made again.
  var journal: String { place(".photoedit/" + (isInState ? "journal" : name)) }

  /// The folder of all journals beside the photo.
  var journals: String { place(".photoedit") }

  /// A superseded content in the journal, named by what it is.
  func kept(_ digest: Digest) -> String { journal + "/" + digest.hex + "." + contentExtension }

  /// Whether a name in the journal is one that `kept` makes, or an unfinished copy of it.
  func isKept(_ name: String) -> Bool {
    let whole = name.hasSuffix(Self.partial) ? String(name.dropLast(Self.partial.count)) : name
    let parts = FileSystem.splitName(whole)
    return Digest(parts.stem) != nil && parts.fileExtension == contentExtension
  }

  /// What an unfinished copy has at the end of its name.
  static let partial = ".part"

  /// Where a content waits, complete and durable, until the commit makes it valid.
  func pending(_ target: String, _ digest: Digest) -> String {
    let name = pendingPrefix(target) + digest.hex.prefix(16) + ".pending"
    let folder = FileSystem.folder(of: target)
    return target.utf8.contains(UInt8(ascii: "/"))
      ? (folder == "/" ? "" : folder) + "/" + name : name
  }

  /// What the names of all pending contents for one place begin with.
  ///
  /// It stands for photo and target, so that two photos with one target leave each other alone,
  /// and it is short, so that a target's name may have all of the 255 bytes that names may have.
  func pendingPrefix(_ target: String) -> String {
    let place = recorded(target)
    var key =
      (isInState ? FileSystem.lastName(of: folder) : name) + "/" + FileSystem.lastName(of: target)
    if !isInState, place.utf8.contains(UInt8(ascii: "/")) {
      key += "/" + recorded(photo, always: true)
    }
    return ".photoedit-" + Digest(of: Array(key.utf8)).hex.prefix(16) + "-"
  }

  /// How a path is written in the sidecar: relative where that survives moving the folder.
  func recorded(_ path: String) -> String { recorded(path, always: false) }

  private func recorded(_ path: String, always: Bool) -> String {
    do throws(FileError) {
      let place = try FileSystem.resolved(FileSystem.folder(of: path))
      let name = FileSystem.lastName(of: path)
      let own = try FileSystem.resolved(folder)
      if !always && place == own { return name }
      if !always && place.hasPrefix(own + "/") {
        return place.dropFirst(own.count + 1) + "/" + name
      }
      return (place == "/" ? "" : place) + "/" + name
    } catch {
      // A folder that is gone has no better name.
      return path
    }
  }

  /// Whether a recorded place is beside the photo.
  static func isBeside(_ recorded: String) -> Bool {
    !recorded.utf8.contains(UInt8(ascii: "/")) && recorded != "." && recorded != ".."
      && !recorded.isEmpty
  }

  /// Whether a name is the one that a rendering of some photo has by itself.
  func isDefaultName(_ path: String) -> Bool {
    FileSystem.lastName(of: path).hasSuffix(".edited." + contentExtension)
  }

  /// Whether a sidecar may give a new rendering this name: that of a picture or a movie, and not
  /// the one that the rendering of another photo has by itself.
  func canName(_ path: String) -> Bool {
    let extensions = contentExtension == "mov" ? ["mov", "qt"] : ["jpg", "jpeg"]
    let name = FileSystem.splitName(FileSystem.lastName(of: path))
    return extensions.contains(name.fileExtension.lowercased()) && !isDefaultName(path)
  }

  /// Where a recorded path leads.
  func resolved(_ recorded: String) -> String {
    recorded.utf8.first == UInt8(ascii: "/") ? recorded : place(recorded)
  }

  /// Whether a path is a place that belongs to the photo's records and is no place for renderings.
  func isReserved(_ path: String) -> Bool {
    let place = recorded(path)
    if [sidecar, base, journals].contains(where: { recorded($0) == place }) { return true }
    let foreign = foreignSidecars.filter { FileSystem.isThere($0) }
    let theirs = foreign.isEmpty ? [] : foreign + foreignRenderings
    return theirs.contains { FileSystem.isThere($0) && recorded($0) == place }
  }

  /// A sidecar of Apple Photos or another program beside the photo, in the spellings they use.
  var foreignSidecars: [String] { [".AAE", ".aae"].map { beside(stem + $0) } }

  /// The rendering that belongs to a foreign sidecar: "IMG_E0001.JPG" for "IMG_0001.JPG".
  var foreignRenderings: [String] {
    guard stem.hasPrefix("IMG_"), stem.count > 4 else { return [] }
    let edited = beside("IMG_E" + stem.dropFirst(4))
    return [".JPG", ".jpg", ".JPEG", ".jpeg"].map { edited + $0 }
  }
}
