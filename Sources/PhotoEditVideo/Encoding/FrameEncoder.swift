// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVCodec

/// Encodes frames to packets; frames are obtained from it, written to, and submitted.
final class FrameEncoder: @unchecked Sendable {
  // Safe: `makeFrame` only reads properties set by `init`; the other calls come from one task at a
  // time.
  private let handle: OpaquePointer
  /// The configuration data for the decoder.
  let setup: [UInt8]

  /// The encoder settings other than the options.
  struct Settings: Sendable {
    var size: PixelSize
    var bits: Int
    var timeBase: (numerator: Int32, denominator: Int32)
    /// The approximate number of frames per second; 0 if unknown.
    var rate: (numerator: Int32, denominator: Int32)
    var pixelAspect: (numerator: Int32, denominator: Int32)
    var color: pe_codec_color
    var threads: Int
  }

  init(_ settings: Settings, _ options: VideoOptions) throws(VideoError) {
    let codec = options.codec
    var failure = pe_codec_failure()
    var status = PE_CODEC_OK
    let opened: OpaquePointer? = codec.encoder.withCString { encoder in
      options.preset.rawValue.withCString { preset in
        var plain = pe_encoder_settings(
          encoder: encoder, preset: preset, quality: options.quality ?? codec.defaultQuality,
          width: Int32(clamping: settings.size.width),
          height: Int32(clamping: settings.size.height), bits: Int32(settings.bits),
          time_base_numerator: settings.timeBase.numerator,
          time_base_denominator: settings.timeBase.denominator,
          rate_numerator: settings.rate.numerator, rate_denominator: settings.rate.denominator,
          pixel_numerator: settings.pixelAspect.numerator,
          pixel_denominator: settings.pixelAspect.denominator, color: settings.color,
          threads: Int32(clamping: settings.threads))
        return pe_encoder_open(&plain, &status, &failure)
      }
    }
    guard let opened else {
      throw failure.opening(status) { .cannotEncode(encoder: codec.encoder, reason: $0) }
    }
    handle = opened
    var count: Int32 = 0
    let bytes = pe_encoder_setup(opened, &count)
    setup = Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }

  deinit { pe_encoder_close(handle) }

  /// Creates a frame with undefined contents.
  func makeFrame() throws(VideoError) -> EncodableFrame {
    guard let frame = pe_encoder_frame(handle) else { throw .outOfMemory }
    return EncodableFrame(frame)
  }

  /// Encodes a frame, or flushes the encoder if nil, and passes on the resulting packets.
  ///
  /// - Parameters:
  ///   - presentation: The presentation time in timescale units; later than that of the previous
  ///     frame.
  ///   - isKey: Whether a key frame is requested.
  ///   - body: Receives a packet whose bytes are valid during the call.
  func encode(
    _ frame: EncodableFrame?, at presentation: Int64 = 0, isKey: Bool = false,
    _ body: (pe_codec_packet) throws(VideoError) -> Void
  ) throws(VideoError) {
    var failure = pe_codec_failure()
    while true {
      let status = pe_encoder_send(
        handle, frame?.handle, presentation, isKey ? 1 : 0, &failure)
      if status == PE_CODEC_OK { break }
      guard status == PE_CODEC_HUNGRY else { throw error(status, failure) }
      try receivePackets(body)
    }
    try receivePackets(body)
  }

  private func receivePackets(
    _ body: (pe_codec_packet) throws(VideoError) -> Void
  ) throws(VideoError) {
    var failure = pe_codec_failure()
    while true {
      var packet = pe_codec_packet()
      switch pe_encoder_receive(handle, &packet, &failure) {
      case PE_CODEC_OK: try body(packet)
      case PE_CODEC_HUNGRY, PE_CODEC_END: return
      case let status: throw error(status, failure)
      }
    }
  }

  private func error(_ status: Int32, _ failure: pe_codec_failure) -> VideoError {
    status == PE_CODEC_NO_MEMORY
      ? .outOfMemory : .cannotEncode(encoder: "the encoder", reason: failure.reason)
  }
}

/// A frame to be encoded; one task writes to it and another one submits it.
final class EncodableFrame: @unchecked Sendable {
  // Safe: strips write to separate rows, and the frame is submitted when all are done.
  let handle: OpaquePointer

  /// Takes ownership of a frame.
  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { pe_frame_free(handle) }

  /// Writes rows from a renderer.
  ///
  /// - Parameters:
  ///   - size: The size of the frame; rows and columns outside it are dropped.
  ///   - width: The number of columns of each plane of a row.
  func write(
    _ rows: Range<Int>, planes: Int, width: Int, of size: PixelSize, _ color: pe_codec_color,
    from memory: UnsafeRawPointer
  ) throws(VideoError) {
    let count = min(rows.upperBound, size.height) - rows.lowerBound
    if count <= 0 { return }
    var color = color
    let status = pe_frame_write(
      handle, &color, Int32(rows.lowerBound), Int32(count), Int32(planes),
      memory.assumingMemoryBound(to: Float.self), width)
    if status != PE_CODEC_OK { throw .outOfMemory }
  }
}

/// Encodes frames in order and writes their packets to the movie file.
final class FrameWriter: @unchecked Sendable {
  // Safe: called by one task at a time.
  private let encoder: FrameEncoder
  private var movie: (any FrameRecipient)?
  /// The durations of the frames in the encoder, in timescale units, by presentation time.
  private var durations: [Int64: Int64] = [:]
  private(set) var frames = 0
  /// The media times at which entries of the edit list start.
  ///
  /// Their frames become key frames, so that players can begin there without decoding what is
  /// hidden.
  private let segmentStarts: [Int64]

  struct Frame: Sendable {
    var frame: EncodableFrame
    var presentation: Int64
    var duration: Int64

    func isShown(at time: Int64) -> Bool {
      (presentation...presentation.addingSaturated(max(0, duration - 1))).contains(time)
    }
  }

  init(
    _ replacement: VideoTrackReplacement, at staged: String, _ encoder: FrameEncoder,
    _ plan: EncodingPlan, _ codec: VideoCodec, isOriented: Bool, segmentStarts: [Int64]
  ) throws(VideoError) {
    self.encoder = encoder
    self.segmentStarts = segmentStarts
    let settings = plan.settings
    let video = EncodedVideoFormat(
      codec: codec.rawValue, fourCC: codec.fourCC, width: settings.size.width,
      height: settings.size.height, pixelAspect: settings.pixelAspect,
      primaries: settings.color.primaries, transfer: settings.color.transfer,
      colorMatrix: settings.color.matrix, isFullRange: settings.color.is_full_range != 0,
      setup: encoder.setup, isOriented: isOriented)
    movie = try PhotoEditVideo.movie(replacement.begin(at: staged, video))
  }

  func write(_ frame: Frame) throws(VideoError) {
    durations[frame.presentation] = frame.duration
    let isKey = segmentStarts.contains(where: frame.isShown)
    try encoder.encode(frame.frame, at: frame.presentation, isKey: isKey) {
      packet throws(VideoError) in
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
    guard let report = try PhotoEditVideo.movie(movie?.finish()) else { throw .cancelled }
    return report
  }

  /// Removes the file unless it is finished.
  func discard() { movie = nil }

  private func write(_ packet: pe_codec_packet) throws(VideoError) {
    guard let duration = durations.removeValue(forKey: packet.presentation) else {
      throw .verificationFailed("the encoder returned a packet without a frame")
    }
    try PhotoEditVideo.movie(
      movie?.write(
        VideoPacket(
          bytes: UnsafeBufferPointer(start: packet.data, count: Int(packet.size)),
          presentation: packet.presentation, decoding: packet.decoding, duration: duration,
          isKey: packet.is_key != 0)))
  }
}
