// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
package import PhotoEditStorage

/// What an editing session leaves behind: a rendering and the record to reopen the edit.
///
/// Staged files vanish with the output, or with the process, unless they are committed.
public final class EditingOutput: Sendable {
  private struct Contents {
    var adjustmentData: AdjustmentData?
    var assets: [Digest: Data] = [:]
    var recipe: RenderRecipe?
    var digest: Digest?
    var isCommitted = false
  }

  /// What the rendering is of.
  public let media: EditedMedia

  /// Where the rendering is to be written before the commit: an upright JPEG, or a QuickTime movie
  /// for a movie.
  public let renderedContentURL: URL

  /// Where the movie around the rendering of a Live Photo is to be written; nil for anything else.
  ///
  /// Still and movie must carry the same content identifier. Without a movie the asset is a plain
  /// still until it is reverted.
  public let pairedVideoURL: URL?

  /// What the photo is called that the output belongs to.
  package let assetName: String
  /// The session's input; nil for a photo that is made together with its edit.
  let input: EditingInput?
  package let staging: StagingFolder

  /// Whether the photo is made in the same commit.
  package var isForNewAsset: Bool { input == nil }
  private let contents = Guarded(Contents())

  init(input: EditingInput, staging: StagingFolder) {
    assetName = input.assetName
    self.input = input
    media = input.media
    self.staging = staging
    (renderedContentURL, pairedVideoURL) = Self.places(input.media, staging)
  }

  /// Makes the output of an asset that is made in the same commit.
  package init(newAsset name: String, _ media: EditedMedia, staging: StagingFolder) {
    assetName = name
    input = nil
    self.media = media
    self.staging = staging
    (renderedContentURL, pairedVideoURL) = Self.places(media, staging)
  }

  private static func places(_ media: EditedMedia, _ staging: StagingFolder) -> (URL, URL?) {
    func url(_ name: String) -> URL { URL(filePath: staging.file(name)) }
    return switch media {
    case .photo: (url("rendered.jpg"), nil)
    case .movie: (url("rendered.mov"), nil)
    case .livePhoto: (url("rendered.jpg"), url("paired.mov"))
    }
  }

  /// The record from which the edit can be reopened; must be set before the commit.
  public var adjustmentData: AdjustmentData? {
    get { contents.withLock { $0.adjustmentData } }
    set { contents.withLock { $0.adjustmentData = newValue } }
  }

  /// Files that the record needs and knows by their digests alone.
  package var assets: [Digest: Data] {
    get { contents.withLock { $0.assets } }
    set { contents.withLock { $0.assets = newValue } }
  }

  /// How the rendering was made, when it was made here: it needs no check and can be made again.
  package var recipe: RenderRecipe? {
    get { contents.withLock { $0.recipe } }
    set { contents.withLock { $0.recipe = newValue } }
  }

  /// What is in the rendering of a movie, when it was made here.
  package var digest: Digest? {
    get { contents.withLock { $0.digest } }
    set { contents.withLock { $0.digest = newValue } }
  }

  /// Claims the only commit this output has; false when it was used.
  package func claim() -> Bool {
    contents.withLock { contents in
      defer { contents.isCommitted = true }
      return !contents.isCommitted
    }
  }

  /// Gives the claim back after a commit that failed.
  package func release() { contents.withLock { $0.isCommitted = false } }
}
