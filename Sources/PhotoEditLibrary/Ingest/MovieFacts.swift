// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditMovieFiles
import PhotoEditPixels

/// What a library is told of a movie or a recording, read from its file.
struct MovieFacts: Sendable, Hashable {
  var content: FileContent
  /// As people see it; zero for sound.
  var size = PixelSize(width: 0, height: 0)
  /// Seconds.
  var duration: Double
  /// When and where it was taken, and what PhotoKit's bits say.
  var media: MediaFacts
  var title: String?
  var caption: String?
  /// Common to the still and the movie of a Live Photo.
  var contentIdentifier: String?
  /// Why the moment that the still of a Live Photo shows cannot be right; nil when it can.
  var stillTimeProblem: String?
  /// Whether nobody can play it without a key.
  var isEncrypted = false
  /// Whether the camera looks at who holds it.
  var isFrontCamera = false

  /// Whether there are moving pictures.
  var hasPictures: Bool { size.width > 0 }

  /// Reads what a movie says about itself; no frame is read.
  static func reading(_ path: String) throws(MovieError) -> MovieFacts {
    MovieFacts(try MoviePassThrough.inspect(path))
  }

  init(_ info: MovieInfo) {
    content = FileContent(info.container, isSound: info.picture == nil)
    isEncrypted = info.isEncrypted
    duration = info.playingTime
    size = info.shownSize
    media = MediaFacts(
      movie: info.tags, created: info.creationDate, frameRate: info.frameRate,
      hasPictures: info.picture != nil)
    let tags = info.tags
    func first(_ names: String...) -> String? {
      names.lazy.compactMap { tags[$0] }.first { !$0.isEmpty }
    }
    let apple = "com.apple.quicktime."
    title = ObjectText.fitting(
      first(apple + "title", apple + "displayname", "©nam", "title"))
    caption = ObjectText.fitting(
      first(apple + "description", "©des", "desc", "description"))
    contentIdentifier = first(apple + "content.identifier")
    if info.isStillImageTimeOutside, let time = info.stillImageTime {
      stillTimeProblem =
        "the still is said to show the moment at \(time) s, the pictures of the movie last "
        + "\(info.pictureDuration) s"
    }
    isFrontCamera =
      first(apple + "camera.lens_model")?.lowercased().contains("front") == true
  }

  /// By which smart albums are filled.
  var traits: AssetTraits { isFrontCamera ? .selfPortrait : [] }
}
