// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVCodec
import PhotoEditCodecs

/// Decodes packets to frames, in presentation order; in a confined process, as far as the policy
/// requires and the program allows.
struct FrameDecoder: ~Copyable {
  private let decoder: any PacketDecoder
  private let track: VideoTrack
  private var isAtEnd = false

  /// The maximum number of pixels of a frame; more than 16K video has.
  static let mostPixels = 1 << 28

  /// The way in which a decoder works.
  struct Settings {
    /// The number of the decoder's own threads.
    var threads: Int
    /// Indicates whether the first frame must be delivered as early as possible.
    var isHasty = false
    /// Indicates whether frames are decoded one after another, so that what is reconstructed of
    /// damaged ones does not depend on the speed of threads.
    var isSteady = false
  }

  /// Creates a decoder.
  ///
  /// - Parameter options: The policy on confined processes; other options do not apply to videos.
  init(
    _ track: VideoTrack, _ settings: Settings, _ options: DecoderOptions
  ) throws(VideoError) {
    if let confined = try ConfinedPacketDecoder(track, settings, options) {
      decoder = confined
    } else {
      decoder = try LibraryPacketDecoder(track, settings)
    }
    self.track = track
  }

  /// Returns the error of a decoder that could not be opened.
  static func opening(_ status: Int32, _ reason: String, _ track: VideoTrack) -> VideoError {
    switch status {
    case PE_CODEC_MISSING: .libraryMissing(name: AVCodecLibrary.name, reason: reason)
    case PE_CODEC_NO_MEMORY: .outOfMemory
    default: .cannotDecode(codec: track.codec, reason: reason)
    }
  }

  /// Returns the next frame; nil at the end.
  ///
  /// - Throws: `damaged`, and the errors of the source.
  mutating func next<Source: PacketSource & ~Copyable>(
    from source: inout Source
  ) throws(VideoError) -> DecodedFrame? {
    while true {
      switch try decoder.receive() {
      case .frame(let frame): return try checked(frame)
      case .end: return nil
      case .hungry: try feed(from: &source)
      case .failed(PE_CODEC_NO_MEMORY, _): throw .outOfMemory
      case .failed(VideoDecodingRequest.unreadable, let format):
        throw .cannotDecode(codec: track.codec, reason: "unsupported frame format: \(format)")
      case .failed(_, let reason):
        throw .damaged(time: nil, reason: "a frame cannot be decoded: \(reason)")
      }
    }
  }

  private mutating func feed<Source: PacketSource & ~Copyable>(
    from source: inout Source
  ) throws(VideoError) {
    if isAtEnd { throw .damaged(time: nil, reason: "incomplete data at the end") }
    let packet = try movie(source.next())
    isAtEnd = packet == nil
    let (status, reason) = try decoder.send(packet)
    switch status {
    case PE_CODEC_OK: return
    case PE_CODEC_NO_MEMORY where packet != nil: throw .outOfMemory
    default: throw .damaged(time: packet.flatMap { time(of: $0.presentation) }, reason: reason)
    }
  }

  private func checked(_ frame: DecodedFrame) throws(VideoError) -> DecodedFrame {
    guard !frame.size.isEmpty, frame.size.pixelCount <= Self.mostPixels else {
      throw .tooLarge(frame.size, limit: Self.mostPixels)
    }
    return frame
  }

  private func time(of timestamp: Int64) -> Double? {
    timestamp == VideoPacket.noTime ? nil : track.seconds(timestamp) + track.offset
  }
}

/// The next frame of a decoder.
enum ReceivedFrame {
  case frame(DecodedFrame)
  /// A packet is needed first.
  case hungry
  case end
  /// A status of `CPhotoEditAVCodec`, with the reason.
  case failed(Int32, String)
}

/// A decoder to which packets are sent, and from which frames are received.
protocol PacketDecoder: AnyObject {
  func receive() throws(VideoError) -> ReceivedFrame
  /// Sends a packet, or the end if it is nil; returns a status other than PE_CODEC_OK with the
  /// reason.
  func send(_ packet: VideoPacket?) throws(VideoError) -> (status: Int32, reason: String)
}

/// A decoder whose library runs in this process.
final class LibraryPacketDecoder: PacketDecoder {
  private let handle: OpaquePointer

  init(_ track: VideoTrack, _ settings: FrameDecoder.Settings) throws(VideoError) {
    var failure = pe_codec_failure()
    var status = PE_CODEC_OK
    let opened: OpaquePointer? = track.codec.withCString { codec in
      track.setup.withUnsafeBufferPointer { setup in
        var settings = pe_decoder_settings(
          codec: codec, tag: track.tag, width: Int32(clamping: track.width),
          height: Int32(clamping: track.height), setup: setup.baseAddress,
          setup_size: Int32(clamping: setup.count),
          threads: Int32(clamping: max(1, settings.threads)),
          reordering: track.reordering, is_hasty: settings.isHasty ? 1 : 0,
          is_steady: settings.isSteady ? 1 : 0,
          most_pixels: Int64(FrameDecoder.mostPixels))
        return pe_decoder_open(&settings, &status, &failure)
      }
    }
    guard let opened else { throw FrameDecoder.opening(status, failure.reason, track) }
    handle = opened
  }

  deinit { pe_decoder_close(handle) }

  func receive() throws(VideoError) -> ReceivedFrame {
    var failure = pe_codec_failure()
    var frame: OpaquePointer?
    let status = pe_decoder_receive(handle, &frame, &failure)
    switch status {
    case PE_CODEC_OK:
      guard let frame else { throw .outOfMemory }
      let decoded = DecodedFrame(frame)
      guard pe_frame_is_readable(frame, &failure) != 0 else {
        return .failed(VideoDecodingRequest.unreadable, failure.reason)
      }
      return .frame(decoded)
    case PE_CODEC_END: return .end
    case PE_CODEC_HUNGRY: return .hungry
    default: return .failed(status, failure.reason)
    }
  }

  func send(_ packet: VideoPacket?) -> (status: Int32, reason: String) {
    var failure = pe_codec_failure()
    guard let packet else {
      let status = pe_decoder_send(handle, nil, &failure)
      return (status, failure.reason)
    }
    var plain = pe_codec_packet(
      data: packet.bytes.baseAddress, size: Int32(clamping: packet.bytes.count),
      presentation: packet.presentation, decoding: packet.decoding, duration: packet.duration,
      is_key: packet.isKey ? 1 : 0)
    let status = pe_decoder_send(handle, &plain, &failure)
    return (status, failure.reason)
  }
}

/// A frame from a decoder; its memory is returned to the decoder with the last reference.
final class DecodedFrame: @unchecked Sendable {
  // Safe: this process does not write to the frame after `init`. A confined process could, which
  // changes samples only.
  let facts: pe_frame_facts
  private let samples: Samples

  private enum Samples {
    case library(OpaquePointer)
    case shared(pe_frame_shape, FrameSlots.Slot, FrameSlots)
  }

  /// Takes ownership of a frame.
  init(_ handle: OpaquePointer) {
    samples = .library(handle)
    var facts = pe_frame_facts()
    pe_frame_get_facts(handle, &facts)
    self.facts = facts
  }

  /// Takes a slot with samples, which is given back.
  init(
    _ facts: pe_frame_facts, _ shape: pe_frame_shape, _ slot: FrameSlots.Slot, _ slots: FrameSlots
  ) {
    self.facts = facts
    samples = .shared(shape, slot, slots)
  }

  deinit {
    switch samples {
    case .library(let handle): pe_frame_free(handle)
    case .shared(_, let slot, let slots): slots.give(slot)
    }
  }

  var size: PixelSize { PixelSize(width: Int(facts.width), height: Int(facts.height)) }

  /// Converts rows to RGB; each row consists of consecutive planes of floats.
  func read(
    _ rows: Range<Int>, _ color: FrameColor, into memory: UnsafeMutableRawPointer
  ) throws(VideoError) {
    var code = color.code
    let floats = memory.assumingMemoryBound(to: Float.self)
    let (first, count) = (Int32(rows.lowerBound), Int32(rows.count))
    let status: Int32
    switch samples {
    case .library(let handle): status = pe_frame_read(handle, &code, first, count, floats)
    case .shared(var shape, let slot, _):
      status = pe_planes_read(
        &shape, slot.memory.base.assumingMemoryBound(to: UInt8.self), &code, first, count, floats)
    }
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
