// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVCodec
import PhotoEditMovieFiles
import PhotoEditPixels
import PhotoEditStorage

/// Takes the frames of a movie one after the other, and makes sure that none is missing.
final class FrameTaking: @unchecked Sendable {
  // Safe: frames are taken by one task at a time; durations are under a lock.
  let track: VideoTrack
  private var packets: CountedPackets
  private var decoder: FrameDecoder
  /// The first frame until it is taken again.
  private var held: DecodedFrame?
  private var kind: FrameKind?
  private var last: Int64?
  private var frames = 0
  private var damaged = 0

  init(
    _ path: String, threads: Int, isCancelled: @escaping @Sendable () -> Bool
  ) throws(VideoError) {
    let source = try movie { () throws(MovieError) in
      try VideoSource.open(path, isCancelled: isCancelled)
    }
    track = source.track
    decoder = try FrameDecoder(source.track, threads: threads)
    packets = CountedPackets(source)
  }

  /// What was odd about the frames and could not be mended.
  var losses: [String] {
    damaged == 0 ? [] : ["\(damaged) frames were damaged; parts of them are guesses"]
  }

  /// The first frame, which `take` gives once more; nil when there is none.
  func takeFirst() throws(VideoError) -> DecodedFrame? {
    held = try take()
    return held
  }

  /// The next frame; nil behind the last one.
  ///
  /// - Throws: `damaged` when frames are missing, change their size or run backwards.
  func take() throws(VideoError) -> DecodedFrame? {
    if let frame = held {
      held = nil
      return frame
    }
    guard let frame = try decoder.next(from: &packets) else {
      guard frames == packets.count else {
        throw .damaged(
          time: nil, reason: "\(frames) of \(packets.count) frames can be decoded")
      }
      return nil
    }
    try check(frame)
    frames += 1
    if frame.facts.is_damaged != 0 { damaged += 1 }
    return frame
  }

  private func check(_ frame: DecodedFrame) throws(VideoError) {
    let presentation = frame.facts.presentation
    guard presentation != VideoPacket.noTime else {
      throw .damaged(time: nil, reason: "a frame does not say when it is shown")
    }
    let time = track.seconds(presentation) + track.offset
    if let last, presentation <= last {
      throw .damaged(time: time, reason: "two frames are shown at once, or backwards")
    }
    last = presentation
    if let expected = kind, expected != FrameKind(frame.facts) {
      throw .damaged(time: time, reason: "frames change their size or format on the way")
    }
    kind = FrameKind(frame.facts)
  }

  /// Ticks for which a frame is shown; 0 when unknown.
  func duration(of frame: DecodedFrame) -> Int64 {
    known(packets.durations.withLock { $0[frame.facts.presentation] })
  }

  /// Ticks for which a frame is shown, and forgets them.
  func takeDuration(of frame: DecodedFrame) -> Int64 {
    known(packets.durations.withLock { $0.removeValue(forKey: frame.facts.presentation) })
  }

  /// Frames that are not stored in their order do not say how long they are shown.
  private func known(_ duration: Int64?) -> Int64 {
    guard let duration, duration > 0 else { return track.averageTicks }
    return duration
  }
}

/// What must not change from frame to frame.
struct FrameKind: Hashable {
  private let numbers: [Int32]

  init(_ facts: pe_frame_facts) {
    numbers = [
      facts.width, facts.height, facts.bits, facts.chroma_shift_x, facts.chroma_shift_y,
      facts.is_gray, facts.is_rgb,
    ]
  }
}

/// Packets on their way into a decoder, counted.
struct CountedPackets: PacketSource, ~Copyable {
  private var source: VideoSource
  private(set) var count = 0
  /// Ticks for which the frames under way are shown, by when they are.
  let durations = Guarded<[Int64: Int64]>([:])

  init(_ source: consuming VideoSource) { self.source = source }

  mutating func next() throws(MovieError) -> VideoPacket? {
    guard let packet = try source.next() else { return nil }
    count += 1
    durations.withLock { $0[packet.presentation] = packet.duration }
    return packet
  }
}
