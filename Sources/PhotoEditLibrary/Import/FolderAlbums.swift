// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditStorage

/// The albums of an import that puts the photos of each folder into an album of its name.
///
/// The album of `2016/Rome` below the named folder is “Rome” in the folder “2016” of the library.
/// Photos directly in the named folder, or named themselves, get an album with the name of their
/// folder; in an archive, with its name. A folder that has a name in Picasa gets that one. A symbolic link puts the photo that it leads to into the
/// album of its folder.
enum FolderAlbums {
  static func albums(_ scan: ImportScan, _ archives: UnpackedArchives?) -> [PlannedAlbum] {
    var order: [PathKey] = []
    var members: [PathKey: (path: [String], files: [String])] = [:]
    let named = Dictionary(
      scan.picasaFiles.compactMap { path, file in
        file.title.map { (PathKey(FileSystem.folder(of: path)), $0) }
      }, uniquingKeysWith: { first, _ in first })
    func add(_ member: String, at path: String, _ root: OpenFolder?) {
      let folder = FileSystem.folder(of: archives?.shown(path) ?? path)
      let key = PathKey(folder)
      if members[key] == nil {
        order.append(key)
        var titles = titles(of: path, root, in: folder, archives)
        if let name = named[PathKey(FileSystem.folder(of: path))] {
          titles = titles.dropLast() + [name]
        }
        members[key] = (titles, [])
      }
      members[key]?.files.append(member)
    }
    for file in scan.folders.joined() where file.isMedia {
      add(file.path, at: file.path, file.root)
    }
    for link in scan.links { add(link.target, at: link.path, link.root) }
    return order.compactMap { members[$0] }.filter { !$0.path.isEmpty }.map {
      PlannedAlbum(path: $0.path, members: $0.files)
    }
  }

  private static func titles(
    of path: String, _ root: OpenFolder?, in folder: String, _ archives: UnpackedArchives?
  ) -> [String] {
    let name = root?.name(of: path) ?? FileSystem.lastName(of: path)
    if name.utf8.contains(UInt8(ascii: "/")) {
      return FileSystem.folder(of: name).parts(at: "/").compactMap { title($0) }
    }
    let own = FileSystem.lastName(of: (try? FileSystem.resolved(folder)) ?? folder)
    guard archives?.contains(path) == true else { return [title(own)].compactMap(\.self) }
    let (stem, ending) = FileSystem.splitName(FileSystem.splitName(own).stem)
    return [title(ending.lowercased() == "tar" ? stem : FileSystem.splitName(own).stem)]
      .compactMap(\.self)
  }

  private static func title(_ name: String) -> String? { SidecarMetadata.text(name) }
}
