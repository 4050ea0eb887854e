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

  private var files: [PathKey: TakeoutFile]
  private let facts: OriginFacts.Cache
  private var shared: Set<PathKey> = []
  private var damagedCount = 0

  /// Returns whether a JSON file describes several files, so that it is not moved.
  func isShared(_ description: ImportScan.File) -> Bool { shared.contains(description.key) }

  /// - Parameter stored: The originals of the library; a photo may have been imported before its JSON
  ///   file.
  init(_ scan: ImportScan, facts: OriginFacts.Cache, stored: StoredOriginals? = nil) {
    files = scan.descriptions
    self.facts = facts
    guard !files.isEmpty else { return }
    var parts: [String: [[ImportScan.File]]] = [:]
    for folder in scan.folders {
      guard let first = folder.first else { continue }
      let name = FileSystem.lastName(of: FileSystem.folder(of: first.path))
      parts[name, default: []].append(folder)
    }
    let exports = Set(
      files.filter { !$0.value.needsOthers }.map { PathKey(Self.surroundings(of: $0.key.path)) })
    for folders in parts.values { omitOthers(folders, exports) }
    guard !files.isEmpty else { return }
    for (name, folders) in parts.sorted(by: { $0.key < $1.key }) {
      guard folders.joined().contains(where: { $0.kind == .description }) else { continue }
      match(folders)
      addAlbum(name, folders)
    }
    // The folders tell albums of one title apart; a title of its own is that of its album.
    let titles = Dictionary(grouping: albums, by: \.path).mapValues(\.count)
    for index in albums.indices where titles[albums[index].path] == 1 { albums[index].sources = [] }
    finish(stored)
  }

  /// Returns the folder that contains the folder of a file.
  private static func surroundings(of path: String) -> String {
    FileSystem.folder(of: FileSystem.folder(of: path))
  }

  /// Omits the damaged files of a folder, and those that the other files do not show to be of an
  /// export.
  ///
  /// - Parameter exports: The folders with folders of exports. What a damaged file next to these
  ///   describes is a folder of photos.
  private mutating func omitOthers(_ folders: [[ImportScan.File]], _ exports: Set<PathKey>) {
    let isExport = folders.joined().contains { files[$0.key]?.needsOthers == false }
    let isAlbum =
      folders.joined().contains(where: \.isMedia)
      && folders.joined().contains { exports.contains(PathKey(Self.surroundings(of: $0.path))) }
    for file in folders.joined() {
      guard let content = files[file.key] else { continue }
      if content.needsOthers, !isExport, content.damage == nil || !isAlbum {
        lines.append(ImportedFile(file.path, .skipped, reason: "not a photo or video"))
      } else if let damage = content.damage {
        lines.append(
          ImportedFile(file.path, .refused, error: .damagedDescription(file.path, damage)))
        damagedCount += 1
      } else {
        continue
      }
      files[file.key] = nil
    }
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
      without = matchTitles(of: without, in: folder)
      for file in media where descriptions[file.key] != nil { separateEdited(file, stems) }
      for file in without where !deriveEdited(file, stems, all) { deriveLive(file, stems) }
    }
  }

  /// Assigns JSON files that describe no other photo by their titles; returns the other photos.
  private mutating func matchTitles(
    of photos: [ImportScan.File], in folder: [ImportScan.File]
  ) -> [ImportScan.File] {
    guard !photos.isEmpty else { return [] }
    let used = Set(folder.compactMap { descriptions[$0.key]?.key })
    let free = folder.filter { files[$0.key]?.album == nil && !used.contains($0.key) }
    let titled = Dictionary(grouping: free.filter { $0.kind == .description }) {
      let number = TakeoutNames.splitNumber(FileSystem.splitName($0.name).stem).number
      return TakeoutNames.name(ofTitle: files[$0.key]?.title ?? "") + "/" + number
    }
    return photos.filter { photo in
      // A number at the end of a name is that of the JSON file as well, or else part of the title.
      let (stem, ending) = FileSystem.splitName(photo.name)
      let (unnumbered, number) = TakeoutNames.splitNumber(stem)
      let names = [photo.name + "/", unnumbered + "." + ending + "/" + number]
      let found = Set(names.map { $0.lowercased() }).flatMap { titled[$0] ?? [] }
      guard found.count == 1 else { return true }
      describe(photo, by: found[0].path)
      return false
    }
  }

  /// Assigns an edited photo to its original if a JSON file of a truncated name describes both.
  private mutating func separateEdited(
    _ file: ImportScan.File, _ stems: [String: [ImportScan.File]]
  ) {
    guard let description = descriptions[file.key], let title = files[description.key]?.title,
      !TakeoutNames.matches(title: title, photo: file.name),
      let original = original(ofEdited: file, stems),
      descriptions[original.key]?.key == description.key
    else { return }
    originals[file.key] = original.path
    originalNames[file.key] = nil
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
    if let original = original(ofEdited: file, stems) {
      if [.still, .movie].contains(file.kind) { self.originals[file.key] = original.path }
      adopt(original, for: file)
      return true
    }
    let ending = "." + FileSystem.splitName(file.name).fileExtension
    guard case .found(let path) = index.match(stem + ending) else { return false }
    descriptions[file.key] = ImportScan.File(path: path, kind: .packet, root: file.root)
    if files[PathKey(path)]?.isTrashed == true { trashed.insert(file.key) }
    return true
  }

  /// Returns the original of an edited photo in the same folder.
  private func original(
    ofEdited file: ImportScan.File, _ stems: [String: [ImportScan.File]]
  ) -> ImportScan.File? {
    guard let stem = TakeoutNames.originalStem(ofEdited: file.name) else { return nil }
    let ending = "." + FileSystem.splitName(file.name).fileExtension
    let originals = (stems[stem.lowercased()] ?? []).filter {
      $0 != file && ($0.kind == .movie) == (file.kind == .movie)
    }
    return originals.first { PathKey($0.name) == PathKey(stem + ending) }
      ?? originals.first { $0.kind == file.kind } ?? originals.first
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

  /// The names of the folders into which Google Photos puts what a person archived or deleted.
  private static let placeNames: Set<String> = [
    "archive", "trash", "bin", "archiv", "papierkorb", "corbeille", "archivo", "papelera",
    "archivio", "cestino", "archief", "prullenbak", "arquivo", "lixeira",
  ]

  /// Returns what the photos of a folder have in common that has a name of Google's; nil for the
  /// name of an album.
  ///
  /// Earlier exports have a folder for each day, or for some days: "2018-05-07 - 08", "2018-05-06 #2".
  private static func collection(_ name: String) -> String? {
    if isYear(name) { return "all photos of a year" }
    if placeNames.contains(name.lowercased()) { return "photos of the archive or the trash" }
    let day = NamePattern("{4}-{2}-{2}")
    let isDay = day.identity(of: String(name.prefix(10))) != nil
    return isDay && name.allSatisfy { "0123456789 -#".contains($0) } ? "photos of a day" : nil
  }

  private mutating func addAlbum(_ name: String, _ folders: [[ImportScan.File]]) {
    let records = folders.joined().compactMap { file in
      files[file.key]?.album.map { (path: file.path, title: $0) }
    }
    // A folder without an album file contains the photos of a year.
    guard let first = records.first else { return }
    let title = first.title.isEmpty ? name : first.title
    let collection = Self.collection(title)
    for record in records {
      let reason = collection.map { $0 + "; no album is created" } ?? "album “\(title)”"
      lines.append(ImportedFile(record.path, .read, reason: reason))
    }
    guard collection == nil else { return }
    let members = folders.joined().filter(\.isMedia)
    func date(_ file: ImportScan.File) -> Double {
      descriptions[file.key].flatMap { files[$0.key]?.metadata.date?.seconds } ?? .infinity
    }
    let sorted = members.map { (date($0), $0) }.sorted { ($0.0, $0.1.name) < ($1.0, $1.1.name) }
    guard !sorted.isEmpty else { return }
    albums.append(
      PlannedAlbum(
        path: [title], sources: ["Google Photos/" + name], members: sorted.map(\.1.path)))
  }

  // MARK: Report

  private mutating func finish(_ stored: StoredOriginals?) {
    let uses = Dictionary(grouping: descriptions.values, by: \.key)
    shared = Set(uses.filter { $0.value.count > 1 }.keys)
    let used = Set(uses.keys)
    var reported = Set<PathKey>()
    lines = lines.filter { line in
      reported.insert(PathKey(line.path)).inserted && !used.contains(PathKey(line.path))
    }
    var summary = TakeoutSummary(files: files.count + damagedCount)
    summary.damaged = damagedCount
    summary.used = used.count
    described = used
    summary.albums = files.values.count { $0.album != nil }
    summary.locked = used.count { files[$0]?.isLocked == true }
    summary.ambiguous = lines.count {
      $0.outcome == .skipped && files[PathKey($0.path)] != nil
    }
    let unmatched = files.keys.filter { !used.contains($0) && !reported.contains($0) }
    let late = Set(unmatched.filter { files[$0].map { stored?.has($0.title) == true } == true })
    (summary.unmatched, summary.stored) = (unmatched.count, late.count)
    for key in unmatched.sorted(by: { $0.path < $1.path }) {
      lines.append(
        ImportedFile(
          key.path, .skipped,
          reason: "the photo or video that it describes is not in the import"
            + (late.contains(key) ? ", but one of its name is in the library" : "")))
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
  /// The number of those of which the library has a photo or video of that name.
  public internal(set) var stored = 0
  /// The number of files that are not used because several could describe the same photo.
  public internal(set) var ambiguous = 0
  /// The number of files that cannot be read.
  public internal(set) var damaged = 0
  /// The number of used files whose photo was in the Locked Folder, and is hidden.
  public internal(set) var locked = 0

  init(files: Int) { self.files = files }
}
