// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditMovieFiles
import PhotoEditPixels

/// The properties of a video or an audio recording, read from its file.
struct VideoProperties: Sendable, Hashable {
  var content: FileContent
  /// The size with the orientation applied; zero for audio.
  var size = PixelSize(width: 0, height: 0)
  /// The duration in seconds.
  var duration: Double
  /// The date and location of capture and the PhotoKit subtypes.
  var media: MediaProperties
  var title: String?
  var caption: String?
  var device: DeviceProperties
  /// The identifier shared by the still and the video of a Live Photo.
  var contentIdentifier: String?
  /// The reason why the still image time of a Live Photo is invalid; nil if it is valid.
  var stillTimeProblem: String?
  /// Indicates whether playback requires a key.
  var isEncrypted = false
  /// Indicates whether the video was taken with a front camera.
  var isFrontCamera = false

  /// Indicates whether there are video frames.
  var hasVideo: Bool { size.width > 0 }

  /// Reads the metadata of a video without reading frames.
  static func reading(_ path: String) throws(MovieError) -> VideoProperties {
    VideoProperties(try PassthroughExport.inspect(path))
  }

  init(_ info: MovieInfo) {
    content = FileContent(info.container, isAudio: info.videoStream == nil)
    isEncrypted = info.isEncrypted
    duration = info.playingTime
    size = info.shownSize
    media = MediaProperties(
      movie: info.tags, created: info.creationDate, frameRate: info.frameRate,
      hasVideo: info.videoStream != nil)
    let tags = info.tags
    func first(_ names: String...) -> String? {
      names.lazy.compactMap { tags[$0] }.first { !$0.isEmpty }
    }
    let apple = "com.apple.quicktime."
    title = ObjectText.fitting(
      first(apple + "title", apple + "displayname", "©nam", "title"))
    caption = ObjectText.fitting(
      first(apple + "description", "©des", "desc", "description"))
    device = DeviceProperties(
      camera: DeviceProperties.camera(
        make: first(apple + "make", "©mak"), model: first(apple + "model", "©mod")))
    contentIdentifier = first(apple + "content.identifier")
    if info.isStillImageTimeOutside, let time = info.stillImageTime {
      stillTimeProblem =
        "the still image time \(time) s is outside the video, which lasts "
        + "\(info.videoDuration) s"
    }
    isFrontCamera =
      first(apple + "camera.lens_model")?.lowercased().contains("front") == true
  }

  /// The properties that determine membership in smart albums.
  var traits: AssetTraits { isFrontCamera ? .selfPortrait : [] }
}
