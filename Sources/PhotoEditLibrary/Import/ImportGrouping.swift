// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditStorage

/// Sorts the files of a folder into groups.
///
/// - `NAME.JPG` and `NAME.DNG`: a still and its RAW, unless the camera or the time differs.
///   `NAME.HEIC` and `NAME.MOV`: possibly a Live Photo. Stems of one shot may also differ as in the
///   table of `NameScheme`.
/// - `IMG_1.HEIC`, `IMG_1.AAE`, `IMG_E1.JPG` (and `IMG_1.MOV`, `IMG_E1.MOV`): an original, the
///   adjustment data of its edit, the rendering.
/// - `NAME.JPG`, `NAME.JPG.aae`, `NAME.edited.jpg`, `NAME.base.jpg`: the same as written by the
///   tools of this project.
/// - `NAME.JPG.xmp`: metadata of that file. `NAME.xmp`: metadata of every file with this name that
///   has no XMP file of its own, as far as its content does not contradict.
/// - `NAME.JPG`, `NAME-Edit.TIF`: an original and its rendering by a program in the table.
/// - `NAME.JPG`, `NAME-edited.JPG` and their JSON file: see `TakeoutPlan`.
///
/// Originals are paired first, so that every other file is assigned to the original that it names,
/// and not to another with the same stem. A name in the same case precedes one in another. A
/// rendering of no original, or without the adjustment data that its name implies, is imported as a
/// separate photo.
struct ImportGrouping {
  var groups: [ImportGroup] = []
  var excluded: [ImportedFile] = []
  let takeout: TakeoutPlan?
  let facts: OriginFacts.Cache

  /// A file that belongs to an original, by its name.
  struct Companion {
    let file: ImportScan.File
    /// The name of the original, if the file names it with its extension.
    var subject: String?
  }

  /// A file that is the result or the input of an edit, by its name.
  struct Rendering {
    enum Origin {
      /// Described by adjustment data.
      case record
      /// By Google Photos, of this original.
      case takeout(String)
      /// By the program with this format identifier.
      case program(String)
    }

    let file: ImportScan.File
    let origin: Origin
    var isBase = false
  }

  /// Files with the same stem.
  struct Cluster {
    let stem: String
    var originals: [ImportScan.File] = []
    var records: [Companion] = []
    var packets: [Companion] = []
    var renderings: [Rendering] = []
    var groups: [ImportGroup] = []
    /// Indicates whether the groups are formed.
    var isAssembled = false

    mutating func add(_ file: ImportScan.File, _ role: Role) {
      switch role {
      case .original: originals.append(file)
      case .record(let subject): records.append(Companion(file: file, subject: subject))
      case .packet(let subject): packets.append(Companion(file: file, subject: subject))
      case .rendering(let origin, let isBase):
        renderings.append(Rendering(file: file, origin: origin, isBase: isBase))
      }
    }

    var hasCompanions: Bool { !(records.isEmpty && packets.isEmpty && renderings.isEmpty) }

    func count(_ kind: ImportScan.Kind) -> Int { originals.count { $0.kind == kind } }
  }

  /// The role of a file in the cluster of a stem.
  enum Role {
    case original
    /// Adjustment data of an original, possibly with its full name.
    case record(String?)
    /// XMP of an original, possibly with its full name.
    case packet(String?)
    case rendering(Rendering.Origin, isBase: Bool)
  }

  /// - Parameters:
  ///   - takeout: The relations among the files of a Google Takeout folder.
  ///   - facts: What is known about the files of the import.
  ///   - stored: The originals of the library, to which files of the folder may belong.
  init(
    _ files: [ImportScan.File], takeout: TakeoutPlan? = nil,
    facts: OriginFacts.Cache = OriginFacts.Cache(), stored: StoredOriginals? = nil
  ) {
    self.takeout = takeout
    self.facts = facts
    var stems: [String: [(stem: String, file: ImportScan.File, role: Role)]] = [:]
    let whole = withoutReduced(files)
    for file in withoutBackups(whole) where file.kind != .description {
      let (stem, role) = classify(file)
      stems[stem.lowercased(), default: []].append((stem, file, role))
    }
    var clusters = stems.sorted { $0.key < $1.key }.flatMap { Self.clusters($0.value) }
    if let stored { add(stored, to: &clusters) }
    facts.load(clusters.flatMap(filesToExamine))
    // Renderings that belong to no original become originals of their own stem.
    var positions = Dictionary(
      clusters.enumerated().map { ($1.stem.lowercased(), $0) },
      uniquingKeysWith: { first, _ in first })
    for index in clusters.indices where !clusters[index].renderings.isEmpty {
      for file in assemble(&clusters[index]) { Self.add(file, to: &clusters, &positions) }
    }
    for index in clusters.indices where !clusters[index].isAssembled {
      _ = assemble(&clusters[index])
    }
    for index in clusters.indices {
      assignPackets(of: &clusters[index])
      groups += clusters[index].groups
    }
    for cluster in clusters where cluster.groups.isEmpty {
      for packet in cluster.packets { assignToEdited(packet) }
    }
    groups.removeAll { $0.files.isEmpty }
    groups.sort { $0.path < $1.path }
    if let takeout { describe(takeout) }
  }

  /// Excludes the small copies that cameras write next to their videos.
  private mutating func withoutReduced(_ files: [ImportScan.File]) -> [ImportScan.File] {
    let copies = Dictionary(
      files.compactMap { file in
        let forms = NameScheme.reduced(file.name)
        return forms.isEmpty ? nil : (file, forms)
      }, uniquingKeysWith: { first, _ in first })
    guard !copies.isEmpty else { return files }
    let videos = NameScheme.VideoIndex(
      files.filter { $0.kind == .movie && copies[$0] == nil }.map(\.name))
    return files.filter { file in
      guard let video = copies[file].flatMap({ videos.video(of: $0) }) else { return true }
      excluded.append(
        ImportedFile(file.path, .skipped, reason: "a preview that the camera made of \(video)"))
      return false
    }
  }

  /// Excludes the copies that programs keep of other files of the folder.
  private mutating func withoutBackups(_ files: [ImportScan.File]) -> [ImportScan.File] {
    let subjects = Dictionary(
      files.compactMap { file in NameScheme.backup(file.name).map { (file, $0.lowercased()) } },
      uniquingKeysWith: { first, _ in first })
    guard !subjects.isEmpty else { return files }
    let names = Dictionary(
      files.map { ($0.name.lowercased(), $0.name) }, uniquingKeysWith: { first, _ in first })
    return files.filter { file in
      guard let name = subjects[file].flatMap({ names[$0] }) else { return true }
      excluded.append(
        ImportedFile(file.path, .skipped, reason: "a copy that another program kept of \(name)"))
      return false
    }
  }

  // MARK: Names

  private func classify(_ file: ImportScan.File) -> (stem: String, role: Role) {
    if let original = takeout?.originals[file.key] {
      let stem = FileSystem.splitName(FileSystem.lastName(of: original)).stem
      return (NameScheme.shot(stem), .rendering(.takeout(original), isBase: false))
    }
    return Self.classify(file.name, file.kind)
  }

  /// Returns the stem of the cluster to which a file belongs by its name, and its role there.
  static func classify(_ name: String, _ kind: ImportScan.Kind) -> (stem: String, role: Role) {
    let (stem, nameEnding) = FileSystem.splitName(name)
    let (inner, ending) = FileSystem.splitName(stem)
    if kind == .record || kind == .packet {
      // "photo.jpg.aae" belongs to "photo.jpg".
      let isNamed = FileContent.family(ofExtension: ending) != nil
      let subject = isNamed ? stem : nil
      return (
        NameScheme.shot(isNamed ? inner : stem),
        kind == .record ? .record(subject) : .packet(subject)
      )
    }
    if ending == "edited" || ending == "base" {
      return (NameScheme.shot(inner), .rendering(.record, isBase: ending == "base"))
    }
    let start = stem.prefix(5)
    let number = stem.dropFirst(5)
    if start.uppercased() == "IMG_E", !number.isEmpty,
      number.allSatisfy({ $0.isASCII && $0.isNumber })
    {
      return (String(start.dropLast() + number), .rendering(.record, isBase: false))
    }
    // QuickTime and MPEG-4 are the formats of edited videos.
    if kind == .still
      || kind == .movie && FileContent.family(ofExtension: nameEnding) == .isoMovie,
      let (original, editor) = NameScheme.edited(stem)
    {
      return (NameScheme.shot(original), .rendering(.program(editor), isBase: false))
    }
    return (NameScheme.shot(stem), .original)
  }

  /// Separates stems that differ in case or in Unicode form if each has an original of its own.
  private static func clusters(
    _ named: [(stem: String, file: ImportScan.File, role: Role)]
  ) -> [Cluster] {
    var kinds: [ImportScan.Kind: Int] = [:]
    var stems: Set<PathKey> = []
    for case (let stem, let file, .original) in named {
      kinds[file.kind, default: 0] += 1
      stems.insert(PathKey(stem))
    }
    let isOne = stems.count < 2 || kinds.values.allSatisfy { $0 == 1 }
    let first = stems.map(\.path).min() ?? named[0].stem
    var clusters: [PathKey: Cluster] = [:]
    for (stem, file, role) in named {
      let name = !isOne && stems.contains(PathKey(stem)) ? stem : first
      clusters[PathKey(name), default: Cluster(stem: name)].add(file, role)
    }
    return clusters.values.sorted { $0.stem < $1.stem }
  }

  /// Adds a rendering that belongs to no original to the cluster of its own stem.
  private static func add(
    _ file: ImportScan.File, to clusters: inout [Cluster], _ positions: inout [String: Int]
  ) {
    let stem = NameScheme.shot(file.stem)
    guard let index = positions[stem.lowercased()] else {
      positions[stem.lowercased()] = clusters.count
      return clusters.append(Cluster(stem: stem, originals: [file]))
    }
    if clusters[index].isAssembled {
      clusters[index].groups.append(ImportGroup(original: file))
    } else {
      clusters[index].originals.append(file)
    }
  }

  // MARK: Originals

  /// Returns the files of which more than the name is needed.
  private func filesToExamine(_ cluster: Cluster) -> [ImportScan.File] {
    let programs = cluster.renderings.filter {
      if case .program = $0.origin { true } else { false }
    }
    guard needsFacts(cluster) || !programs.isEmpty else { return [] }
    return cluster.originals + cluster.renderings.map(\.file)
  }

  /// Returns whether the names do not determine the relations of the files.
  private func needsFacts(_ cluster: Cluster) -> Bool {
    let count = cluster.originals.count
    return count > 2 || cluster.count(.still) == 1 && cluster.count(.raw) == 1
      || count == 2
        && (cluster.hasCompanions
          || cluster.originals.contains { takeout?.descriptions[$0.key] != nil })
  }

  /// Forms the groups of a cluster; returns the renderings that belong to none of them.
  private mutating func assemble(_ cluster: inout Cluster) -> [ImportScan.File] {
    func all(_ kind: ImportScan.Kind) -> [ImportScan.File] {
      cluster.originals.filter { $0.kind == kind }
    }
    let (stills, raws, movies) = (all(.still), all(.raw), all(.movie))
    var groups = stills.map { ImportGroup(original: $0) }
    for raw in raws {
      if let index = still(of: raw, stills, raws) {
        groups[index].alternate = raw
      } else {
        // Several files of one name are separate photos, unless the content shows their roles.
        groups.append(ImportGroup(original: raw))
      }
    }
    for movie in movies {
      if let index = photo(of: movie, groups, cluster) {
        groups[index].movie = movie
      } else {
        groups.append(ImportGroup(original: movie))
      }
    }
    assignRecords(of: cluster, to: &groups)
    (cluster.groups, cluster.isAssembled) = (groups, true)
    return assignRenderings(of: &cluster)
  }

  /// Returns the position of the still of the same shot as a RAW file.
  private func still(
    of raw: ImportScan.File, _ stills: [ImportScan.File], _ raws: [ImportScan.File]
  ) -> Int? {
    func isSame(_ still: ImportScan.File, _ raw: ImportScan.File) -> Bool? {
      guard let first = facts[still], let second = facts[raw] else { return nil }
      return first.isSameShot(as: second)
    }
    if stills.count == 1, raws.count == 1 { return isSame(stills[0], raw) == false ? nil : 0 }
    let found = stills.indices.filter { isSame(stills[$0], raw) == true }
    guard found.count == 1, raws.count(where: { isSame(stills[found[0]], $0) == true }) == 1 else {
      return nil
    }
    return found[0]
  }

  /// Returns the position of the photo that may form a Live Photo with a video.
  private func photo(
    of movie: ImportScan.File, _ groups: [ImportGroup], _ cluster: Cluster
  ) -> Int? {
    let photos = groups.indices.filter { groups[$0].original.kind != .movie }
    guard needsFacts(cluster) else { return photos.first }
    if cluster.count(.movie) == 1, isPairedByExport(cluster) { return photos.first }
    guard let identifier = facts[movie]?.contentIdentifier else { return nil }
    return photos.first {
      groups[$0].movie == nil && facts[groups[$0].original]?.contentIdentifier == identifier
    }
  }
}
