// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVCodec
import PhotoEditCodecs
import PhotoEditStorage

/// Reads the frames of a video one after the other, and verifies that none is missing.
final class FrameReader: @unchecked Sendable {
  // Safe: frames are read by one task at a time; durations are protected by a lock.
  let track: VideoTrack
  private var packets: CountedPackets
  private var decoder: FrameDecoder
  /// The first frame until it is read again.
  private var bufferedFrame: DecodedFrame?
  private var kind: FrameFormat?
  private var last: Int64?
  private let isSteady: Bool
  private var frames = 0
  private var damaged = 0
  private var firstDamage: Double?

  /// Creates a reader of the frames of a video.
  ///
  /// - Parameter isSteady: True for a reader that delivers damaged frames; the frames that several
  ///   threads reconstruct at the same time would not be the same in each run.
  init(
    _ source: consuming VideoSource, threads: Int, isSteady: Bool, _ options: DecoderOptions
  ) throws(VideoError) {
    self.isSteady = isSteady || threads == 1
    track = source.track
    decoder = try FrameDecoder(
      source.track, FrameDecoder.Settings(threads: threads, isSteady: self.isSteady), options)
    packets = CountedPackets(source)
  }

  /// Indicates whether reading ended with damage that a steady reader may deliver.
  private(set) var needsSteadyReader = false

  /// Irregularities of the frames that could not be repaired.
  var losses: [String] {
    guard damaged > 0 else { return [] }
    let milliseconds = firstDamage.flatMap { Int(exactly: ($0 * 1000).rounded()) }
    let time = milliseconds.map { " (the first at \($0) ms)" } ?? ""
    let frames = damaged == 1 ? "frame" : "frames"
    return ["parts of \(damaged) damaged \(frames)\(time), which were reconstructed"]
  }

  /// Returns the first frame, which `read` returns again; nil if the video has no frames.
  func readFirst() throws(VideoError) -> DecodedFrame? {
    bufferedFrame = try read()
    return bufferedFrame
  }

  /// Returns the next frame; nil after the last one.
  ///
  /// - Throws: `damaged` if frames are missing, change their size or are out of order.
  func read() throws(VideoError) -> DecodedFrame? {
    do throws(VideoError) {
      return try readNext()
    } catch {
      if case .damaged = error { needsSteadyReader = !isSteady }
      throw error
    }
  }

  private func readNext() throws(VideoError) -> DecodedFrame? {
    if let frame = bufferedFrame {
      bufferedFrame = nil
      return frame
    }
    guard let frame = try decoder.next(from: &packets) else {
      guard frames == packets.count else {
        throw .damaged(
          time: nil, reason: "only \(frames) of \(packets.count) frames can be decoded")
      }
      return nil
    }
    try check(frame)
    guard isSteady || frame.facts.is_damaged == 0 else {
      throw .damaged(time: nil, reason: "a frame is damaged")
    }
    frames += 1
    if frame.facts.is_damaged != 0 || packets.isDamaged(at: frame.facts.presentation) {
      damaged += 1
      firstDamage = firstDamage ?? track.seconds(frame.facts.presentation) + track.offset
    }
    return frame
  }

  private func check(_ frame: DecodedFrame) throws(VideoError) {
    let presentation = frame.facts.presentation
    guard presentation != VideoPacket.noTime else {
      throw .damaged(time: nil, reason: "a frame has no presentation time")
    }
    let time = track.seconds(presentation) + track.offset
    if let last, presentation <= last {
      throw .damaged(time: time, reason: "presentation times are not ascending")
    }
    last = presentation
    if let expected = kind, expected != FrameFormat(frame.facts) {
      throw .damaged(time: time, reason: "the frame size or format changes within the video")
    }
    kind = FrameFormat(frame.facts)
  }

  /// Returns the duration of a frame in timescale units; the average duration if unknown.
  func duration(of frame: DecodedFrame) -> Int64 {
    validDuration(packets.durations.withLock { $0[frame.facts.presentation] })
  }

  /// Removes and returns the duration of a frame in timescale units; the average duration if
  /// unknown.
  func removeDuration(of frame: DecodedFrame) -> Int64 {
    validDuration(packets.durations.withLock { $0.removeValue(forKey: frame.facts.presentation) })
  }

  /// Replaces an unknown duration with the average: frames stored out of order do not
  /// specify durations.
  private func validDuration(_ duration: Int64?) -> Int64 {
    guard let duration, duration > 0 else { return track.averageDuration }
    return duration
  }
}

/// The properties that must not change from frame to frame.
struct FrameFormat: Hashable {
  private let numbers: [Int32]

  init(_ facts: pe_frame_facts) {
    numbers = [
      facts.width, facts.height, facts.bits, facts.chroma_shift_x, facts.chroma_shift_y,
      facts.is_gray, facts.is_rgb,
    ]
  }
}

/// A packet source for a decoder that counts the packets.
struct CountedPackets: PacketSource, ~Copyable {
  private var source: VideoSource
  private(set) var count = 0
  /// Indicates that each packet is a JPEG, whose decoder reports no damage.
  private let hasJPEGs: Bool
  private var damaged: Set<Int64> = []
  /// The durations of the frames being decoded, in timescale units, by presentation time.
  let durations = LockedValue<[Int64: Int64]>([:])

  init(_ source: consuming VideoSource) {
    hasJPEGs = source.track.codec == "mjpeg"
    self.source = source
  }

  /// Removes and returns the damage that was found in the packet of a frame.
  mutating func isDamaged(at presentation: Int64) -> Bool {
    damaged.remove(presentation) != nil
  }

  mutating func next() throws(MovieError) -> VideoPacket? {
    guard let packet = try source.next() else { return nil }
    count += 1
    if hasJPEGs, isJPEGDamaged(FileBytes(Array(packet.bytes))) {
      damaged.insert(packet.presentation)
    }
    durations.withLock { $0[packet.presentation] = packet.duration }
    return packet
  }
}
