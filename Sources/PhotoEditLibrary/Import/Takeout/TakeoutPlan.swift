// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditStorage

/// The relations among the files of Google Takeout folders, which may come from several archives.
///
/// Folders with the same name are parts of one folder: an archive is split at any file, so that a
/// photo and its JSON file may be in different parts.
struct TakeoutPlan {
  /// The JSON file that describes a photo or video, by path.
  private(set) var descriptions: [PathKey: ImportScan.File] = [:]
  /// The names that photos had before their names were truncated, by path.
  private(set) var originalNames: [PathKey: String] = [:]
  /// The originals of edited photos in the same folder, by the path of the edited photo.
  private(set) var originals: [PathKey: String] = [:]
  /// The photos that were in the trash of Google Photos.
  private(set) var trashed: Set<PathKey> = []
  private(set) var albums: [PlannedAlbum] = []
  /// The report about JSON files that describe albums or no file of the import.
  private(set) var lines: [ImportedFile] = []
  /// The numbers for the summary; nil without JSON files.
  private(set) var summary: TakeoutSummary?

  /// The JSON files that describe photos and videos of the import.
  private(set) var described: Set<PathKey> = []

  private let files: [PathKey: TakeoutFile]
  private let facts: OriginFacts.Cache
  private var shared: Set<PathKey> = []

  /// Returns whether a JSON file describes several files, so that it is not moved.
  func isShared(_ description: ImportScan.File) -> Bool { shared.contains(description.key) }

  init(_ scan: ImportScan, facts: OriginFacts.Cache) {
    files = scan.descriptions
    self.facts = facts
    guard !files.isEmpty else { return }
    var parts: [String: [[ImportScan.File]]] = [:]
    for folder in scan.folders {
      guard let first = folder.first else { continue }
      let name = FileSystem.lastName(of: FileSystem.folder(of: first.path))
      parts[name, default: []].append(folder)
    }
    var titles: Set<String> = []
    for (name, folders) in parts.sorted(by: { $0.key < $1.key }) {
      guard folders.joined().contains(where: { $0.kind == .description }) else { continue }
      match(folders)
      addAlbum(name, folders, &titles)
    }
    finish(scan)
  }

  // MARK: Photos and JSON files

  /// Finds the JSON file of each photo: first in its own folder, then in all parts of the folder.
  private mutating func match(_ folders: [[ImportScan.File]]) {
    func index(_ list: some Sequence<ImportScan.File>) -> TakeoutIndex {
      TakeoutIndex(list.compactMap { file in files[file.key].map { (file.path, $0) } })
    }
    let all = index(folders.joined())
    for folder in folders {
      let own = index(folder)
      let media = folder.filter(\.isMedia)
      var without: [ImportScan.File] = []
      for file in media {
        var match = own.match(file.name)
        if match == .none, folders.count > 1 { match = all.match(file.name) }
        switch match {
        case .found(let path): describe(file, by: path)
        case .ambiguous(let paths):
          for path in paths {
            lines.append(
              ImportedFile(
                path, .skipped,
                reason: "ambiguous: \(paths.count) files may describe \(file.name)"))
          }
        case .none: without.append(file)
        }
      }
      let stems = Dictionary(grouping: media) { Self.stem($0) }
      for file in without where !deriveEdited(file, stems, all) { deriveLive(file, stems) }
    }
  }

  private static func stem(_ file: ImportScan.File) -> String {
    FileSystem.splitName(file.name).stem.lowercased()
  }

  private mutating func describe(_ file: ImportScan.File, by path: String) {
    descriptions[file.key] = ImportScan.File(path: path, kind: .packet, root: file.root)
    guard let content = files[PathKey(path)] else { return }
    if content.isTrashed { trashed.insert(file.key) }
    originalNames[file.key] = TakeoutNames.originalName(title: content.title, photo: file.name)
  }

  /// Assigns an edited photo to its original; without an original, it has the description of it.
  private mutating func deriveEdited(
    _ file: ImportScan.File, _ stems: [String: [ImportScan.File]], _ index: TakeoutIndex
  ) -> Bool {
    guard let stem = TakeoutNames.originalStem(ofEdited: file.name) else { return false }
    let ending = "." + FileSystem.splitName(file.name).fileExtension
    let originals = (stems[stem.lowercased()] ?? []).filter {
      $0 != file && ($0.kind == .movie) == (file.kind == .movie)
    }
    let original =
      originals.first { PathKey($0.name) == PathKey(stem + ending) }
      ?? originals.first { $0.kind == file.kind } ?? originals.first
    if let original {
      if file.kind == .still { self.originals[file.key] = original.path }
      adopt(original, for: file)
      return true
    }
    guard case .found(let path) = index.match(stem + ending) else { return false }
    descriptions[file.key] = ImportScan.File(path: path, kind: .packet, root: file.root)
    if files[PathKey(path)]?.isTrashed == true { trashed.insert(file.key) }
    return true
  }

  /// Assigns the description of a still to the video of a Live Photo or motion photo.
  private mutating func deriveLive(
    _ file: ImportScan.File, _ stems: [String: [ImportScan.File]]
  ) {
    guard file.kind == .movie else { return }
    // The still of "PXL_1.MP" is "PXL_1.MP.jpg".
    for stem in [Self.stem(file), file.name.lowercased()] {
      let stills = (stems[stem] ?? []).filter { $0.kind == .still }
      if let still = stills.first(where: { isOfVideo($0, file) }) {
        return adopt(still, for: file)
      }
    }
  }

  /// Returns whether a still has a description that may also be that of a video: a video of its own
  /// has a JSON file, and usually another date.
  private func isOfVideo(_ still: ImportScan.File, _ video: ImportScan.File) -> Bool {
    guard let description = descriptions[still.key] else { return false }
    guard let facts = facts[video], let seconds = facts.seconds,
      let taken = files[description.key]?.metadata.date?.seconds,
      abs(seconds - taken) > LivePhotoPartners.reach
    else { return true }
    return facts.contentIdentifier != nil
      && facts.contentIdentifier == self.facts[still]?.contentIdentifier
  }

  private mutating func adopt(_ other: ImportScan.File, for file: ImportScan.File) {
    descriptions[file.key] = descriptions[other.key]
    if trashed.contains(other.key) { trashed.insert(file.key) }
  }

  // MARK: Albums

  /// The beginnings of the names of the folders with all photos of a year, by language.
  private static let yearFolders = [
    "Photos from", "Fotos von", "Fotos aus", "Photos de", "Fotos de", "Foto da", "Foto del",
    "Foto's uit", "Foto's van", "Zdjęcia z", "Foton från", "Billeder fra", "Bilder fra",
  ]

  /// Returns whether a name is that of a folder with all photos of a year.
  private static func isYear(_ name: String) -> Bool {
    let digits = name.suffix(4)
    guard digits.count == 4, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return false }
    let start = name.dropLast(4).lowercased().drop { $0 == " " }
    return yearFolders.contains { start.hasPrefix($0.lowercased()) && start.count <= $0.count + 4 }
  }

  private mutating func addAlbum(
    _ name: String, _ folders: [[ImportScan.File]], _ titles: inout Set<String>
  ) {
    let records = folders.joined().compactMap { file in
      files[file.key]?.album.map { (path: file.path, title: $0) }
    }
    // A folder without an album file contains the photos of a year.
    guard let first = records.first else { return }
    var title = first.title.isEmpty ? name : first.title
    let isYear = Self.isYear(title)
    if !isYear, !titles.insert(title).inserted {
      title = name
      titles.insert(title)
    }
    for record in records {
      let reason = isYear ? "all photos of a year; no album is created" : "album “\(title)”"
      lines.append(ImportedFile(record.path, .read, reason: reason))
    }
    guard !isYear else { return }
    let members = folders.joined().filter(\.isMedia)
    func date(_ file: ImportScan.File) -> Double {
      descriptions[file.key].flatMap { files[$0.key]?.metadata.date?.seconds } ?? .infinity
    }
    let sorted = members.map { (date($0), $0) }.sorted { ($0.0, $0.1.name) < ($1.0, $1.1.name) }
    guard !sorted.isEmpty else { return }
    albums.append(PlannedAlbum(path: [title], members: sorted.map(\.1.path)))
  }

  // MARK: Report

  private mutating func finish(_ scan: ImportScan) {
    let uses = Dictionary(grouping: descriptions.values, by: \.key)
    shared = Set(uses.filter { $0.value.count > 1 }.keys)
    let used = Set(uses.keys)
    var reported = Set<PathKey>()
    lines = lines.filter { line in
      reported.insert(PathKey(line.path)).inserted && !used.contains(PathKey(line.path))
    }
    var summary = TakeoutSummary(files: files.count)
    summary.used = used.count
    described = used
    summary.albums = files.values.count { $0.album != nil }
    summary.ambiguous = lines.count { $0.outcome == .skipped }
    let unmatched = files.keys.filter { !used.contains($0) && !reported.contains($0) }
    for key in unmatched.sorted(by: { $0.path < $1.path }) {
      summary.unmatched += 1
      lines.append(
        ImportedFile(
          key.path, .skipped, reason: "the photo or video that it describes is not in the import"))
    }
    self.summary = summary
  }
}

/// The numbers of the JSON files of Google Takeout in an import.
public struct TakeoutSummary: Sendable, Hashable {
  /// The number of JSON files.
  public internal(set) var files: Int
  /// The number of files that describe a photo or video in the library or of the import.
  public internal(set) var used = 0
  /// The number of files that are not used although their photo or video is in the import, because
  /// it was rejected or omitted, or has XMP.
  public internal(set) var unused = 0
  /// The number of files that describe an album.
  public internal(set) var albums = 0
  /// The number of files whose photo or video is missing.
  public internal(set) var unmatched = 0
  /// The number of files that are not used because several could describe the same photo.
  public internal(set) var ambiguous = 0

  init(files: Int) { self.files = files }
}
