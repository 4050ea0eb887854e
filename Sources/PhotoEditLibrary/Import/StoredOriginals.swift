// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditContainers
import PhotoEditFilters
import PhotoEditSQLite
import PhotoEditStorage

/// The originals of a library by their names, to which files belong that are imported later.
struct StoredOriginals: Sendable {
  /// An original whose name is that of a stem.
  struct Entry: Sendable {
    let asset: Int64
    let kind: ImportScan.Kind
    let role: ImportGrouping.Role
  }

  /// An asset with the originals that take part in an import.
  struct Candidate {
    let known: ExistingAsset
    let originals: [(file: ImportScan.File, role: ImportGrouping.Role)]
    /// The date in the library; nil if the files may have another one.
    fileprivate let date: Double?

    /// Returns whether it can be of the time of a file, according to the library.
    func mayBe(of facts: OriginFacts) -> Bool {
      guard let date else { return true }
      return facts.seconds.map { abs($0 - date) <= LivePhotoPartners.reach } ?? false
    }
  }

  private let library: LibraryReader
  private var entries: [String: [Entry]] = [:]

  /// Finds the originals whose names may be those of files of an import, or of what its JSON files
  /// describe.
  init(_ library: LibraryReader, for scan: ImportScan) throws(LibraryError) {
    self.library = library
    guard library.canRead else { return }
    let files = scan.folders.joined().map { ($0.name, $0.kind) }
    let described = scan.descriptions.values.map { ($0.title, ImportScan.Kind.still) }
    let beginnings = Set(
      (files + described).flatMap { name, kind in
        Self.beginnings(ImportGrouping.classify(name, kind).stem.lowercased())
      })
    let limits = JSONLimits(
      maximumBytes: .max, maximumArrayCount: .max, maximumObjectCount: .max)
    guard !beginnings.isEmpty,
      let list = try? JSONValue.array(beginnings.map { .string($0) }).canonicalBytes(limits: limits)
    else { return }
    // Most names of a large library begin in another way, and are not examined.
    let conditions = Set(beginnings.map(\.utf8.count)).sorted().map {
      "substr(lower(resource.filename), 1, \($0)) IN (SELECT value FROM json_each(?1))"
    }
    let found = try library.read { database throws(LibraryError) in
      try database.all(
        """
        SELECT asset.id, resource.filename, resource.file
        FROM asset JOIN resource ON resource.asset = asset.id
        WHERE asset.state = 0 AND resource.type IN (1, 2, 4)
          AND (resource.filename GLOB '*[^ -~]*' OR \(conditions.joined(separator: " OR ")))
        """, [.text(String(decoding: list, as: UTF8.self))]
      ) { (asset: $0.int(0), name: $0.text(1), kind: Self.kind(of: $0.text(2))) }
    }
    for (asset, name, kind) in found {
      let (stem, role) = ImportGrouping.classify(name, kind)
      entries[stem.lowercased(), default: []].append(Entry(asset: asset, kind: kind, role: role))
      // The rendering of no original is an original of its own name.
      if case .rendering = role {
        let own = NameScheme.shot(FileSystem.splitName(name).stem)
        entries[own.lowercased(), default: []].append(
          Entry(asset: asset, kind: kind, role: .original))
      }
    }
  }

  /// Returns the beginnings, in lower case, of the names of which a stem may be the original's;
  /// none for one that SQLite cannot compare regardless of case.
  private static func beginnings(_ stem: String) -> [String] {
    guard !stem.isEmpty, stem.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return [] }
    // Apple's renderings of "img_1" are "img_e1".
    let names = stem.hasPrefix("img_") ? [stem, "img_e" + stem.dropFirst(4)] : [stem]
    return names.map { String($0.prefix(16)) }
  }

  /// Returns the kind of a file of the library, whose extension is that of its content.
  private static func kind(of file: String) -> ImportScan.Kind {
    FileContent.family(ofExtension: FileSystem.splitName(file).fileExtension)?.kind ?? .still
  }

  /// The originals with the name of a stem.
  subscript(stem: String) -> [Entry] { entries[stem.lowercased()] ?? [] }

  /// Returns whether there is an original with a name, apart from its extension.
  func has(_ name: String) -> Bool {
    !name.isEmpty && !self[ImportGrouping.classify(name, .still).stem].isEmpty
  }

  /// Returns the assets of entries, without those that this program may not change.
  func candidates(_ entries: [Entry]) -> [Candidate] {
    let found = try? library.read { database throws(LibraryError) in
      var found: [Candidate] = []
      for asset in Set(entries.map(\.asset)).sorted() {
        let own = entries.filter { $0.asset == asset }
        if let candidate = try candidate(asset, own, database) { found.append(candidate) }
      }
      return found
    }
    return found ?? []
  }

  private func candidate(
    _ asset: Int64, _ entries: [Entry], _ database: LibraryDatabase
  ) throws(LibraryError) -> Candidate? {
    let found = try database.first(
      "SELECT uuid, creationDate, userFields FROM asset WHERE id = ?", [.integer(asset)]
    ) { (LocalIdentifier(bytes: $0.blob(0), .asset), $0.optionalReal(1), $0.optionalInt(2)) }
    guard let (identifier, date, fields) = found, let identifier, library.canSee(identifier),
      let known = try ExistingAsset(identifier, in: database), !known.isTrashed
    else { return nil }
    let isStated =
      known.resources[.sidecar] != nil
      || fields.map { AssetFields(rawValue: Int($0)).contains(.date) } ?? true
    let originals = [AssetResourceType.photo, .video, .alternatePhoto].compactMap { type in
      known.resources[type].map { resource in
        let kind = Self.kind(of: resource.file)
        let file = ImportScan.File(
          path: library.layout.path(resource.file), kind: kind,
          stored: ImportScan.Stored(name: resource.filename, digest: resource.digest))
        // A rendering takes part under the name that the import looks for.
        let isOwn = entries.contains { if case .original = $0.role { true } else { false } }
        return (file: file, role: isOwn ? .original : ImportGrouping.classify(file.name, kind).role)
      }
    }
    return Candidate(known: known, originals: originals, date: isStated ? nil : date)
  }
}

/// The files of a folder that belong to originals of the library.
extension ImportGrouping {
  /// Adds the originals of the library to which files belong by name, camera and time, as if they
  /// were still in the folder.
  ///
  /// Adjustment data and XMP without an original belong to the only one of their name. If several
  /// assets fit, none is added.
  mutating func add(_ stored: StoredOriginals, to clusters: inout [Cluster]) {
    let found = clusters.indices.compactMap { index -> (index: Int, [StoredOriginals.Candidate])? in
      let entries = Self.fitting(stored[clusters[index].stem], clusters[index])
      return entries.isEmpty ? nil : (index, stored.candidates(entries))
    }
    facts.load(found.flatMap { clusters[$0.index].media })
    for (index, candidates) in found {
      let cluster = clusters[index]
      let fitting = candidates.filter { candidate in
        cluster.media.isEmpty
          ? isDescribed(candidate, by: cluster)
          : cluster.media.contains { belongs($0, to: candidate, cluster) }
      }
      guard fitting.count == 1, let only = fitting.first else { continue }
      for (file, role) in only.originals { clusters[index].add(file, role) }
    }
  }

  /// Returns the originals that files of a cluster may complete, by their roles: none with the role
  /// of one of these files.
  private static func fitting(
    _ entries: [StoredOriginals.Entry], _ cluster: Cluster
  ) -> [StoredOriginals.Entry] {
    guard !entries.isEmpty else { return [] }
    let isTaken = Set(entries.filter { cluster.has($0.kind, $0.role) }.map(\.asset))
    return entries.filter { entry in
      guard !isTaken.contains(entry.asset) else { return false }
      if case .rendering(_, let isBase) = entry.role {
        return !isBase && !cluster.originals.isEmpty
      }
      return cluster.media.isEmpty || !cluster.renderings.isEmpty
        || cluster.originals.contains { [$0.kind, entry.kind].allSatisfy { $0 != .movie } }
    }
  }

  /// Returns whether a file of a cluster is part of an asset that can take it.
  private func belongs(
    _ file: ImportScan.File, to candidate: StoredOriginals.Candidate, _ cluster: Cluster
  ) -> Bool {
    guard let own = facts[file], candidate.mayBe(of: own) else { return false }
    let types = Set(candidate.known.resources.keys)
    let isEdited = candidate.known.hasHistory || !types.isDisjoint(with: ResourceCombination.edit)
    return candidate.originals.contains { other, role in
      let canTake: Bool
      switch role {
      case .original where cluster.originals.contains(file):
        canTake =
          Set([file.kind, other.kind]) == [.still, .raw]
          && types.isDisjoint(with: [.alternatePhoto, .pairedVideo])
      case .original:
        canTake = (file.kind == .movie) == (other.kind == .movie) && !isEdited
      default:
        canTake =
          cluster.originals.contains(file) && (file.kind == .movie) == (other.kind == .movie)
          && [.photo, .video].contains { candidate.known.isLone($0) }
      }
      return canTake && facts[other].map { own.isCertainlySameShot(as: $0) } == true
    }
  }

  /// Returns whether adjustment data and XMP may be those of an asset.
  private func isDescribed(
    _ candidate: StoredOriginals.Candidate, by cluster: Cluster
  ) -> Bool {
    let names = Set(candidate.originals.map { $0.file.name.lowercased() })
    return (cluster.records + cluster.packets).allSatisfy {
      $0.subject.map { names.contains($0.lowercased()) } ?? true
    }
      && cluster.packets.allSatisfy { packet in
        candidate.originals.contains { !isContradicted($0.file, by: packet.file) }
      }
  }

  /// Returns whether XMP is that of another file according to its content.
  private func isContradicted(_ file: ImportScan.File, by packet: ImportScan.File) -> Bool {
    guard
      let bytes = try? FileBytes.reading(packet.path, maximumBytes: SidecarMetadata.maximumBytes),
      let subject = SidecarSubject(bytes.array)
    else { return false }
    if let ending = subject.fileExtension,
      FileSystem.splitName(file.name).fileExtension.lowercased() != ending
    {
      return true
    }
    if let isMovie = subject.isMovie, isMovie != (file.kind == .movie) { return true }
    guard let facts = facts[file] else { return false }
    let stated = OriginFacts(subject)
    return stated.hasModel(of: facts) == false || stated.isWithin(86_400, of: facts) == false
  }
}

extension ImportGrouping.Cluster {
  /// The photos and videos.
  fileprivate var media: [ImportScan.File] {
    originals + renderings.filter { !$0.isBase }.map(\.file)
  }

  /// Returns whether it has a file of a kind with a role.
  fileprivate func has(_ kind: ImportScan.Kind, _ role: ImportGrouping.Role) -> Bool {
    guard case .rendering(_, let isBase) = role else {
      return originals.contains { $0.kind == kind }
    }
    return renderings.contains { $0.file.kind == kind && $0.isBase == isBase }
  }
}
