// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditStorage

/// The photos, albums and folders of an Apple Photos library, as groups of files for an import.
struct PhotosLibraryScan {
  private(set) var groups: [ImportGroup] = []
  private(set) var albums: [PlannedAlbum] = []
  private(set) var lines: [ImportedFile] = []

  private let library: OpenFolder
  /// The folders with originals beneath the library: its own, and those of photos that others
  /// shared.
  private var roots: [String] = []
  private let referenced: [OpenFolder]
  private var namesByFolder: [String: [String]] = [:]

  /// - Parameters:
  ///   - library: The folder of the library, beneath which the names in its database are resolved.
  ///   - referenced: The folders that the user named, beneath which referenced files may be.
  /// - Throws: `LibraryError` if the database cannot be read or its schema is not recognized.
  init(
    library: OpenFolder, referenced: [OpenFolder] = [], includesTrashed: Bool
  ) throws(LibraryError) {
    self.library = library
    self.referenced = referenced
    let database = try PhotosDatabase(library: library)
    roots = originalFolders()
    var paths: [Int64: String] = [:]
    var used: Set<String> = []
    for item in database.items {
      let name = item.originalName ?? item.uuid
      guard let place = original(item) else {
        let path = item.folder + "/" + item.file
        lines.append(ImportedFile(path, .refused, error: .outsidePhotosLibrary(path, name)))
        continue
      }
      let path = place.folder.path(of: place.name)
      do throws(FileError) {
        guard try place.folder.entry(place.name) != nil else {
          lines.append(
            ImportedFile(
              path, .skipped, reason: "the original of \(name) is not on this computer",
              isLoss: true))
          continue
        }
        // Refuses a link, and nothing else: the importer examines the file.
        _ = try place.folder.open(place.name)
      } catch {
        if error.kind == .outside {
          lines.append(ImportedFile(path, .refused, error: LibraryError(error)))
          continue
        }
      }
      let files = group(item, path, in: place.folder)
      used.formUnion(files.files.map(\.path))
      guard includesTrashed || !item.isTrashed else {
        lines += files.files.map {
          ImportedFile($0.path, .skipped, reason: "in the trash of the other program")
        }
        continue
      }
      paths[item.row] = path
      groups.append(files)
    }
    addAlbums(database.collections, paths)
    addUnused(used)
    let path = library.path(of: "database/Photos.sqlite")
    guard database.omissions.isEmpty else {
      let error = LibraryError(
        .invalidResource, path: path, database.omissions.joined(separator: "; "))
      lines.append(ImportedFile(path, .refused, error: error))
      return
    }
    lines.append(
      ImportedFile(
        path, .read,
        reason: "library of Apple Photos"
          + (database.modelVersion.map { ", model version \($0)" } ?? "")))
  }

  // MARK: Files

  /// Returns the folder and the name of an original; nil if the name leads out of all folders.
  private func original(_ item: PhotosDatabase.Item) -> (folder: OpenFolder, name: String)? {
    // A referenced file has an absolute path. It is read only beneath a folder that the user named,
    // since anyone could have written the database.
    let path = item.folder + "/" + item.file
    if item.folder.hasPrefix("/") {
      return referenced.lazy.compactMap { folder in folder.name(of: path).map { (folder, $0) } }
        .first
    }
    let names = roots.map { $0 + "/" + (item.folder.isEmpty ? item.file : path) }
    guard let own = names.first, OpenFolder.isBeneath(own) else { return nil }
    let found = names.first { (try? library.entry($0)) == .file }
    return (library, found ?? own)
  }

  /// Returns the folders with originals, that of the library first.
  private mutating func originalFolders() -> [String] {
    let shared = names(in: "scopes").flatMap { scope in
      ["originals", "data"].map { "scopes/\(scope)/\($0)" }
    }
    let others = (shared + ["resources/cloudsharing/data"]).filter {
      (try? library.entry($0)) == .folder
    }
    return ["originals"] + others
  }

  private mutating func names(in folder: String) -> [String] {
    if let known = namesByFolder[folder] { return known }
    let names = (try? library.folder(folder).names()) ?? []
    namesByFolder[folder] = names
    return names
  }

  /// Returns the first file of a folder whose name starts with the identifier and a suffix.
  private mutating func file(
    _ item: PhotosDatabase.Item, _ suffix: String, in folder: String, _ kind: ImportScan.Kind
  ) -> ImportScan.File? {
    let (start, names) = (item.uuid + suffix, names(in: folder))
    // The names are sorted; a search of all of them for each photo would take quadratic time.
    var (low, high) = (0, names.count)
    while low < high {
      let middle = (low + high) / 2
      if names[middle] < start { low = middle + 1 } else { high = middle }
    }
    let name = names[low...].prefix { $0.hasPrefix(start) }.first {
      FileContent.family(ofExtension: FileSystem.splitName($0).fileExtension) != nil
    }
    return name.map {
      ImportScan.File(path: library.path(of: folder + "/" + $0), kind: kind, root: library)
    }
  }

  private mutating func group(
    _ item: PhotosDatabase.Item, _ path: String, in root: OpenFolder
  ) -> ImportGroup {
    let isRaw =
      FileContent.family(ofExtension: FileSystem.splitName(item.file).fileExtension) == .raw
    var group = ImportGroup(
      original: ImportScan.File(
        path: path, kind: item.isVideo ? .movie : isRaw ? .raw : .still, root: root))
    group.originalName = item.originalName
    group.stated = StatedProperties(item)
    // The other files of a referenced one are not among those of the library.
    if !item.isVideo, let name = library.name(of: path) {
      let originals = FileSystem.folder(of: name)
      group.movie = file(item, "_3.", in: originals, .movie)
      group.alternate = file(item, "_4.", in: originals, .raw)
    }
    guard item.isEdited else { return group }
    let scope = library.name(of: path).flatMap { name in
      roots.dropFirst().first { name.hasPrefix($0 + "/") }.map { FileSystem.folder(of: $0) + "/" }
    }
    let renders =
      (scope ?? "") + "resources/renders" + (item.folder.isEmpty ? "" : "/" + item.folder)
    if item.isVideo {
      group.editedMovie = file(item, "_2_", in: renders, .movie)
    } else {
      group.editedStill = file(item, "_1_", in: renders, .still)
      if group.movie != nil { group.editedMovie = file(item, "_2_", in: renders, .movie) }
    }
    let record = renders + "/" + item.uuid + ".plist"
    if (try? library.entry(record)) == .file {
      group.record = ImportScan.File(path: library.path(of: record), kind: .record, root: library)
    } else {
      group.editor = "com.apple.photo"
    }
    return group
  }

  /// Reports the files among the originals that the database does not contain.
  private mutating func addUnused(_ used: Set<String>) {
    for root in roots.flatMap({ root in names(in: root).map { root + "/" + $0 } }) {
      if (try? library.entry(root)) == .other {
        lines.append(
          ImportedFile(
            library.path(of: root), .skipped, reason: "not a file (link, pipe, socket or device)"))
      }
      for name in names(in: root) {
        let path = library.path(of: root + "/" + name)
        guard !used.contains(path) else { continue }
        lines.append(
          ImportedFile(
            path, .skipped, reason: "not in the database of the library", isLoss: true))
      }
    }
  }

  // MARK: Albums

  /// The maximum number of nested folders; the outer ones of further folders are left out.
  private static let maximumDepth = 64

  private mutating func addAlbums(
    _ collections: [PhotosDatabase.Collection], _ paths: [Int64: String]
  ) {
    let byRow = Dictionary(collections.map { ($0.row, $0) }) { first, _ in first }
    func path(_ collection: PhotosDatabase.Collection) -> [PhotosDatabase.Collection] {
      var path: [PhotosDatabase.Collection] = []
      var seen: Set<Int64> = []
      var next: PhotosDatabase.Collection? = collection
      // A damaged library may contain a cycle, or a chain of all its folders.
      while let one = next, path.count < Self.maximumDepth, seen.insert(one.row).inserted {
        path.append(one)
        next = one.parent.flatMap { byRow[$0] }
      }
      return path.reversed()
    }
    // Folders at the top level come first, so that they keep their order.
    let planned = collections.enumerated().map { ($0.offset, path($0.element), $0.element) }
    for (_, path, collection) in planned.sorted(by: { ($0.1.count, $0.0) < ($1.1.count, $1.0) }) {
      let members = collection.members.compactMap { paths[$0] }
      if collection.isShared, members.isEmpty { continue }
      albums.append(
        PlannedAlbum(
          path: path.map { SidecarMetadata.text($0.title) ?? "Untitled" },
          sources: path.map(\.source), members: collection.isFolder ? nil : members))
    }
  }
}

/// The folder of another program's photo library, from which no derived files are imported.
///
/// It also contains renderings, thumbnails and a database, which are not separate photos.
enum PhotosLibraryPackage {
  /// A library of Apple Photos 5 or later.
  case photos
  /// A library of Apple Photos up to version 4, iPhoto or Aperture.
  case masters

  /// Recognizes a library by the contents of the folder; returns nil for any other folder.
  init?(_ folder: String, _ names: [String]) {
    let names = Set(names)
    let folded = Set(names.map { $0.lowercased() })
    // In a folder that can be listed but not entered, any item counts as existing.
    func has(_ path: String) -> Bool {
      path.split(separator: "/").first.map { folded.contains($0.lowercased()) } == true
        && FileSystem.itemExists(folder + "/" + path)
    }
    // Without any original on this computer, there is no folder of originals either.
    if has("database/Photos.sqlite") {
      self = .photos
    } else if names.contains("Masters"),
      has("database/photos.db") || has("database/Library.apdb") || has("AlbumData.xml")
        || has("Database/apdb")
    {
      self = .masters
    } else {
      return nil
    }
  }

  private var originals: String {
    switch self {
    case .photos: "originals"
    case .masters: "Masters"
    }
  }

  /// Returns the reason for skipping an item of the folder; nil for the originals.
  ///
  /// - Parameter hasDatabase: Whether the photos are imported according to the database.
  func reasonToPass(_ name: String, hasDatabase: Bool) -> String? {
    if hasDatabase {
      return ["originals", "scopes", "database"].contains(name)
        ? nil : "derived files of a photo library are not imported"
    }
    return name == originals
      ? nil : "only the files in \(originals) of a photo library are imported"
  }
}
