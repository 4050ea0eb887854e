// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditCodecs
import PhotoEditLibrary
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditRendering
import PhotoEditStorage

/// Photos with sidecars, outside of a library: one photo, or those of a folder.
///
/// Identifiers are random and valid for one run, so that no request contains a path.
final class PhotoFiles: PhotoSource {
  let mode: String
  let name: String
  /// The folder; nil for one photo.
  private let folder: String?
  private let only: String?
  private let stateFolder: @Sendable (String) -> String?

  /// The size and the capture date of an image.
  private struct Facts {
    let size: PixelSize
    let date: Date?
  }

  private struct State {
    /// The identifier of each file, by its path.
    var identifiers: [String: String] = [:]
    var paths: [String: String] = [:]
    /// The facts of each file that was read, by its path and revision; nil if it is no image.
    var facts: [String: Facts?] = [:]
  }

  private let state = LockedValue(State())

  /// - Parameter stateFolder: Returns the folder of a photo's edit that is not next to the photo.
  init(photo: String, stateFolder: @escaping @Sendable (String) -> String? = { _ in nil }) {
    mode = "photo"
    name = FileSystem.lastName(of: photo)
    folder = nil
    only = photo
    self.stateFolder = stateFolder
  }

  /// - Parameter stateFolder: Returns the folder of a photo's edit that is not next to the photo.
  init(folder: String, stateFolder: @escaping @Sendable (String) -> String? = { _ in nil }) {
    mode = "folder"
    let resolved = (try? FileSystem.resolved(folder)) ?? folder
    name = FileSystem.lastName(of: resolved)
    self.folder = folder
    only = nil
    self.stateFolder = stateFolder
  }

  /// The folder whose files are the photos and their edits.
  var watchedFolder: String { folder ?? FileSystem.folder(of: only ?? ".") }

  var onlyAsset: String? { only.map(identifier) }

  private func identifier(of path: String) -> String {
    state.withLock { state in
      if let known = state.identifiers[path] { return known }
      let new = Secret.random(bits: 96)
      state.identifiers[path] = new
      state.paths[new] = path
      return new
    }
  }

  private func path(_ identifier: String) throws(Problem) -> String {
    guard let path = state.withLock({ $0.paths[identifier] }) else { throw .unknownAsset }
    return path
  }

  private func sidecar(_ path: String) -> SidecarStore {
    SidecarStore(path: path).stored(in: stateFolder(path))
  }

  // MARK: Lists

  func photos(
    of list: String, predicate: String?, sort: String?
  ) throws(Problem) -> FetchResult<Asset> {
    guard list == "all", predicate?.isEmpty ?? true else {
      throw Problem(.notFound, "albums and predicates require a library")
    }
    if let only { return FetchResult([try asset(at: only)]) }
    let assets = try paths().compactMap { path in try? asset(at: path) }
    return FetchResult(
      assets.sorted { first, second in
        (first.creationDate ?? .distantPast, second.originalFilename)
          > (second.creationDate ?? .distantPast, first.originalFilename)
      })
  }

  /// Returns the paths of the photos in the folder, without the renderings of their edits.
  private func paths() throws(Problem) -> [String] {
    guard let folder else { return [] }
    let names = try files(FileSystem.names(in: folder))
    let photos = names.filter { name in
      let ending = FileSystem.splitName(name).fileExtension.lowercased()
      return !name.hasPrefix(".") && Self.endings.contains(ending)
    }
    let sidecars = Set(names.filter { $0.hasSuffix(".aae") }.map { String($0.dropLast(4)) })
    var renderings: Set<String> = []
    for name in photos where sidecars.contains(name) {
      guard let state = try? sidecar(folder + "/" + name).state(), state.isEdited else { continue }
      renderings.formUnion(
        [state.current.path, state.base?.path ?? ""].filter { $0 != state.original.path })
    }
    return photos.map { folder + "/" + $0 }.filter { !renderings.contains($0) }
  }

  private static let endings: Set = [
    "jpg", "jpeg", "png", "heic", "heif", "avif", "webp", "tif", "tiff", "gif",
  ]

  func asset(_ identifier: String) throws(Problem) -> Asset { try asset(at: path(identifier)) }

  private func asset(at path: String) throws(Problem) -> Asset {
    let edit = try editing(sidecar(path).state())
    let current = edit.current.path
    var status = stat()
    guard stat(path, &status) == 0 else { throw .unknownAsset }
    var version = stat()
    let isReadable = stat(current, &version) == 0
    let size = isReadable ? facts(of: current, version)?.size : nil
    // Copying a photo often changes the time of its file.
    let date =
      facts(of: path, status)?.date ?? Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec))
    return Asset(
      localIdentifier: identifier(of: path), pixelWidth: size?.width ?? 0,
      pixelHeight: size?.height ?? 0, creationDate: date,
      modificationDate: isReadable
        ? Date(
          timeIntervalSince1970: Double(version.st_mtim.tv_sec)
            + Double(version.st_mtim.tv_nsec) / 1e9) : date,
      hasAdjustments: edit.isEdited, originalFilename: FileSystem.lastName(of: path))
  }

  /// Returns the size with the orientation applied, and the capture date; reads the file once.
  private func facts(of path: String, _ status: stat) -> Facts? {
    let key = "\(path)\0\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    if let known = state.withLock({ $0.facts[key] }) { return known }
    let facts = (try? ImageSource(FileBytes.reading(path))).map { image in
      let capture = MediaProperties(image.metadata.captureFacts(of: image.header.format))
      return Facts(size: image.size, date: capture.creationDate)
    }
    state.withLock { _ = $0.facts.updateValue(facts, forKey: key) }
    return facts
  }

  // MARK: Photos

  func store(of asset: String) throws(Problem) -> any EditingStore { sidecar(try path(asset)) }

  func image(
    of asset: Asset, _ shape: ThumbnailShape, isOriginal: Bool
  ) throws(Problem) -> [UInt8] {
    let path = try path(asset.localIdentifier)
    let shown = isOriginal ? path : try editing(sidecar(path).state()).current.path
    let bytes = try files(FileBytes.reading(shown))
    var options = RenderOptions()
    options.threads = 1
    return try rendering(
      Thumbnailer.thumbnail(of: ImageSource(bytes), shape: shape, options: options)
    ).encoded()
  }
}

extension Thumbnail {
  /// Returns the JPEG of the thumbnail.
  func encoded() throws(Problem) -> [UInt8] {
    try translating({ Problem(.internalError, "\($0 as CodecError)") }, jpeg())
  }
}
