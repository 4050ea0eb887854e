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
      "Video codec for rendered frames."),
    .option(
      "video-quality", \.quality, in: 0...51, value: "N",
      "Constant rate factor (CRF); lower is better (default: 18 for h264, 20 for hevc)."),
    .option(
      "video-preset", \.preset, value: "NAME",
      "Encoder speed preset."),
    .option(
      "remux", \.remuxing, value: "ENGINE",
      "Engine that converts other videos to QuickTime (auto copies MP4 boxes if nothing is "
        + "lost; libavformat remuxes all packets)."),
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
