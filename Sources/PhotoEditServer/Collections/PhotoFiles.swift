// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform

/// Photos and videos with sidecars, outside of a library: one, or those of a folder.
///
/// The still and the video of a Live Photo are one asset.
///
/// Identifiers are random and valid for one run, so that no request contains a path.
final class PhotoFiles: PhotoSource {
  let mode: String
  let name: String
  /// The folder; nil for one photo.
  private let folder: String?
  private let only: String?
  /// The open folder, beneath which all files are.
  private let root: OpenFolder
  private let note: @Sendable (String) -> Void
  private let stateFolder: @Sendable (String) -> String?

  private struct State {
    /// The identifier of each file, by its path.
    var identifiers: [PathKey: String] = [:]
    var paths: [String: String] = [:]
    /// The facts of each file that was read, by its path and revision; nil if it is damaged.
    var facts: [PathKey: FileFacts?] = [:]
    /// The video of each Live Photo, by the path of its still.
    var movies: [PathKey: String] = [:]
    /// The files that were left out and noted.
    var noted: Set<PathKey> = []
  }

  private let state = LockedValue(State())

  /// - Parameter stateFolder: Returns the folder of a photo's edit that is not next to the photo.
  init(
    photo: String, stateFolder: @escaping @Sendable (String) -> String? = { _ in nil }
  ) throws(FileError) {
    mode = "photo"
    name = FileSystem.lastName(of: photo)
    folder = nil
    only = photo
    root = try OpenFolder(FileSystem.folder(of: photo))
    note = { _ in }
    self.stateFolder = stateFolder
  }

  /// - Parameters:
  ///   - stateFolder: Returns the folder of a photo's edit that is not next to the photo.
  ///   - note: Receives a line for each file that is left out, once.
  init(
    folder: String, stateFolder: @escaping @Sendable (String) -> String? = { _ in nil },
    note: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(FileError) {
    mode = "folder"
    let resolved = (try? FileSystem.resolved(folder)) ?? folder
    name = FileSystem.lastName(of: resolved)
    self.folder = folder
    only = nil
    root = try OpenFolder(folder)
    self.note = note
    self.stateFolder = stateFolder
  }

  /// The folder whose files are the photos and their edits.
  var watchedFolder: String { folder ?? FileSystem.folder(of: only ?? ".") }

  var onlyAsset: String? { only.map(identifier) }

  private func identifier(of path: String) -> String {
    state.withLock { state in
      if let known = state.identifiers[PathKey(path)] { return known }
      let new = Secret.random(bits: 96)
      state.identifiers[PathKey(path)] = new
      state.paths[new] = path
      return new
    }
  }

  private func path(_ identifier: String) throws(Problem) -> String {
    guard let path = state.withLock({ $0.paths[identifier] }), isHeld(path) else {
      throw .unknownAsset
    }
    return path
  }

  private func isOnly(_ path: String) -> Bool { only.map { PathKey($0) } == PathKey(path) }

  /// Returns whether a path is that of the photo that the user named, or of a file in the folder that
  /// is no link.
  private func isHeld(_ path: String) -> Bool {
    if isOnly(path) { return true }
    guard let name = root.name(of: path) else { return false }
    return (try? root.entry(name)) == .file
  }

  func open(_ path: String, of asset: String) throws(Problem) -> OpenFile {
    let photo = try self.path(asset)
    if isOnly(path) { return try files(OpenFile(reading: path)) }
    let isPhoto = PathKey(path) == PathKey(photo)
    return try files(isPhoto ? root.open(at: path) : sidecar(photo).open(path))
  }

  private func sidecar(_ path: String) -> SidecarStore {
    let store = SidecarStore(path: path).held(beneath: root)
    return (FileFacts.isMovie(path) ? store.readingMovies() : store).stored(in: stateFolder(path))
  }

  // MARK: Lists

  func photos(of list: PhotoList) throws(Problem) -> FetchResult<Asset> {
    guard list.source == "all", !list.isNarrowed else {
      throw Problem(.notFound, "albums and searches require a library")
    }
    if let only { return FetchResult([try asset(at: only)]) }
    let paths = try paths()
    let movies = livePhotos(among: paths)
    state.withLock { $0.movies = movies }
    let paired = Set(movies.values.map { PathKey($0) })
    var assets: [Asset] = []
    for path in paths where !paired.contains(PathKey(path)) {
      do throws(Problem) { assets.append(try asset(at: path)) } catch {
        noteOnce(path, error.detail)
      }
    }
    return FetchResult(
      assets.sorted { first, second in
        (first.creationDate ?? .distantPast, second.originalFilename)
          > (second.creationDate ?? .distantPast, first.originalFilename)
      })
  }

  /// Returns the video of each Live Photo by the path of its still.
  ///
  /// Both have the same content identifier. Of several stills, such as an edited copy, the one with
  /// the video's name has the video.
  private func livePhotos(among paths: [String]) -> [PathKey: String] {
    let identified = paths.compactMap { path in facts(of: path)?.pair.map { ($0, path) } }
    let groups = Dictionary(grouping: identified, by: \.0).mapValues { $0.map(\.1).sorted() }
    func stem(_ path: String) -> String { FileSystem.splitName(path).stem }
    var movies: [PathKey: String] = [:]
    for files in groups.values {
      var stills = files.filter { !FileFacts.isMovie($0) }
      for movie in files where FileFacts.isMovie(movie) {
        let named =
          stills.firstIndex { PathKey(stem($0)) == PathKey(stem(movie)) }
          ?? stills.firstIndex { stem($0).lowercased() == stem(movie).lowercased() }
        guard let index = named ?? stills.indices.first else { continue }
        movies[PathKey(stills.remove(at: index))] = movie
      }
    }
    return movies
  }

  /// The number of folders beneath the folder, and of photos in all of them, that are listed.
  private static let (maximumFolders, maximumPhotos) = (4096, 20_000)

  /// The paths of the folders beneath the folder, at any depth, without hidden folders and links.
  var subfolders: [String] {
    guard let folder else { return [] }
    var found: [String] = []
    var next = [""]
    while let name = next.popLast() {
      guard let opened = try? name.isEmpty ? root : root.folder(name),
        let names = try? opened.names()
      else { continue }
      if !name.isEmpty {
        let path = folder + "/" + name
        if Set(names).isSuperset(of: Self.libraryNames) {
          noteOnce(path, "a photo library; serve it with --library")
          continue
        }
        guard found.count < Self.maximumFolders else {
          noteOnce(path, "more than \(Self.maximumFolders) folders")
          return found
        }
        found.append(path)
      }
      // The last one is taken next, which keeps the order of the names.
      for item in names.reversed() where !item.hasPrefix(".") {
        let inner = name.isEmpty ? item : name + "/" + item
        switch try? opened.entry(item) {
        case .folder: next.append(inner)
        case .other where !FileFacts.isListed(item):
          noteOnce(folder + "/" + inner, Self.link)
        default: break
        }
      }
    }
    return found
  }

  /// The reason for which links are left out.
  private static let link = "a link or special file, which is not followed in a served folder"

  /// The names that every photo library has.
  private static let libraryNames = ["library.db", "assets", "collections"]

  /// Returns the paths of the files in the folder and beneath it, without the renderings of their
  /// edits.
  private func paths() throws(Problem) -> [String] {
    guard let folder else { return [] }
    var paths = try paths(in: folder)
    for subfolder in subfolders {
      // A folder that was removed meanwhile has no photos.
      paths += (try? self.paths(in: subfolder)) ?? []
      guard paths.count <= Self.maximumPhotos else {
        noteOnce(subfolder, "more than \(Self.maximumPhotos) photos; import them into a library")
        return Array(paths.prefix(Self.maximumPhotos))
      }
    }
    return paths
  }

  private func paths(in folder: String) throws(Problem) -> [String] {
    let names = try files(FileSystem.names(in: folder))
    let photos = names.filter { name in
      guard FileFacts.isListed(name) else { return false }
      let path = folder + "/" + name
      if isHeld(path) { return true }
      noteOnce(path, Self.link)
      return false
    }
    let sidecars = Set(
      names.filter { $0.hasSuffix(".aae") }.map { PathKey(String($0.dropLast(4))) })
    var renderings: Set<PathKey> = []
    for name in photos where sidecars.contains(PathKey(name)) {
      guard let state = try? sidecar(folder + "/" + name).state(), state.isEdited else { continue }
      renderings.formUnion(
        [state.current.path, state.base?.path ?? ""].map { PathKey($0) }
          .filter { $0 != PathKey(state.original.path) })
    }
    return photos.map { folder + "/" + $0 }.filter { !renderings.contains(PathKey($0)) }
  }

  /// Notes the files of the folder that are left out.
  func noteLinks() { _ = try? paths() }

  private func noteOnce(_ path: String, _ reason: String) {
    if state.withLock({ $0.noted.insert(PathKey(path)).inserted }) {
      note("\(path): left out: \(reason)")
    }
  }

  func asset(_ identifier: String) throws(Problem) -> Asset { try asset(at: path(identifier)) }

  private func asset(at path: String) throws(Problem) -> Asset {
    let edit = try editing(sidecar(path).state())
    let current = edit.current.path
    var status = stat()
    guard stat(path, &status) == 0 else { throw .unknownAsset }
    var version = stat()
    let isReadable = stat(current, &version) == 0
    let shown = isReadable ? facts(of: current, version) : nil
    let original = facts(of: path, status)
    // Copying a photo often changes the time of its file.
    let date = original?.date ?? Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec))
    var subtypes = original?.subtypes ?? []
    // The edit of a still has no video.
    if !edit.isEdited, movie(of: path) != nil { subtypes.insert(.photoLive) }
    let asset = Asset(
      localIdentifier: identifier(of: path), mediaType: FileFacts.isMovie(path) ? .video : .image,
      mediaSubtypes: subtypes, pixelWidth: shown?.size.width ?? 0,
      pixelHeight: shown?.size.height ?? 0, duration: shown?.duration ?? 0, creationDate: date,
      modificationDate: isReadable
        ? Date(
          timeIntervalSince1970: Double(version.st_mtim.tv_sec)
            + Double(version.st_mtim.tv_nsec) / 1e9) : date,
      hasAdjustments: edit.isEdited, originalFilename: FileSystem.lastName(of: path))
    return original.map {
      asset.stating($0.device, at: $0.location, fileSize: Int(status.st_size))
    } ?? asset
  }

  /// Returns the facts of a file; reads it once.
  private func facts(of path: String, _ status: stat) -> FileFacts? {
    let key = PathKey("\(path)\0\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)")
    if let known = state.withLock({ $0.facts[key] }) { return known }
    let facts = FileFacts(path)
    state.withLock { _ = $0.facts.updateValue(facts, forKey: key) }
    return facts
  }

  private func facts(of path: String) -> FileFacts? {
    var status = stat()
    return stat(path, &status) == 0 ? facts(of: path, status) : nil
  }

  func isDatedByFile(_ identifier: String) throws(Problem) -> Bool {
    facts(of: try path(identifier))?.date == nil
  }

  private func movie(of still: String) -> String? { state.withLock { $0.movies[PathKey(still)] } }

  // MARK: Photos

  func store(of asset: String) throws(Problem) -> any EditingStore { sidecar(try path(asset)) }

  func versions(of asset: String) throws(Problem) -> EditState {
    let path = try path(asset)
    var state = try editing(sidecar(path).state())
    state.movies.original = movie(of: path).map { EditState.Content(path: $0, digest: nil) }
    return state
  }

  func image(
    of asset: Asset, _ shape: ThumbnailShape, isOriginal: Bool
  ) throws(Problem) -> [UInt8] {
    let path = try path(asset.localIdentifier)
    let shown = isOriginal ? path : try editing(sidecar(path).state()).current.path
    if FileFacts.isMovie(path) { return try poster(of: shown, shape) }
    let file = try open(shown, of: asset.localIdentifier)
    let bytes = try files(FileBytes.reading(file))
    var options = RenderOptions()
    options.threads = 1
    return try rendering(
      Thumbnailer.thumbnail(of: ImageSource(bytes), shape: shape, options: options)
    ).encoded()
  }
}

extension PhotoFiles {
  /// Returns the JPEG of the first frame of a video.
  private func poster(of path: String, _ shape: ThumbnailShape) throws(Problem) -> [UInt8] {
    let frame: ImageBuffer
    do throws(VideoError) {
      frame = try VideoFrames.poster(path, fitting: shape.frameBox)
    } catch {
      throw Problem(.notEditable, "\(error)")
    }
    return try rendering(Thumbnailer.thumbnail(of: frame, shape: shape)).encoded()
  }
}

extension Thumbnail {
  /// Returns the JPEG of the thumbnail.
  func encoded() throws(Problem) -> [UInt8] {
    try translating({ Problem(.internalError, "\($0 as CodecError)") }, jpeg())
  }
}
