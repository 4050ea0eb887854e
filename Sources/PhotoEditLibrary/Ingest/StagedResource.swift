// SPDX-License-Identifier: Apache-2.0
import Codecs
import PhotoEdit
import PhotoEditMovies
import Storage

/// A file of an asset to be: copied, durable, hashed and checked.
struct StagedResource: Sendable {
  /// What was read from the file.
  enum Facts: Sendable {
    case picture(PictureFacts)
    case movie(MovieFacts)
    case record(AdjustmentData)
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

  var content: FileContent {
    switch facts {
    case .picture(let facts): facts.content
    case .movie(let facts): facts.content
    case .record: .record
    }
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
}
