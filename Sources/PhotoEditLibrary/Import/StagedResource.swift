// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCodecs
import PhotoEditMovieFiles
import PhotoEditStorage

/// A file of a new asset: copied, synced, hashed and checked.
struct StagedResource: Sendable {
  /// The properties read from the file.
  enum Facts: Sendable {
    case image(ImageProperties)
    case movie(VideoProperties)
    case record(AdjustmentData)
    case sidecar(SidecarMetadata)
  }

  let type: AssetResourceType
  /// The path of the copy, or of the source if nothing is copied.
  let path: String
  /// The path of the source; a name for bytes.
  let source: String
  let digest: SHA256Digest
  /// The size in bytes.
  let size: Int
  var facts: Facts
  let uniformType: String
  /// The name of the file at import.
  let filename: String
  let consumed: MovedSource?
  /// Indicates whether the file was extracted from another file of the asset, so that it needs no
  /// content identifier to match.
  var isExtracted = false
  /// Indicates whether the import wrote the file, so that it has no source.
  var isGenerated = false

  var content: FileContent { facts.content }

  /// The defects of a file that is accepted anyway.
  var notice: String? {
    var notices: [String] = []
    let ending = FileSystem.splitName(filename).fileExtension
    if let promised = FileContent.family(ofExtension: ending), !content.isNamedRightly(promised) {
      notices.append(
        "the extension is .\(ending), but the content is \(content.uniformType); stored as "
          + ".\(content.fileExtension)")
    }
    if let damage = image?.damage { notices.append("\(damage); imported unchanged") }
    return notices.isEmpty ? nil : notices.joined(separator: "; ")
  }

  /// The identifier that pairs the still and the video of a Live Photo.
  var contentIdentifier: String? {
    image?.capture.contentIdentifier ?? movie?.contentIdentifier
  }

  var image: ImageProperties? {
    if case .image(let facts) = facts { facts } else { nil }
  }

  var movie: VideoProperties? {
    if case .movie(let facts) = facts { facts } else { nil }
  }

  var sidecar: SidecarMetadata? {
    if case .sidecar(let metadata) = facts { metadata } else { nil }
  }

  /// Returns the same file with another resource type.
  func retyped(_ type: AssetResourceType) -> StagedResource {
    StagedResource(
      type: type, path: path, source: source, digest: digest, size: size, facts: facts,
      uniformType: uniformType, filename: filename, consumed: consumed)
  }
}

extension StagedResource.Facts {
  /// The detected content.
  var content: FileContent {
    switch self {
    case .image(let facts): facts.content
    case .movie(let facts): facts.content
    case .record: .record
    case .sidecar(let metadata): metadata.isFallback ? .takeout : .sidecar
    }
  }
}
