// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials

/// A small version of an edited Live Photo for playback.
///
/// Its files form a pair like those of any Live Photo. They are in a temporary folder that is
/// deleted with this object, or with the process.
public final class LivePhotoPreview: Sendable {
  /// The still image: a JPEG.
  public let stillURL: URL
  /// The video: a QuickTime movie.
  public let movieURL: URL
  /// The size of the still image in pixels.
  public let size: PixelSize

  private let folder: StagingFolder

  init(_ folder: StagingFolder, size: PixelSize) {
    self.folder = folder
    self.size = size
    stillURL = URL(filePath: Self.still(in: folder))
    movieURL = URL(filePath: Self.movie(in: folder))
  }

  /// Both files, the still image first, in the order required to create a Live Photo from files.
  public var resourceFiles: [URL] { [stillURL, movieURL] }

  static func still(in folder: StagingFolder) -> String { folder.file("preview.jpg") }
  static func movie(in folder: StagingFolder) -> String { folder.file("preview.mov") }
}
