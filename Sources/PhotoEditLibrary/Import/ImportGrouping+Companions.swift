// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCodecs
import PhotoEditStorage

/// The assignment of edits and descriptions to the originals of one stem.
extension ImportGrouping {
  private static let superfluous = "another file of that name is used"
  private static let missing = "no photo or video of that name in the same folder"

  private mutating func exclude(_ file: ImportScan.File, _ reason: String) {
    if file.stored == nil { excluded.append(ImportedFile(file.path, .skipped, reason: reason)) }
  }

  /// Returns the group with a named original: in the same case, or else in another.
  private func owner(of name: String, in groups: [ImportGroup]) -> Int? {
    func first(_ isNamed: (String) -> Bool) -> Int? {
      groups.firstIndex { group in group.originals.contains { isNamed($0.name) } }
    }
    return first { PathKey($0) == PathKey(name) } ?? first { $0 == name }
      ?? first { $0.lowercased() == name.lowercased() }
  }

  // MARK: Edits

  mutating func assignRecords(of cluster: Cluster, to groups: inout [ImportGroup]) {
    for record in cluster.records.sorted(by: { $0.isNearer(to: cluster.stem, than: $1) }) {
      let index =
        if let subject = record.subject { owner(of: subject, in: groups) } else {
          owner(of: record.file, groups, cluster)
        }
      if let index, groups[index].record == nil {
        groups[index].record = record.file
      } else {
        exclude(record.file, index == nil ? Self.missing : Self.superfluous)
      }
    }
  }

  /// Returns the group of which a file contains adjustment data, according to the data, to the
  /// renderings, and to the camera.
  private func owner(
    of record: ImportScan.File, _ groups: [ImportGroup], _ cluster: Cluster
  ) -> Int? {
    let videos = groups.indices.filter { groups[$0].original.kind == .movie }
    let photos = groups.indices.filter { groups[$0].original.kind != .movie }
    let bytes = try? FileBytes.reading(record.path, maximumBytes: ResourceStager.maximumRecordBytes)
    if let data = bytes.flatMap({ AdjustmentData(fileBytes: $0.array) }), data.isOfVideo {
      return videos.first ?? photos.first { groups[$0].movie != nil }
    }
    guard groups.count > 1 else { return groups.indices.first }
    let renderings = cluster.renderings.filter { $0.isOfRecord && !$0.isBase }.map(\.file)
    let kinds = Set(renderings.map(\.kind))
    if kinds == [.movie], let video = videos.first { return video }
    if let rendering = renderings.first(where: { $0.kind != .movie }), !photos.isEmpty {
      let same = photos.first { isSameShot(groups[$0].original, rendering) == true }
      return same ?? photos.first
    }
    let apple = groups.indices.filter { facts[groups[$0].original]?.isApple == true }
    return apple.count == 1 ? apple[0] : groups.indices.first
  }

  private func isSameShot(_ first: ImportScan.File, _ second: ImportScan.File) -> Bool? {
    guard let first = facts[first], let second = facts[second] else { return nil }
    return first.isSameShot(as: second)
  }

  /// Assigns renderings to their originals, one to each; returns the others.
  mutating func assignRenderings(of cluster: inout Cluster) -> [ImportScan.File] {
    var rest: [ImportScan.File] = []
    for rendering in cluster.renderings.sorted(by: { $0.precedes($1) }) {
      let file = rendering.file
      let member: WritableKeyPath<ImportGroup, ImportScan.File?> =
        switch (file.kind == .movie, rendering.isBase) {
        case (true, true): \.baseMovie
        case (true, false): \.editedMovie
        case (false, true): \.baseStill
        case (false, false): \.editedStill
        }
      let candidates = cluster.groups.indices.filter { index in
        cluster.groups[index][keyPath: member] == nil
          && isRendered(cluster.groups[index], as: rendering)
      }
      let fitting = candidates.narrowed { index in
        let group = cluster.groups[index]
        return file.kind != .movie || group.original.kind == .movie || group.movie != nil
      }
      let same = fitting.first { isSameShot(cluster.groups[$0].original, file) == true }
      guard let index = same ?? fitting.first else {
        rest.append(file)
        continue
      }
      cluster.groups[index][keyPath: member] = file
      if cluster.groups[index].record == nil { cluster.groups[index].editor = rendering.editor }
    }
    return rest
  }

  /// Returns whether a file may be the rendering of a group.
  private func isRendered(_ group: ImportGroup, as rendering: Rendering) -> Bool {
    let isVideo = group.original.kind == .movie
    if rendering.file.kind == .movie {
      // The video of a motion photo, which adjustment data may describe, is inside of it.
      guard isVideo || group.movie != nil || rendering.isOfRecord else { return false }
    } else if isVideo {
      return false
    }
    switch rendering.origin {
    case .record: return group.record != nil
    case .takeout(let original): return group.originals.contains { $0.key == PathKey(original) }
    case .program: return isSameShot(group.original, rendering.file) != false
    }
  }

  // MARK: Descriptions

  /// Returns whether the XMP of an export states that the video belongs to the photo.
  func isPairedByExport(_ cluster: Cluster) -> Bool {
    cluster.packets.contains { packet in
      (try? FileBytes.reading(packet.file.path, maximumBytes: SidecarMetadata.maximumBytes))
        .flatMap { SidecarMetadata($0.array) }?.isPaired == true
    }
  }

  /// Assigns to each group the XMP with its file's full name, or else the common one.
  mutating func assignPackets(of cluster: inout Cluster) {
    if cluster.groups.isEmpty { return }
    let packets = cluster.packets.sorted { $0.isNearer(to: cluster.stem, than: $1) }
    // The XMP of the file that represents an asset precedes those of its other files.
    for isOriginal in [true, false] {
      for packet in packets {
        guard let subject = packet.subject, let index = owner(of: subject, in: cluster.groups),
          cluster.groups[index].packet == nil,
          !isOriginal || cluster.groups[index].original.name.lowercased() == subject.lowercased()
        else { continue }
        cluster.groups[index].packet = packet.file
      }
    }
    if let common = packets.first(where: { $0.subject == nil })?.file {
      let described = subjects(of: common, cluster.groups)
      for index in described {
        cluster.groups[index].packet = common
        cluster.groups[index].sharesPacket = described.count > 1
      }
    }
    let used = Set(cluster.groups.compactMap(\.packet))
    for packet in packets where !used.contains(packet.file) {
      let isMissing = packet.subject.map { owner(of: $0, in: cluster.groups) == nil } ?? false
      exclude(packet.file, isMissing ? Self.missing : Self.superfluous)
    }
  }

  /// Assigns XMP of an edited version, such as "DSC_1-Edit.xmp", to its photo if that has no other.
  mutating func assignToEdited(_ packet: Companion) {
    let name = packet.subject ?? packet.file.stem
    let index = groups.firstIndex { group in
      [group.editedStill, group.editedMovie].compactMap(\.self).contains {
        (packet.subject == nil ? $0.stem : $0.name).lowercased() == name.lowercased()
      }
    }
    guard let index else { return exclude(packet.file, Self.missing) }
    guard groups[index].packet == nil else {
      return exclude(
        packet.file,
        "it describes the edited version of \(groups[index].original.name), which has an XMP file")
    }
    groups[index].packet = packet.file
  }

  /// Returns the groups without XMP of their own that a common XMP file may describe.
  private func subjects(of packet: ImportScan.File, _ groups: [ImportGroup]) -> [Int] {
    let without = groups.indices.filter { groups[$0].packet == nil }
    guard groups.count > 1,
      let bytes = try? FileBytes.reading(packet.path, maximumBytes: SidecarMetadata.maximumBytes),
      let subject = SidecarSubject(bytes.array)
    else { return without }
    let stated = OriginFacts(subject)
    var found = without.narrowed { facts[groups[$0].original] != nil }
    if let ending = subject.fileExtension {
      found = found.narrowed { index in
        groups[index].originals.contains {
          FileSystem.splitName($0.name).fileExtension.lowercased() == ending
        }
      }
    }
    if let isMovie = subject.isMovie {
      found = found.narrowed { (groups[$0].original.kind == .movie) == isMovie }
    }
    func hasModel(_ index: Int) -> Bool? {
      facts[groups[index].original].flatMap { stated.hasModel(of: $0) }
    }
    found = found.narrowed { hasModel($0) != false }.narrowed { hasModel($0) == true }
    // A date that was corrected fits no file, and does not distinguish them.
    return found.narrowed { index in
      facts[groups[index].original].flatMap { stated.isWithin(86_400, of: $0) } == true
    }
  }

  /// Assigns the JSON files of Google Takeout; XMP of the same photo takes precedence.
  mutating func describe(_ takeout: TakeoutPlan) {
    for index in groups.indices {
      let group = groups[index]
      groups[index].originalName = takeout.originalNames[group.original.key]
      let described = group.originals.compactMap { takeout.descriptions[$0.key] }
      if group.packet == nil, let first = described.first {
        groups[index].packet = first
        groups[index].sharesPacket = takeout.isShared(first)
      }
      for packet in Set(described)
      where packet != groups[index].packet && !takeout.isShared(packet) {
        exclude(packet, Self.superfluous)
      }
    }
  }
}

extension ImportGrouping.Companion {
  /// Returns whether the name is in the case of a stem and that of another is not.
  fileprivate func isNearer(to stem: String, than other: Self) -> Bool {
    func isSame(_ companion: Self) -> Bool {
      companion.file.name.utf8.starts(with: stem.utf8)
    }
    return isSame(self) && !isSame(other)
  }
}

extension ImportGrouping.Rendering {
  fileprivate var isOfRecord: Bool { if case .record = origin { true } else { false } }

  /// Returns whether a rendering is assigned first: one with adjustment data, and then the one with
  /// the shorter name, such as "DSC_1-Edit.tif" before "DSC_1-Edit-2.tif".
  fileprivate func precedes(_ other: Self) -> Bool {
    guard isOfRecord == other.isOfRecord else { return isOfRecord }
    return (file.stem.utf8.count, file.path) < (other.file.stem.utf8.count, other.file.path)
  }

  /// The format identifier of an edit whose adjustment data is not exported.
  fileprivate var editor: String? {
    switch origin {
    case .record: nil
    case .takeout: TakeoutFile.editor
    case .program(let editor): editor
    }
  }
}
