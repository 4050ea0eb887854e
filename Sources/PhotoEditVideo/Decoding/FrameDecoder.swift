// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVCodec

/// Decodes packets to frames, in presentation order.
struct FrameDecoder: ~Copyable {
  private let handle: OpaquePointer
  private let track: VideoTrack
  private var isAtEnd = false

  /// The maximum number of pixels of a frame; more than 16K video has.
  static let mostPixels = 1 << 28

  /// Creates a decoder.
  ///
  /// - Parameters:
  ///   - threads: The number of the decoder's own threads.
  ///   - isHasty: Whether the first frame must be delivered as early as possible.
  ///   - isSteady: Whether frames are decoded one after another, so that what is reconstructed of
  ///     damaged ones does not depend on the speed of threads.
  init(
    _ track: VideoTrack, threads: Int, isHasty: Bool = false, isSteady: Bool = false
  ) throws(VideoError) {
    var failure = pe_codec_failure()
    var status = PE_CODEC_OK
    let opened: OpaquePointer? = track.codec.withCString { codec in
      track.setup.withUnsafeBufferPointer { setup in
        var settings = pe_decoder_settings(
          codec: codec, tag: track.tag, width: Int32(clamping: track.width),
          height: Int32(clamping: track.height), setup: setup.baseAddress,
          setup_size: Int32(clamping: setup.count), threads: Int32(clamping: max(1, threads)),
          reordering: track.reordering, is_hasty: isHasty ? 1 : 0,
          is_steady: isSteady ? 1 : 0,
          most_pixels: Int64(Self.mostPixels))
        return pe_decoder_open(&settings, &status, &failure)
      }
    }
    guard let opened else {
      throw failure.opening(status) { .cannotDecode(codec: track.codec, reason: $0) }
    }
    handle = opened
    self.track = track
  }

  deinit { pe_decoder_close(handle) }

  /// Returns the next frame; nil at the end.
  ///
  /// - Throws: `damaged`, and the errors of the source.
  mutating func next<Source: PacketSource & ~Copyable>(
    from source: inout Source
  ) throws(VideoError) -> DecodedFrame? {
    while true {
      var failure = pe_codec_failure()
      var frame: OpaquePointer?
      switch pe_decoder_receive(handle, &frame, &failure) {
      case PE_CODEC_OK:
        guard let frame else { throw .outOfMemory }
        return try checked(DecodedFrame(frame))
      case PE_CODEC_END: return nil
      case PE_CODEC_HUNGRY: try feed(from: &source)
      case PE_CODEC_NO_MEMORY: throw .outOfMemory
      default: throw .damaged(time: nil, reason: "a frame cannot be decoded: \(failure.reason)")
      }
    }
  }

  private mutating func feed<Source: PacketSource & ~Copyable>(
    from source: inout Source
  ) throws(VideoError) {
    var failure = pe_codec_failure()
    if isAtEnd { throw .damaged(time: nil, reason: "incomplete data at the end") }
    let packet = try movie(source.next())
    guard let packet else {
      isAtEnd = true
      guard pe_decoder_send(handle, nil, &failure) == PE_CODEC_OK else {
        throw .damaged(time: nil, reason: failure.reason)
      }
      return
    }
    var plain = pe_codec_packet(
      data: packet.bytes.baseAddress, size: Int32(clamping: packet.bytes.count),
      presentation: packet.presentation, decoding: packet.decoding, duration: packet.duration,
      is_key: packet.isKey ? 1 : 0)
    switch pe_decoder_send(handle, &plain, &failure) {
    case PE_CODEC_OK: return
    case PE_CODEC_NO_MEMORY: throw .outOfMemory
    default: throw .damaged(time: time(of: packet.presentation), reason: failure.reason)
    }
  }

  private func checked(_ frame: DecodedFrame) throws(VideoError) -> DecodedFrame {
    var failure = pe_codec_failure()
    guard pe_frame_is_readable(frame.handle, &failure) != 0 else {
      throw .cannotDecode(
        codec: track.codec, reason: "unsupported frame format: \(failure.reason)")
    }
    guard !frame.size.isEmpty, frame.size.pixelCount <= Self.mostPixels else {
      throw .tooLarge(frame.size, limit: Self.mostPixels)
    }
    return frame
  }

  private func time(of timestamp: Int64) -> Double? {
    timestamp == VideoPacket.noTime ? nil : track.seconds(timestamp) + track.offset
  }
}

/// A frame from the decoder; its memory is returned to the decoder with the last reference.
final class DecodedFrame: @unchecked Sendable {
  // Safe: nothing writes to the frame after `init`.
  let handle: OpaquePointer
  let facts: pe_frame_facts

  /// Takes ownership of a frame.
  init(_ handle: OpaquePointer) {
    self.handle = handle
    var facts = pe_frame_facts()
    pe_frame_get_facts(handle, &facts)
    self.facts = facts
  }

  deinit { pe_frame_free(handle) }

  var size: PixelSize { PixelSize(width: Int(facts.width), height: Int(facts.height)) }

  /// Converts rows to RGB; each row consists of consecutive planes of floats.
  func read(
    _ rows: Range<Int>, _ color: FrameColor, into memory: UnsafeMutableRawPointer
  ) throws(VideoError) {
    var code = color.code
    let status = pe_frame_read(
      handle, &code, Int32(rows.lowerBound), Int32(rows.count),
      memory.assumingMemoryBound(to: Float.self))
    if status != PE_CODEC_OK { throw .outOfMemory }
  }
}

extension VideoTrack {
  /// The orientation to apply to frames; nil for transformation matrices other than 90° rotations
  /// and flips.
  var orientation: Orientation? {
    guard let matrix else { return .up }
    switch (matrix.a.signum(), matrix.b.signum(), matrix.c.signum(), matrix.d.signum()) {
    case (1, 0, 0, 1): return .up
    case (-1, 0, 0, 1): return .upMirrored
    case (-1, 0, 0, -1): return .down
    case (1, 0, 0, -1): return .downMirrored
    case (0, 1, 1, 0): return .leftMirrored
    case (0, 1, -1, 0): return .right
    case (0, -1, -1, 0): return .rightMirrored
    case (0, -1, 1, 0): return .left
    default: return nil
    }
  }
}
