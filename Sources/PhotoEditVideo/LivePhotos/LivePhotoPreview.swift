// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
public import PhotoEditPixels
import PhotoEditStorage

/// A small pair that shows how an edit of a Live Photo looks, moves and sounds.
///
/// Its files belong together as those of any Live Photo. They are in a temporary folder that goes
/// with this object, or with the process.
public final class LivePhotoPreview: Sendable {
  /// The still: a JPEG.
  public let stillURL: URL
  /// The movie: QuickTime.
  public let movieURL: URL
  /// Size of the still in pixels.
  public let size: PixelSize

  private let folder: StagingFolder

  init(_ folder: StagingFolder, size: PixelSize) {
    self.folder = folder
    self.size = size
    stillURL = URL(filePath: Self.still(in: folder))
    movieURL = URL(filePath: Self.movie(in: folder))
  }

  /// Both files, the still first, as those want them who make a Live Photo of files.
  public var resourceFiles: [URL] { [stillURL, movieURL] }

  static func still(in folder: StagingFolder) -> String { folder.file("preview.jpg") }
  static func movie(in folder: StagingFolder) -> String { folder.file("preview.mov") }
}
