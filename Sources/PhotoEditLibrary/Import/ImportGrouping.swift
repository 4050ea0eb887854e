// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// Files of one folder that may belong together by name; their content is decisive.
struct ImportGroup: Sendable, Hashable {
  /// The still or video that represents the asset.
  var original: ImportScan.File
  var alternate: ImportScan.File?
  /// The video of a Live Photo, if the content identifiers match.
  var movie: ImportScan.File?
  var record: ImportScan.File?
  var editedStill: ImportScan.File?
  var editedMovie: ImportScan.File?
  var baseStill: ImportScan.File?
  var baseMovie: ImportScan.File?
  /// XMP or JSON with additional metadata of the original.
  var packet: ImportScan.File?
  /// Indicates whether the XMP also describes other originals, so that it is not moved.
  var sharesPacket = false
  /// The name that the original had before another program truncated it.
  var originalName: String?
  /// The format identifier of an edit without adjustment data whose program is known.
  var editor: String?
  /// The properties according to the library that contains the files.
  var stated: StatedProperties?
  /// The burst according to the names of the photos in its folder.
  var burst: NamedBurst?

  var files: [ImportScan.File] {
    [
      original, alternate, movie, record, editedStill, editedMovie, baseStill, baseMovie, packet,
    ].compactMap { $0 }
  }

  /// Returns the group with the selected files only, or a group for each of them if the original is
  /// not among them; descriptions stay.
  func selecting(_ selection: Set<String>) -> [ImportGroup] {
    func selected(_ file: ImportScan.File?) -> ImportScan.File? {
      file.flatMap { selection.contains($0.path) ? $0 : nil }
    }
    var part = self
    for member in [
      \ImportGroup.alternate, \.movie, \.record, \.editedStill, \.editedMovie, \.baseStill,
      \.baseMovie,
    ] { part[keyPath: member] = selected(part[keyPath: member]) }
    if selection.contains(original.path) { return [part] }
    return part.files.filter { ![original, record, packet].contains($0) }.map {
      var group = ImportGroup(original: $0)
      (group.packet, group.sharesPacket, group.stated) = (packet, true, stated)
      return group
    }
  }
}

/// Sorts the files of a folder into groups.
///
/// - `NAME.JPG` and `NAME.DNG`: a still and its RAW. `NAME.HEIC` and `NAME.MOV`: possibly a Live
///   Photo.
/// - `IMG_1.HEIC`, `IMG_1.AAE`, `IMG_E1.JPG` (and `IMG_1.MOV`, `IMG_E1.MOV`): an original, the
///   adjustment data of its edit, the rendering.
/// - `NAME.JPG`, `NAME.JPG.aae`, `NAME.edited.jpg`, `NAME.base.jpg`: the same as written by the
///   tools of this project.
/// - `NAME.JPG.xmp`: metadata of that file. `NAME.xmp`: metadata of every file with this name that
///   has no XMP file of its own.
/// - `NAME.JPG`, `NAME-edited.JPG` and their JSON file: see `TakeoutPlan`.
///
/// A rendering without adjustment data is imported as a separate photo.
struct ImportGrouping {
  var groups: [ImportGroup] = []
  private(set) var excluded: [ImportedFile] = []

  /// Files whose names differ only in extension and case.
  private struct Cluster {
    var stills: [ImportScan.File] = []
    var raws: [ImportScan.File] = []
    var movies: [ImportScan.File] = []
    var records: [ImportScan.File] = []
    var packets: [ImportScan.File] = []
    var edited: [ImportScan.File] = []
    var bases: [ImportScan.File] = []

    var hasOriginal: Bool { !(stills.isEmpty && raws.isEmpty && movies.isEmpty) }
  }

  /// The role of a file according to its name.
  private enum Role { case plain, edited, base }

  private var clusters: [String: Cluster] = [:]
  private let takeout: TakeoutPlan?

  /// - Parameter takeout: The relations among the files of a Google Takeout folder.
  init(_ files: [ImportScan.File], takeout: TakeoutPlan? = nil) {
    self.takeout = takeout
    var later: [(file: ImportScan.File, key: String, role: Role)] = []
    for file in files where file.kind != .description {
      let (key, role) = classify(file)
      if role == .plain { add(file, to: key) } else { later.append((file, key, role)) }
    }
    for (file, key, role) in later {
      let isTakeout = takeout?.originals[file.path] != nil
      if let cluster = clusters[key], cluster.hasOriginal, isTakeout || !cluster.records.isEmpty {
        if role == .edited {
          clusters[key]?.edited.append(file)
        } else {
          clusters[key]?.bases.append(file)
        }
      } else {
        add(file, to: FileSystem.splitName(file.name).stem.lowercased())
      }
    }
    for (_, cluster) in clusters.sorted(by: { $0.key < $1.key }) { close(cluster) }
    groups.sort { $0.original.path < $1.original.path }
    if let takeout { describe(takeout) }
    NamedBurst.assign(to: &groups)
  }

  /// Assigns the JSON files of Google Takeout; XMP of the same photo takes precedence.
  private mutating func describe(_ takeout: TakeoutPlan) {
    for index in groups.indices {
      let group = groups[index]
      let files = [group.original, group.alternate, group.movie].compactMap(\.self)
      groups[index].originalName = takeout.originalNames[group.original.path]
      if let rendering = group.editedStill, takeout.originals[rendering.path] != nil,
        group.record == nil
      {
        groups[index].editor = TakeoutFile.editor
      }
      guard let packet = files.lazy.compactMap({ takeout.descriptions[$0.path] }).first else {
        continue
      }
      if group.packet == nil {
        groups[index].packet = packet
        groups[index].sharesPacket = takeout.isShared(packet)
      } else if !takeout.isShared(packet) {
        excluded.append(
          ImportedFile(packet.path, .skipped, reason: "another file of that name is used"))
      }
    }
  }

  private mutating func add(_ file: ImportScan.File, to key: String) {
    switch file.kind {
    case .still: clusters[key, default: Cluster()].stills.append(file)
    case .raw: clusters[key, default: Cluster()].raws.append(file)
    case .movie: clusters[key, default: Cluster()].movies.append(file)
    case .record: clusters[key, default: Cluster()].records.append(file)
    case .packet: clusters[key, default: Cluster()].packets.append(file)
    case .description: break
    }
  }

  private func classify(_ file: ImportScan.File) -> (key: String, role: Role) {
    if let original = takeout?.originals[file.path] {
      let name = FileSystem.lastName(of: original)
      return (FileSystem.splitName(name).stem.lowercased(), .edited)
    }
    var stem = FileSystem.splitName(file.name).stem
    if file.kind == .record || file.kind == .packet {
      // "photo.jpg.aae" belongs to "photo.jpg".
      let (inner, ending) = FileSystem.splitName(stem)
      if FileContent.family(ofExtension: ending) != nil { stem = inner }
      return (stem.lowercased(), .plain)
    }
    let (inner, ending) = FileSystem.splitName(stem)
    if ending == "edited" { return (inner.lowercased(), .edited) }
    if ending == "base" { return (inner.lowercased(), .base) }
    let upper = stem.uppercased()
    if upper.hasPrefix("IMG_E"), !upper.dropFirst(5).isEmpty,
      upper.dropFirst(5).allSatisfy({ $0.isASCII && $0.isNumber })
    {
      return ("img_" + stem.dropFirst(5).lowercased(), .edited)
    }
    return (stem.lowercased(), .plain)
  }

  // MARK: Completing groups

  private mutating func close(_ cluster: Cluster) {
    var newGroups: [ImportGroup] = []
    if cluster.stills.count == 1, cluster.raws.count == 1 {
      newGroups.append(ImportGroup(original: cluster.stills[0], alternate: cluster.raws[0]))
    } else {
      // Several stills with one name are separate photos, since nothing distinguishes their roles.
      newGroups += (cluster.stills + cluster.raws).map { ImportGroup(original: $0) }
    }
    if cluster.movies.count == 1, !newGroups.isEmpty {
      newGroups[0].movie = cluster.movies[0]
    } else {
      newGroups += cluster.movies.map { ImportGroup(original: $0) }
    }
    guard !newGroups.isEmpty else {
      let reason = "no photo or video of that name in the same folder"
      excluded += (cluster.records + cluster.packets).map {
        ImportedFile($0.path, .skipped, reason: reason)
      }
      return
    }
    newGroups[0].record = cluster.records.first
    let unused = cluster.records.dropFirst() + assign(cluster.packets, to: &newGroups)
    for file in unused {
      excluded.append(
        ImportedFile(file.path, .skipped, reason: "another file of that name is used"))
    }
    attach(cluster.edited, \.editedStill, \.editedMovie, to: &newGroups)
    attach(cluster.bases, \.baseStill, \.baseMovie, to: &newGroups)
    groups += newGroups
  }

  /// Assigns to each group the XMP with its file's full name, or else the common one.
  ///
  /// - Returns: The XMP files that belong to no group.
  private func assign(
    _ packets: [ImportScan.File], to newGroups: inout [ImportGroup]
  ) -> [ImportScan.File] {
    func subject(_ packet: ImportScan.File) -> String {
      FileSystem.splitName(packet.name).stem.lowercased()
    }
    for index in newGroups.indices {
      let group = newGroups[index]
      let names = [group.original, group.alternate, group.movie].compactMap {
        $0?.name.lowercased()
      }
      newGroups[index].packet =
        names.lazy.compactMap { name in packets.first { subject($0) == name } }.first
    }
    let common = packets.first {
      FileContent.family(ofExtension: FileSystem.splitName(subject($0)).fileExtension) == nil
    }
    let without = newGroups.indices.filter { newGroups[$0].packet == nil }
    for index in without {
      newGroups[index].packet = common
      newGroups[index].sharesPacket = common != nil && without.count > 1
    }
    let used = Set(newGroups.compactMap(\.packet))
    return packets.filter { !used.contains($0) }
  }

  /// Assigns renderings to the first group; further files of the same kind become separate photos.
  private func attach(
    _ files: [ImportScan.File], _ still: WritableKeyPath<ImportGroup, ImportScan.File?>,
    _ movie: WritableKeyPath<ImportGroup, ImportScan.File?>, to newGroups: inout [ImportGroup]
  ) {
    for file in files {
      let member = file.kind == .movie ? movie : still
      if newGroups[0][keyPath: member] == nil {
        newGroups[0][keyPath: member] = file
      } else {
        newGroups.append(ImportGroup(original: file))
      }
    }
  }
}
