// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditStorage

/// The albums of an import that puts the photos of each folder into an album of its name.
///
/// The album of `2016/Rome` below the named folder is “Rome” in the folder “2016” of the library.
/// Photos directly in the named folder, or named themselves, get an album with the name of their
/// folder; in an archive, with its name.
enum FolderAlbums {
  static func albums(_ scan: ImportScan, _ archives: UnpackedArchives?) -> [PlannedAlbum] {
    var order: [PathKey] = []
    var members: [PathKey: (path: [String], files: [String])] = [:]
    for file in scan.folders.joined() where [.still, .raw, .movie].contains(file.kind) {
      let folder = FileSystem.folder(of: archives?.shown(file.path) ?? file.path)
      let key = PathKey(folder)
      if members[key] == nil {
        order.append(key)
        members[key] = (titles(of: file, in: folder, archives), [])
      }
      members[key]?.files.append(file.path)
    }
    return order.compactMap { members[$0] }.filter { !$0.path.isEmpty }.map {
      PlannedAlbum(path: $0.path, members: $0.files)
    }
  }

  private static func titles(
    of file: ImportScan.File, in folder: String, _ archives: UnpackedArchives?
  ) -> [String] {
    let name = file.root?.name(of: file.path) ?? file.name
    if name.utf8.contains(UInt8(ascii: "/")) {
      return FileSystem.folder(of: name).split(separator: "/").compactMap { title(String($0)) }
    }
    let own = FileSystem.lastName(of: (try? FileSystem.resolved(folder)) ?? folder)
    guard archives?.contains(file.path) == true else { return [title(own)].compactMap(\.self) }
    let (stem, ending) = FileSystem.splitName(FileSystem.splitName(own).stem)
    return [title(ending.lowercased() == "tar" ? stem : FileSystem.splitName(own).stem)]
      .compactMap(\.self)
  }

  private static func title(_ name: String) -> String? { SidecarMetadata.text(name) }
}
