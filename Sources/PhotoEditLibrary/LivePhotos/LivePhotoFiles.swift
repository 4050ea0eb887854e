// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditMovieFiles
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage

/// A still and a video outside any library.
struct LivePhotoFiles {
  private let still: String
  private let movie: String

  /// Determines which file is the still and which the video.
  init(_ paths: [String]) throws(LibraryError) {
    var (stills, movies) = ([String](), [String]())
    for path in paths.prefix(3) {
      let head = try ResourceStager.head(of: path)
      if FileContent.container(head) == nil { stills.append(path) } else { movies.append(path) }
    }
    guard let still = stills.first, let movie = movies.first, paths.count == 2 else {
      throw .noPair(paths)
    }
    (self.still, self.movie) = (still, movie)
  }

  /// Reads both files, delivers intermediate results to a request and checks the pairing.
  func livePhoto(
    _ shape: ThumbnailShape, _ request: ImageRequest<LivePhoto>
  ) throws(LibraryError) -> LivePhoto {
    let staged = try stage(still, .photo)
    let resource = AssetResource(outside: staged)
    let identifier = staged.contentIdentifier
    func deliver(_ image: ImageBuffer) {
      request.deliverEarly(
        LivePhoto(still: image, contentIdentifier: identifier, resources: [resource]))
    }
    let bytes = try inFiles(FileBytes.reading(still))
    let source = try ThumbnailGenerator.source(bytes, still)
    if let early = Thumbnailer.embeddedThumbnail(of: source, shape: shape) { deliver(early.image) }
    let image = try ThumbnailGenerator(path: still, isCancelled: { request.isCancelled })
      .image(of: source, shape)
    deliver(image)
    if request.isCancelled { throw .imageCancelled }
    let stagedMovie = try stage(movie, .pairedVideo)
    guard let identifier, identifier == stagedMovie.contentIdentifier else {
      throw .differentIdentifiers(staged, stagedMovie)
    }
    return LivePhoto(
      still: image, movie: try AssetVideo(at: movie), contentIdentifier: identifier,
      resources: [resource, AssetResource(outside: stagedMovie)])
  }

  /// Reads a file as if it were imported, without copying it.
  private func stage(
    _ path: String, _ type: AssetResourceType
  ) throws(LibraryError) -> StagedResource {
    let options = AssetResourceCreationOptions()
    return try ResourceStager.stage(
      ResourceSource(type: type, origin: .file(path), options: options), to: nil)
  }
}

extension LibraryError {
  static let partOfLivePhoto = LibraryError(
    .changeNotSupported, "cropping a Live Photo is not supported",
    hint: "omit normalizedCropRect, or request the still image with requestImage")

  static func noLivePhoto(_ identifier: String) -> LibraryError {
    LibraryError(
      .requestNotSupportedForAsset, "the asset is not a Live Photo", identifiers: [identifier])
  }

  fileprivate static func noPair(_ paths: [String]) -> LibraryError {
    let names = paths.isEmpty ? ["none"] : paths.prefix(3).map(FileSystem.lastName)
    return LibraryError(
      .invalidResource, path: paths.first,
      "expected one still image and one video, found \(names.joined(separator: ", "))",
      hint: "pass the still image file and the video file")
  }

  fileprivate static func differentIdentifiers(
    _ still: StagedResource, _ movie: StagedResource
  ) -> LibraryError {
    let error = unpaired(
      still: still.source, still.contentIdentifier, movie: movie.filename, movie.contentIdentifier)
    return LibraryError(
      error.code, path: error.path, error.message, hint: "pass the two files of one Live Photo")
  }
}
