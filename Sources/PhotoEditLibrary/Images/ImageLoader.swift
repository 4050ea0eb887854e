// SPDX-License-Identifier: Apache-2.0
import Codecs
import Database
import Pixels
import Rendering
import Storage

/// Finds the file of an asset's picture and makes a small one of it, through both caches.
struct ImageLoader: Sendable {
  let library: PhotoLibrary
  let memory: ImageMemory
  let store: ThumbnailStore

  /// Asked whether to stop.
  typealias Question = @Sendable () -> Bool

  // MARK: Files

  /// The files of an asset that this program may see.
  func resources(of asset: Asset) throws(LibraryError) -> [AssetResourceType: ResourceRecord] {
    guard let identifier = LocalIdentifier(asset.localIdentifier, as: .asset),
      library.canSee(identifier)
    else { throw .noObject(asset.localIdentifier) }
    let found = try library.read { database throws(LibraryError) -> [ResourceRecord]? in
      let row = try database.first(
        "SELECT id FROM asset WHERE uuid = ? AND state < 2", [.blob(identifier.bytes)]
      ) { $0.int(0) }
      return if let row { try database.resources(of: row) } else { nil }
    }
    guard let found else { throw .noObject(asset.localIdentifier) }
    return Dictionary(found.map { ($0.type, $0) }) { first, _ in first }
  }

  /// The file of a version of a photo.
  func resource(
    _ version: ImageVersion, of asset: Asset
  ) throws(LibraryError) -> ResourceRecord {
    guard asset.mediaType == .image else {
      throw .noPicture(asset.localIdentifier, asset.mediaType)
    }
    let all = try resources(of: asset)
    let wanted: [AssetResourceType] =
      switch version {
      case .current: [.fullSizePhoto, .photo]
      case .unadjusted: [.photo]
      case .original: [.alternatePhoto, .photo]
      }
    guard let found = wanted.lazy.compactMap({ all[$0] }).first else {
      throw .noVersion(asset.localIdentifier)
    }
    return found
  }

  func key(
    _ resource: ResourceRecord, _ shape: ThumbnailShape, _ asset: Asset
  ) throws(LibraryError) -> ImageKey {
    guard let digest = Digest(bytes: resource.digest) else {
      throw .noVersion(asset.localIdentifier)
    }
    return ImageKey(digest: digest, shape: shape)
  }

  // MARK: Pictures

  /// The picture as it was asked for.
  func image(
    _ key: ImageKey, _ resource: ResourceRecord, isCancelled: @escaping Question
  ) throws(LibraryError) -> SampleImage {
    if let kept = memory.image(key) { return kept }
    let image = try made(key, resource, isCancelled: isCancelled)
    memory.put(image, key)
    return image
  }

  /// The picture from the library's folder, or else made anew.
  func made(
    _ key: ImageKey, _ resource: ResourceRecord, isCancelled: @escaping Question
  ) throws(LibraryError) -> SampleImage {
    if let kept = store.image(key) { return kept }
    let path = library.layout.path(resource.file)
    let picture = try picture(path)
    var options = RenderOptions()
    options.isCancelled = isCancelled
    // Requests run beside each other; each of them on one thread.
    options.threads = 1
    let image: SampleImage
    do throws(RenderError) {
      image = try Thumbnailer.thumbnail(of: picture, shape: key.shape, options: options).image
    } catch {
      throw LibraryError(error, path: path)
    }
    store.put(image, key)
    return image
  }

  /// A picture that is there already or nearly so, and smaller than the one that was asked for.
  func earlyImage(_ key: ImageKey, _ resource: ResourceRecord) -> SampleImage? {
    if let smaller = memory.smaller(than: key) { return smaller }
    // Why there is none is told by the request for the right one.
    guard let picture = try? picture(library.layout.path(resource.file)) else { return nil }
    return Thumbnailer.embeddedThumbnail(of: picture, shape: key.shape)?.image
  }

  private func picture(_ path: String) throws(LibraryError) -> Picture {
    let bytes = try file(path)
    do throws(RenderError) { return try Picture(bytes) } catch {
      throw LibraryError(error, path: path)
    }
  }

  /// Reads a file of the library, and nothing that a link leads to.
  func file(_ path: String) throws(LibraryError) -> FileBytes {
    try inFiles { () throws(FileError) in
      guard try FileSystem.entry(at: path) == .file else {
        throw FileError(.missing, path: path, reason: "the library's file is not there")
      }
      return try FileBytes.reading(path)
    }
  }
}
