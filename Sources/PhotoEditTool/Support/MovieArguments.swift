// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditMovieFiles
import PhotoEditVideo

/// The options of the commands that render the frames of videos.
struct MovieArguments: Sendable {
  var codec = VideoCodec.h264
  var quality: Int?
  var preset = VideoPreset.medium
  var remuxing = MovieRemuxing.auto

  static let arguments: [Argument<Self>] = [
    .option(
      "video-codec", \.codec, value: "CODEC",
      "What rendered frames of movies are encoded with: 'h264' (the default) or 'hevc'."),
    .option(
      "video-quality", \.quality, in: 0...51, value: "N",
      "Constant rate factor of rendered frames; lower is better. 18 for h264, 20 for hevc."),
    .option(
      "video-preset", \.preset, value: "NAME",
      "How much time the encoder takes: from 'ultrafast' over 'medium' (the default) to "
        + "'veryslow'."),
    .option(
      "remux", \.remuxing, value: "ENGINE",
      "What brings videos into QuickTime that are not: 'auto' (the default) carries the boxes of MP4 "
        + "over where they can hold everything, 'libavformat' reads and writes all packets."),
  ]

  /// - Parameter threads: The number of threads for the video.
  func options(threads: Int) -> VideoOptions {
    var options = VideoOptions()
    options.codec = codec
    options.quality = quality.map(Double.init)
    options.preset = preset
    options.threads = threads
    options.remuxing = remuxing
    return options
  }
}

extension VideoCodec: ArgumentValue {}
extension VideoPreset: ArgumentValue {}
extension MovieRemuxing: ArgumentValue {}
