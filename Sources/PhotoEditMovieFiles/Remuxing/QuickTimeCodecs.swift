// SPDX-License-Identifier: Apache-2.0

/// The codecs that libavformat writes to QuickTime so that both players and libavformat can read
/// them.
enum QuickTimeCodecs {
  /// Returns the reason why a stream cannot be remuxed; nil if it can.
  static func refusal(of stream: DemuxedStream, _ kind: MovieStream.Kind) -> String? {
    switch kind {
    case .video where !video.contains(stream.codec),
      .audio where !audio.contains(stream.codec),
      .subtitle where !subtitles.contains(stream.codec):
      return "QuickTime does not support this codec"
    case .data where !data.contains(stream.fourCC ?? "none"):
      return "libavformat does not support this type of data track"
    default: break
    }
    switch stream.codec {
    case "h264", "hevc":
      // avcC and hvcC begin with their version 1; anything else is a byte stream with start codes.
      return stream.setup.first == 1 ? nil : "its frames are not length-prefixed"
    case "aac":
      return stream.setup.isEmpty ? "its decoder configuration is missing" : nil
    default: return nil
    }
  }

  /// Codecs whose configuration data must be preserved byte for byte.
  static let withExactSetup: Set<String> = ["h264", "hevc", "mpeg4", "aac", "alac", "mov_text"]

  private static let video: Set<String> = [
    "h264", "hevc", "mpeg4", "mjpeg", "prores", "h263", "png", "mpeg1video", "mpeg2video", "dnxhd",
    "qtrle",
  ]
  private static let audio: Set<String> = [
    "aac", "alac", "mp3", "mp2", "dts", "ac3", "eac3", "amr_nb", "amr_wb", "pcm_u8", "pcm_s8",
    "pcm_s16le",
    "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le", "pcm_s32be", "pcm_f32le", "pcm_f32be",
    "pcm_f64le", "pcm_f64be", "pcm_alaw", "pcm_mulaw",
  ]
  private static let subtitles: Set<String> = ["mov_text"]
  private static let data: Set<FourCC> = ["tmcd", "gpmd"]
}
