// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditStorage

/// The properties and albums of an iCloud Photos export, which may have several parts.
///
/// The file names of different parts are equal for different photos, so a part is matched first by
/// itself.
struct ICloudPlan {
  /// The properties of photos by path.
  private(set) var stated: [String: StatedProperties] = [:]
  private(set) var albums: [PlannedAlbum] = []
  private(set) var trashed: Set<String> = []
  /// The report about the CSV files.
  private(set) var lines: [ImportedFile] = []

  init(_ scan: ImportScan) {
    guard !scan.exports.isEmpty else { return }
    var media: [String: [String: [String]]] = [:]
    for file in scan.folders.joined() where [.still, .raw, .movie].contains(file.kind) {
      media[FileSystem.folder(of: file.path), default: [:]][file.name, default: []]
        .append(file.path)
    }
    var members: [String: [String]] = [:]
    for (path, file) in scan.exports.sorted(by: { $0.key < $1.key }) {
      let folder = FileSystem.folder(of: path)
      switch file {
      case .details(let details): apply(details, path, media[folder] ?? [:])
      case .album(let names):
        let title = FileSystem.splitName(FileSystem.lastName(of: path)).stem
        let part = FileSystem.folder(of: folder)
        var missing = 0
        let parts = media.filter { FileSystem.folder(of: $0.key) == part }
        for name in names {
          // First the photos of this part, then those of the others.
          let own = parts.values.flatMap { $0[name] ?? [] }
          let all = own.isEmpty ? media.values.flatMap { $0[name] ?? [] } : own
          if all.count == 1 { members[title, default: []].append(all[0]) } else { missing += 1 }
        }
        let note = missing == 0 ? "" : "; \(missing) of its photos are missing or ambiguous"
        lines.append(ImportedFile(path, .read, reason: "album “\(title)”\(note)"))
      }
    }
    albums = members.sorted { $0.key < $1.key }.map {
      PlannedAlbum(path: [$0.key], members: $0.value)
    }
  }

  private mutating func apply(
    _ details: [String: ICloudFile.Details], _ path: String, _ media: [String: [String]]
  ) {
    var used = 0
    for (name, entry) in details {
      for file in media[name] ?? [] {
        used += 1
        stated[file] = StatedProperties(entry.metadata)
        if entry.isTrashed { trashed.insert(file) }
      }
    }
    let rest = details.count - used
    lines.append(
      ImportedFile(
        path, .read,
        reason: "describes \(used) files"
          + (rest > 0 ? "; \(rest) more are not in this folder" : "")))
  }
}
