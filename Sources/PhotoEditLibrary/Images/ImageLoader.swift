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
  let poster: ImageManager.Poster?

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

  /// The file of a version of a photo, or of a movie where there are pictures of movies.
  func resource(
    _ version: ImageVersion, of asset: Asset
  ) throws(LibraryError) -> ResourceRecord {
    guard asset.mediaType == .image || asset.mediaType == .video && poster != nil else {
      throw .noPicture(asset.localIdentifier, asset.mediaType)
    }
    let all = try resources(of: asset)
    // A photo has no movie of these types, and a movie no photo.
    let wanted: [AssetResourceType] =
      switch version {
      case .current: [.fullSizePhoto, .photo, .fullSizeVideo, .video]
      case .unadjusted: [.photo, .video]
      case .original: [.alternatePhoto, .photo, .video]
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

  /// The picture from memory, or else from the library's folder.
  func kept(_ key: ImageKey) -> SampleImage? {
    if let image = memory.image(key) { return image }
    guard let image = store.image(key) else { return nil }
    memory.put(image, key)
    return image
  }

  /// The picture made of the file; both caches get it.
  func made(
    _ key: ImageKey, _ resource: ResourceRecord, isCancelled: @escaping Question
  ) throws(LibraryError) -> SampleImage {
    let path = library.layout.path(resource.file)
    let isMovie = resource.type == .video || resource.type == .fullSizeVideo
    let image: SampleImage
    if isMovie {
      image = try frame(path, key.shape, isCancelled)
    } else {
      let picture = try picture(path)
      image = try thumbnail(path) { () throws(RenderError) in
        try Thumbnailer.thumbnail(
          of: picture, shape: key.shape, options: options(isCancelled))
      }
    }
    memory.put(image, key)
    store.put(image, key)
    return image
  }

  /// A frame of a movie in the shape wanted.
  private func frame(
    _ path: String, _ shape: ThumbnailShape, _ isCancelled: @escaping Question
  ) throws(LibraryError) -> SampleImage {
    let fits = shape.mode == .fit && shape.crop == .whole && !shape.mayEnlarge
    let frame: SampleImage
    do {
      guard let made = try poster?(path, fits ? shape.box : nil, isCancelled) else {
        throw LibraryError.noFrame(path, "pictures of movies are not made here")
      }
      frame = made
    } catch {
      throw isCancelled() ? .imageCancelled : .noFrame(path, "\(error)")
    }
    return try thumbnail(path) { () throws(RenderError) in
      try Thumbnailer.thumbnail(of: frame, shape: shape, options: options(isCancelled))
    }
  }

  /// Requests run beside each other; each of them on one thread.
  private func options(_ isCancelled: @escaping Question) -> RenderOptions {
    var options = RenderOptions()
    options.isCancelled = isCancelled
    options.threads = 1
    return options
  }

  private func thumbnail(
    _ path: String, _ body: () throws(RenderError) -> Thumbnail
  ) throws(LibraryError) -> SampleImage {
    do throws(RenderError) { return try body().image } catch {
      throw LibraryError(error, path: path)
    }
  }

  /// A picture that is there already or nearly so, and smaller than the one that was asked for.
  func earlyImage(_ key: ImageKey, _ resource: ResourceRecord) -> SampleImage? {
    if let smaller = memory.smaller(than: key) { return smaller }
    guard resource.type != .video, resource.type != .fullSizeVideo else { return nil }
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
