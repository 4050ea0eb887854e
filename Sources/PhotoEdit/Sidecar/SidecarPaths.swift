// SPDX-License-Identifier: Apache-2.0
import Storage

/// The names of everything that belongs to one photo in a folder.
struct SidecarPaths: Hashable, Sendable {
  let photo: String
  let folder: String
  let name: String
  /// The extension of contents: "jpg", or "mov" for movies.
  let contentExtension: String

  init(photo: String, contentExtension: String = "jpg") {
    self.photo = photo
    self.contentExtension = contentExtension
    folder = FileSystem.folder(of: photo)
    name = FileSystem.lastName(of: photo)
  }

  /// A name in the photo's folder, as short as the photo's own path is.
  private func place(_ name: String) -> String {
    photo.contains("/") ? folder + "/" + name : name
  }

  private var stem: String { FileSystem.splitName(name).stem }

  /// The record of the edit: "photo.jpg.aae".
  var sidecar: String { place(name + ".aae") }
  /// The input of the edit, when it is not the original: "photo.base.jpg".
  var base: String { place(stem + ".base." + contentExtension) }
  /// The output of the edit, unless the user wants it elsewhere: "photo.edited.jpg".
  var rendering: String { place(stem + ".edited." + contentExtension) }
  /// Contents of superseded states that cannot be made again.
  var journal: String { place(".photoedit/" + name) }

  /// A superseded content in the journal, named by what it is.
  func kept(_ digest: Digest) -> String { journal + "/" + digest.hex + "." + contentExtension }

  /// Where a content waits, complete and durable, until the commit makes it valid.
  static func pending(_ target: String, _ digest: Digest) -> String {
    let name = FileSystem.lastName(of: target)
    return target.dropLast(name.count) + "." + name + "." + digest.hex.prefix(16) + ".pending"
  }

  /// How a path is written in the sidecar: relative where that survives moving the folder.
  func recorded(_ path: String) -> String {
    do throws(FileError) {
      let place = try FileSystem.resolved(FileSystem.folder(of: path))
      let name = FileSystem.lastName(of: path)
      return try place == FileSystem.resolved(folder) ? name : place + "/" + name
    } catch {
      // A folder that is gone has no better name.
      return path
    }
  }

  /// Where a recorded path leads.
  func resolved(_ recorded: String) -> String {
    recorded.contains("/") ? recorded : place(recorded)
  }

  /// A sidecar of Apple Photos or another program beside the photo, in the spellings they use.
  var foreignSidecars: [String] { [".AAE", ".aae"].map { place(stem + $0) } }

  /// The rendering that belongs to a foreign sidecar: "IMG_E0001.JPG" for "IMG_0001.JPG".
  var foreignRenderings: [String] {
    guard stem.hasPrefix("IMG_"), stem.count > 4 else { return [] }
    let edited = place("IMG_E" + stem.dropFirst(4))
    return [".JPG", ".jpg", ".JPEG", ".jpeg"].map { edited + $0 }
  }
}
