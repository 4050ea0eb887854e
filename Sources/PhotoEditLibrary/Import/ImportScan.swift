// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditMovieFiles
import PhotoEditStorage

/// Finds the files of an import; omitted files are reported as well.
struct ImportScan {
  /// The kind of a file according to its first bytes, or else to its name.
  enum Kind: Sendable, Hashable {
    case still
    case raw
    case movie
    case record
    /// XMP next to an image.
    case packet
    /// JSON of Google Takeout about a photo or an album.
    case description
  }

  struct File: Sendable, Hashable {
    let path: String
    let kind: Kind
    /// The open folder beneath which the file was found; nil for a file that the user named.
    var root: OpenFolder?
    /// The file in the library; nil for a file to import.
    var stored: Stored?

    var name: String { stored?.name ?? FileSystem.lastName(of: path) }
    var stem: String { FileSystem.splitName(name).stem }
    var key: PathKey { PathKey(path) }
    /// Indicates whether its extension is one of QuickTime, the format of the videos of Live Photos.
    var isNamedQuickTime: Bool {
      ["mov", "qt"].contains(FileSystem.splitName(name).fileExtension.lowercased())
    }

    /// Indicates whether it is the original of an asset, by its kind.
    var isMedia: Bool { [.still, .raw, .movie].contains(kind) }

    static func == (first: File, second: File) -> Bool { first.key == second.key }

    func hash(into hasher: inout Hasher) { hasher.combine(key) }

    var origin: ResourceSource.Origin {
      guard let root, let name = root.name(of: path) else { return .file(path) }
      return .beneath(root, name)
    }

    /// Indicates whether it is a JSON file, by its name.
    var isDescription: Bool { FileSystem.splitName(name).fileExtension.lowercased() == "json" }
  }

  /// A file of the library that takes part in an import, since other files belong to it.
  struct Stored: Sendable {
    /// The name that it had when it was imported.
    let name: String
    let digest: [UInt8]
  }

  /// A symbolic link, which is not followed.
  struct Link: Sendable {
    let path: String
    let root: OpenFolder
    /// The path of the file of the import that it leads to.
    let target: String
  }

  /// The files by folder; folders and files are sorted by name.
  private(set) var folders: [[File]] = []
  /// The links to photos and videos of the import, by which programs put these into albums.
  private(set) var links: [Link] = []
  private(set) var excluded: [ImportedFile] = []
  /// The number of files and folders that match an exclusion.
  private(set) var excludedCount = 0
  private(set) var descriptions: [PathKey: TakeoutFile] = [:]
  private(set) var exports: [PathKey: ICloudFile] = [:]
  private(set) var picasaFiles: [(path: String, file: PicasaFile)] = []
  private(set) var photosLibraries: [PhotosLibraryScan] = []

  private let isRecursive: Bool
  private let library: String
  private let includesTrashed: Bool
  private let movesFiles: Bool
  private let exclusions: [ExclusionPattern]
  /// The open folders that the user named.
  private var roots: [OpenFolder] = []
  private var seen: Set<PathKey> = []
  /// The links that lead to files.
  private var unresolved: [Link] = []

  /// - Parameters:
  ///   - library: The library's own folder, which is never imported from.
  ///   - movesFiles: Whether the files are removed afterwards, which excludes the libraries of other
  ///     programs.
  ///   - exclusions: The files and folders that are left out.
  init(
    _ paths: [String], isRecursive: Bool, includesTrashed: Bool = false, movesFiles: Bool = false,
    exclusions: [ExclusionPattern] = [], library: String
  ) {
    self.isRecursive = isRecursive
    self.includesTrashed = includesTrashed
    self.movesFiles = movesFiles
    self.exclusions = exclusions
    self.library = Self.real(library)
    var named: [File] = []
    // A given path is followed if it is a link; links below it are not.
    let given = Set(paths.filter(FileSystem.isFolder).map { PathKey($0) })
    for path in given.map(\.path).sorted() {
      do throws(FileError) { roots.append(try OpenFolder(path)) } catch {
        excluded.append(ImportedFile(path, .refused, error: LibraryError(error)))
      }
    }
    for path in paths {
      if movesFiles, let package = Self.package(containing: Self.real(path)) {
        if seen.insert(PathKey(package.path)).inserted { refuseToMove(package) }
      } else if given.contains(PathKey(path)) {
        if let root = roots.first(where: { PathKey($0.path) == PathKey(path) }) { walk(root) }
      } else if seen.insert(PathKey(path)).inserted,
        !isExcluded(path, FileSystem.lastName(of: path), isFolder: false), let file = inspect(path)
      {
        named.append(file)
      }
    }
    let byFolder = Dictionary(grouping: named) { PathKey(FileSystem.folder(of: $0.path)) }
    for (_, files) in byFolder.sorted(by: { $0.key.path < $1.key.path }) { folders.append(files) }
    resolveLinks()
  }

  /// Finds the files of the import that links lead to, and reports all links.
  private mutating func resolveLinks() {
    guard !unresolved.isEmpty else { return }
    let media = Dictionary(
      folders.joined().filter(\.isMedia).map { (PathKey(Self.real($0.path)), $0.path) },
      uniquingKeysWith: { first, _ in first })
    for link in unresolved {
      guard let target = media[PathKey(link.target)] else {
        let isPhoto = FileContent.isMedia(named: link.target)
        let reason =
          "a link to \(link.target), which is not in the import"
          + (isPhoto ? "; import the folder with that file, or name the link itself" : "")
        excluded.append(ImportedFile(link.path, .skipped, reason: reason, isLoss: isPhoto))
        continue
      }
      links.append(Link(path: link.path, root: link.root, target: target))
      excluded.append(
        ImportedFile(link.path, .skipped, reason: "a link to \(target), which is imported"))
    }
    unresolved = []
  }

  private static func real(_ path: String) -> String { (try? FileSystem.resolved(path)) ?? path }

  /// Returns the library, of another program or of photoedit, that contains a path.
  private static func package(containing path: String) -> (path: String, isOwn: Bool)? {
    var folder = path
    while true {
      let names = (try? FileSystem.names(in: folder)) ?? []
      if LibraryLayout.isLibrary(names) { return (folder, true) }
      if PhotosLibraryPackage(folder, names) != nil { return (folder, false) }
      let parent = FileSystem.folder(of: folder)
      guard parent != folder, parent != "." else { return nil }
      folder = parent
    }
  }

  private mutating func refuseToMove(_ package: (path: String, isOwn: Bool)) {
    guard PathKey(package.path) != PathKey(library) else {
      return excluded.append(ImportedFile(package.path, .skipped, reason: Self.isTheLibrary))
    }
    let error =
      package.isOwn
      ? LibraryError.nestedLibrary(package.path) : .movedPhotosLibrary(package.path)
    excluded.append(ImportedFile(package.path, .refused, error: error))
  }

  private static let isTheLibrary = "this is the library itself"

  private mutating func walk(_ root: OpenFolder) {
    var waiting = [root.path]
    while let folder = waiting.popLast() {
      guard Self.real(folder) != library else {
        excluded.append(ImportedFile(folder, .skipped, reason: Self.isTheLibrary))
        continue
      }
      let names: [String]
      do throws(FileError) { names = try FileSystem.names(in: folder) } catch {
        excluded.append(ImportedFile(folder, .refused, error: LibraryError(error)))
        continue
      }
      if LibraryLayout.isLibrary(names) {
        excluded.append(ImportedFile(folder, .refused, error: .nestedLibrary(folder)))
        continue
      }
      var files: [File] = []
      var below: [String] = []
      let package = PhotosLibraryPackage(folder, names)
      if package != nil, movesFiles {
        refuseToMove((folder, isOwn: false))
        continue
      }
      let hasDatabase = package == .photos && readPhotosLibrary(folder, beneath: root)
      let clips = Self.clips(nextTo: folder)
      for name in names {
        let path = (folder.hasSuffix("/") ? folder : folder + "/") + name
        guard seen.insert(PathKey(path)).inserted else { continue }
        let reason = package?.reasonToPass(name, hasDatabase: hasDatabase)
        let copied = NameScheme.reason(name, copyOf: clips)
        if let reason = reason ?? Self.reasonToPass(name) ?? copied {
          excluded.append(
            ImportedFile(
              path, .skipped, reason: reason, isLoss: reason == PicasaFile.reasonForOriginals))
        } else if hasDatabase {
          continue
        } else if let entry = entry(path) {
          if !exclusions.isEmpty,
            isExcluded(path, root.name(of: path) ?? name, isFolder: entry == .folder)
          {
            continue
          }
          switch entry {
          case .folder where isRecursive: below.append(path)
          case .folder:
            excluded.append(ImportedFile(path, .skipped, reason: "subfolders are not imported"))
          case .file: if let file = inspect(path, beneath: root) { files.append(file) }
          case .other:
            if let target = Self.linked(path) {
              unresolved.append(Link(path: path, root: root, target: target))
              continue
            }
            excluded.append(
              ImportedFile(path, .skipped, reason: "not a file (link, pipe, socket or device)"))
          }
        }
      }
      if !files.isEmpty { folders.append(files) }
      waiting += below.reversed()
    }
  }

  /// Reads an Apple Photos library; returns false if its database cannot be read.
  private mutating func readPhotosLibrary(
    _ folder: String, beneath root: OpenFolder
  ) -> Bool {
    do throws(LibraryError) {
      let name = root.name(of: folder)
      let library = if let name { try inFiles(root.folder(name)) } else { root }
      photosLibraries.append(
        try PhotosLibraryScan(
          library: library, referenced: roots, includesTrashed: includesTrashed))
      return true
    } catch {
      let path = folder + "/database/Photos.sqlite"
      let reason = "\(error.message); the originals are imported without albums and edits"
      // A database of another kind is not used; one over a limit, or that may not be read, is a loss.
      let isRefused = [.tooLarge, .permission].contains(error.file?.kind)
      excluded.append(
        ImportedFile(
          path, isRefused ? .refused : .skipped, reason: reason, isLoss: true,
          error: isRefused ? LibraryError(error.code, path: path, reason) : nil))
      return false
    }
  }

  private mutating func entry(_ path: String) -> FileSystem.Entry? {
    do throws(FileError) {
      if let entry = try FileSystem.entry(at: path) { return entry }
      let isMissing = !FileSystem.isReplaced(FileSystem.lastName(of: path))
      throw FileError(
        .missing, path: path, reason: isMissing ? "missing" : "its name is not valid UTF-8")
    } catch {
      excluded.append(ImportedFile(path, .refused, error: LibraryError(error)))
      return nil
    }
  }

  /// Returns the path of the file that a link leads to; nil for anything else.
  private static func linked(_ path: String) -> String? {
    guard let target = try? FileSystem.resolved(path),
      (try? FileSystem.entry(at: target)) == .file
    else { return nil }
    return target
  }

  /// Reports a file or a folder that matches an exclusion; returns whether it does.
  private mutating func isExcluded(_ path: String, _ name: String, isFolder: Bool) -> Bool {
    guard let pattern = exclusions.first(matching: name, isFolder: isFolder) else { return false }
    excludedCount += 1
    excluded.append(ImportedFile(path, .skipped, reason: pattern.reason))
    return true
  }

  /// Returns the stems, in lower case, of the videos next to a folder in which a camera of Sony keeps
  /// small copies of them.
  private static func clips(nextTo folder: String) -> Set<String> {
    guard ["SUB", "THMBNL"].contains(FileSystem.lastName(of: folder)) else { return [] }
    let names = (try? FileSystem.names(in: FileSystem.folder(of: folder) + "/CLIP")) ?? []
    return Set(names.map { FileSystem.splitName($0).stem.lowercased() })
  }

  /// Joins folders with a common name, as if all their files were in one.
  mutating func joinFolders(_ commonName: (String) -> PathKey?) {
    var joined: [[File]] = []
    var indices: [PathKey: Int] = [:]
    for files in folders {
      let key = files.first.flatMap { commonName(FileSystem.folder(of: $0.path)) }
      if let key, let index = indices[key] {
        joined[index] = (joined[index] + files).sorted { ($0.name, $0.path) < ($1.name, $1.path) }
      } else {
        if let key { indices[key] = joined.count }
        joined.append(files)
      }
    }
    folders = joined
  }

  static func reasonToPass(_ name: String) -> String? {
    if name.lowercased() == PicasaFile.originals { return PicasaFile.reasonForOriginals }
    if name.hasPrefix("."), !PicasaFile.isName(name) { return "hidden file" }
    return NameScheme.isOfSystem(name) ? "belongs to the system or another program" : nil
  }

  private mutating func inspect(_ path: String, beneath root: OpenFolder? = nil) -> File? {
    let ending = FileSystem.splitName(FileSystem.lastName(of: path)).fileExtension
    let promised = FileContent.family(ofExtension: ending)
    let head: [UInt8]
    do throws(LibraryError) { head = try ResourceStager.head(of: path) } catch {
      // An unreadable file of a known kind is rejected together with its group.
      if let promised { return File(path: path, kind: promised.kind, root: root) }
      excluded.append(ImportedFile(path, .refused, error: error))
      return nil
    }
    if let kind = Self.kind(of: head, promised) ?? promised?.kind {
      return File(path: path, kind: kind, root: root)
    }
    if let picasa = PicasaFile.reading(path) {
      picasaFiles.append((path, picasa))
      return nil
    }
    if let description = TakeoutFile.reading(path) {
      descriptions[PathKey(path)] = description
      return File(path: path, kind: .description, root: root)
    }
    do throws(LibraryError) {
      if let export = try ICloudFile.reading(path, head: head) {
        exports[PathKey(path)] = export
      } else {
        excluded.append(UnsupportedMedia.line(path, head))
      }
    } catch {
      excluded.append(ImportedFile(path, .refused, error: error))
    }
    return nil
  }

  /// Returns the kind of a file according to its first bytes; nil if they are not sufficient.
  static func kind(of head: [UInt8], _ promised: FileContent.Family?) -> Kind? {
    if FileContent.container(head) != nil { return .movie }
    guard let format = head.withUnsafeBytes({ try? ImageFormat.detect($0) }) else { return nil }
    // Raw files of most manufacturers are TIFF, and some differ only in name.
    return format == .raw || promised == .raw && format == .tiff ? .raw : .still
  }
}

extension FileContent.Family {
  var kind: ImportScan.Kind {
    switch self {
    case .jpeg, .png, .heif, .webp, .tiff, .gif: .still
    case .raw: .raw
    case .isoMovie, .matroska, .avi: .movie
    case .record: .record
    case .sidecar: .packet
    }
  }
}
