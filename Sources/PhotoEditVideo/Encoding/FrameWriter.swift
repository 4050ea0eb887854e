// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVCodec
import PhotoEditMovieFiles
import PhotoEditPixels
import PhotoEditStorage

/// Encodes frames in order and writes their packets to the movie file.
final class FrameWriter: @unchecked Sendable {
  // Safe: called by one task at a time.
  private let encoder: FrameEncoder
  private var replacement: VideoTrackReplacement?
  /// The durations of the frames in the encoder, in timescale units, by presentation time.
  private var durations: [Int64: Int64] = [:]
  private(set) var frames = 0

  /// A rendered frame.
  struct Frame: Sendable {
    var frame: EncodableFrame
    var presentation: Int64
    var duration: Int64
  }

  init(
    _ source: String, to staged: String, _ encoder: FrameEncoder, _ plan: EncodingPlan,
    _ options: VideoOptions, isOriented: Bool, isCancelled: @escaping @Sendable () -> Bool
  ) throws(VideoError) {
    self.encoder = encoder
    let settings = plan.settings
    let video = EncodedVideoFormat(
      codec: options.codec.rawValue, fourCC: options.codec.fourCC, width: settings.size.width,
      height: settings.size.height, pixelAspect: settings.pixelAspect,
      primaries: settings.color.primaries, transfer: settings.color.transfer,
      colorMatrix: settings.color.matrix, isFullRange: settings.color.is_full_range != 0,
      setup: encoder.setup, isOriented: isOriented)
    replacement = try movie(
      VideoTrackReplacement.begin(
        source, to: staged, video, remuxing: options.remuxing, isCancelled: isCancelled))
  }

  /// Encodes the next frame.
  func write(_ frame: Frame) throws(VideoError) {
    durations[frame.presentation] = frame.duration
    try encoder.encode(frame.frame, at: frame.presentation) { packet throws(VideoError) in
      try write(packet)
    }
    frames += 1
  }

  /// Flushes the encoder, finishes the file and verifies it.
  func finish() throws(VideoError) -> MovieReport {
    try encoder.encode(nil) { packet throws(VideoError) in try write(packet) }
    guard durations.isEmpty else {
      throw .verificationFailed(
        "the encoder did not return all frames (\(durations.count) missing)")
    }
    guard let report = try movie(replacement?.finish()) else { throw .cancelled }
    return report
  }

  /// Removes the file unless it is finished.
  func discard() { replacement = nil }

  private func write(_ packet: pe_codec_packet) throws(VideoError) {
    guard let duration = durations.removeValue(forKey: packet.presentation) else {
      throw .verificationFailed("the encoder returned a packet without a frame")
    }
    try movie(
      replacement?.write(
        VideoPacket(
          bytes: UnsafeBufferPointer(start: packet.data, count: Int(packet.size)),
          presentation: packet.presentation, decoding: packet.decoding, duration: duration,
          isKey: packet.is_key != 0)))
  }
}
