// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVFormat
import PhotoEditStorage

/// Reads the packets of a video track for decoding.
package struct VideoSource: PacketSource, ~Copyable {
  /// The properties of the video track.
  package let track: VideoTrack
  /// The number of video tracks.
  package let trackCount: Int
  let movie: OpenedMovie
  let cancellation: Cancellation
  private(set) var demuxer: Demuxer

  /// Finds the first video track of a video in any container.
  ///
  /// - Throws: `damaged` without one, and the errors of `PassthroughExport.run`.
  package static func open(
    _ movie: OpenedMovie, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(MovieError) -> VideoSource {
    let layout = movie.layout
    try layout?.requireReachableMedia()
    let cancellation = Cancellation(isCancelled)
    try cancellation.check()
    let demuxer = try movie.demuxer(cancellation)
    let images = demuxer.streams.filter { stream in
      guard stream.kind == .video, stream.facts.is_attached_image == 0 else { return false }
      return layout?.track(of: stream).map { $0.samples > 0 } ?? true
    }
    guard let first = images.first else {
      throw .damaged("the video has no video track with frames")
    }
    return VideoSource(
      track: VideoTrack(first, layout, duration: demuxer.duration), trackCount: images.count,
      movie: movie, cancellation: cancellation, demuxer: demuxer)
  }

  private init(
    track: VideoTrack, trackCount: Int, movie: OpenedMovie, cancellation: Cancellation,
    demuxer: consuming Demuxer
  ) {
    self.track = track
    self.trackCount = trackCount
    self.movie = movie
    self.cancellation = cancellation
    self.demuxer = demuxer
  }

  /// The ID of the video track; of no meaning for Matroska and AVI.
  var trackID: Int { Int(demuxer.streams[track.index].facts.id) }

  /// Throws if libavformat found fewer frames than the boxes list.
  func requireWholeIndex() throws(MovieError) {
    let stream = demuxer.streams[track.index]
    guard let layout = movie.layout, let track = layout.track(of: stream) else { return }
    try RemuxPlan.requireWholeIndex(stream, track, layout)
  }

  /// Returns the next video packet; nil at the end.
  ///
  /// - Throws: `damaged` for a packet with missing bytes, `cancelled`.
  package mutating func next() throws(MovieError) -> VideoPacket? {
    while let packet = try demuxer.next() {
      try cancellation.check()
      guard packet.stream == Int32(track.index) else { continue }
      guard packet.changes_setup == 0 else {
        throw .unsupportedStream(
          stream: track.index, codec: track.codec,
          reason: "the decoder configuration changes within the stream")
      }
      return VideoPacket(packet)
    }
    return nil
  }
}

/// A source of a video's packets, one after the other.
package protocol PacketSource: ~Copyable {
  /// Returns the next packet in decoding order; nil at the end.
  mutating func next() throws(MovieError) -> VideoPacket?
}

/// The properties of a video track that a decoder and an encoder need.
package struct VideoTrack: Sendable {
  /// The index among the streams of the file, from 0.
  package let index: Int
  /// The FFmpeg codec name, such as "h264".
  package let codec: String
  /// The four-character code, first character in the lowest byte; 0 if absent.
  package let tag: UInt32
  /// Codec configuration data for the decoder.
  package let setup: [UInt8]
  /// Width in coded pixels.
  package let width: Int
  /// Height in coded pixels.
  package let height: Int
  /// The duration of a timescale unit in seconds.
  package let timeBase: (numerator: Int32, denominator: Int32)
  /// Width / height of a pixel; 0 if the container does not specify it.
  package let pixelAspect: (numerator: Int32, denominator: Int32)
  /// ITU-T H.273 code; 2 if the container does not specify it.
  package let primaries: Int32
  /// ITU-T H.273 code; 2 if the container does not specify it.
  package let transfer: Int32
  /// ITU-T H.273 code; 2 if the container does not specify it.
  package let colorMatrix: Int32
  /// Indicates whether the container specifies the full luma range.
  package let isFullRange: Bool
  /// The display matrix: x' = a·x + c·y, y' = b·x + d·y; nil if not specified.
  package let matrix: (a: Int, b: Int, c: Int, d: Int)?
  /// The maximum number of frames that precede a frame in decoding order and follow it in display
  /// order; 0 if unknown.
  package let reordering: Int32
  /// Seconds from the beginning of the video to time 0 of the packets.
  package let offset: Double
  /// The starts of the edit list's entries in the media, in timescale units.
  package let segmentStarts: [Int64]
  /// The number of frames; nil if it can only be determined by reading the packets.
  package let frames: Int?
  /// The average frame duration in timescale units; 0 if unknown.
  package let averageDuration: Int64
  /// Duration of the track in seconds; 0 if unknown.
  package let duration: Double

  /// Converts timescale units to seconds.
  package func seconds(_ units: Int64) -> Double {
    timeBase.denominator > 0
      ? Double(units) * Double(timeBase.numerator) / Double(timeBase.denominator) : 0
  }

  init(_ stream: DemuxedStream, _ layout: MovieLayout?, duration: Double) {
    let facts = stream.facts
    let track = layout?.track(of: stream)
    index = stream.index
    codec = stream.codec
    tag = facts.tag
    setup = stream.setup
    width = facts.width > 0 ? Int(facts.width) : track?.width ?? 0
    height = facts.height > 0 ? Int(facts.height) : track?.height ?? 0
    timeBase = (facts.time_base_numerator, facts.time_base_denominator)
    pixelAspect = (facts.pixel_numerator, facts.pixel_denominator)
    primaries = facts.primaries
    transfer = facts.transfer
    colorMatrix = facts.color_matrix
    isFullRange = facts.is_full_range != 0
    // Containers without boxes specify it in a different way.
    matrix = (track?.matrix.times(layout?.matrix ?? .identity) ?? stream.matrix).map {
      ($0.a, $0.b, $0.c, $0.d)
    }
    reordering = facts.reordering
    offset = track?.offset(movieTimescale: layout?.timescale ?? 0) ?? 0
    segmentStarts = track?.edits.edits.map { Int64($0.start) }.filter { $0 >= 0 } ?? []
    frames = track?.samples
    let count = track?.samples ?? 0
    averageDuration = count > 0 ? Int64((track?.mediaDuration ?? 0) / count) : 0
    self.duration =
      track?.presentedDuration(movieTimescale: layout?.timescale ?? 0) ?? duration
  }
}

/// A video packet in timescale units of its track; the bytes are valid until the next one is read.
package struct VideoPacket {
  /// The packet data.
  package let bytes: UnsafeBufferPointer<UInt8>
  /// The presentation time; `VideoPacket.noTime` if the container does not specify it.
  package let presentation: Int64
  /// The decoding time.
  package let decoding: Int64
  /// The display duration; 0 if unknown.
  package let duration: Int64
  /// Indicates whether it can be decoded independently.
  package let isKey: Bool

  /// The value of an unknown presentation or decoding time.
  package static var noTime: Int64 { pe_av_no_time }

  package init(
    bytes: UnsafeBufferPointer<UInt8>, presentation: Int64, decoding: Int64, duration: Int64,
    isKey: Bool
  ) {
    self.bytes = bytes
    self.presentation = presentation
    self.decoding = decoding
    self.duration = duration
    self.isKey = isKey
  }

  init(_ packet: pe_av_packet) {
    self.init(
      bytes: UnsafeBufferPointer(start: packet.data, count: Int(packet.size)),
      presentation: packet.presentation, decoding: packet.decoding, duration: packet.duration,
      isKey: packet.is_key != 0)
  }
}
