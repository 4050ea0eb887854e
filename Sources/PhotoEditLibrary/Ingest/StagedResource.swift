// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCodecs
import PhotoEditMovieFiles
import PhotoEditStorage

/// A file of an asset to be: copied, durable, hashed and checked.
struct StagedResource: Sendable {
  /// What was read from the file.
  enum Facts: Sendable {
    case picture(PictureFacts)
    case movie(MovieFacts)
    case record(AdjustmentData)
    case sidecar(SidecarMetadata)
  }

  let type: AssetResourceType
  /// Where the copy is; the source itself when nothing was to be copied.
  let path: String
  /// Where it came from; a name for bytes.
  let source: String
  let digest: Digest
  /// Bytes.
  let size: Int
  let facts: Facts
  let uniformType: String
  /// The name that the file came with.
  let filename: String
  let consumed: ConsumedSource?
  /// Whether it was taken out of another file of the asset, to which it belongs without a word.
  var isTakenOut = false

  var content: FileContent { facts.content }

  /// What is worth knowing about a file that is accepted although something is wrong with it.
  var notice: String? {
    var notices: [String] = []
    let ending = FileSystem.splitName(filename).fileExtension
    if let promised = FileContent.family(ofExtension: ending), !content.isNamedRightly(promised) {
      notices.append(
        "the name ends in .\(ending), the content is \(content.uniformType); it is kept as "
          + ".\(content.fileExtension)")
    }
    if let damage = picture?.damage { notices.append("\(damage); it is kept unchanged") }
    return notices.isEmpty ? nil : notices.joined(separator: "; ")
  }

  /// What ties still and movie of a Live Photo together.
  var contentIdentifier: String? {
    picture?.capture.contentIdentifier ?? movie?.contentIdentifier
  }

  var picture: PictureFacts? {
    if case .picture(let facts) = facts { facts } else { nil }
  }

  var movie: MovieFacts? {
    if case .movie(let facts) = facts { facts } else { nil }
  }

  var sidecar: SidecarMetadata? {
    if case .sidecar(let metadata) = facts { metadata } else { nil }
  }

  /// The same file as something else to its asset.
  func retyped(_ type: AssetResourceType) -> StagedResource {
    StagedResource(
      type: type, path: path, source: source, digest: digest, size: size, facts: facts,
      uniformType: uniformType, filename: filename, consumed: consumed)
  }
}

extension StagedResource.Facts {
  /// The format that was found.
  var content: FileContent {
    switch self {
    case .picture(let facts): facts.content
    case .movie(let facts): facts.content
    case .record: .record
    case .sidecar(let metadata): metadata.isFallback ? .takeout : .sidecar
    }
  }
}
