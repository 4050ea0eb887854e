// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVFormat

/// What a decoder and an encoder must know of the pictures of a movie.
package struct VideoTrack: Sendable {
  /// The place among the streams of the movie, from 0.
  package let index: Int
  /// FFmpeg's name of the codec, such as "h264".
  package let codec: String
  /// The four-character code, first character in the lowest byte; 0 when there is none.
  package let tag: UInt32
  /// Set-up data of the decoder.
  package let setup: [UInt8]
  /// Coded pixels.
  package let width: Int
  /// Coded pixels.
  package let height: Int
  /// Seconds in a tick.
  package let tick: (numerator: Int32, denominator: Int32)
  /// Width / height of a pixel; 0 when the container does not say.
  package let pixelAspect: (numerator: Int32, denominator: Int32)
  /// Codes of ITU-T H.273, 2 when the container does not say.
  package let primaries: Int32
  /// Code of ITU-T H.273, 2 when the container does not say.
  package let transfer: Int32
  /// Code of ITU-T H.273, 2 when the container does not say.
  package let colorMatrix: Int32
  /// Whether the container says that luma uses the whole range.
  package let isFullRange: Bool
  /// How players turn the pictures: x' = a·x + c·y, y' = b·x + d·y; nil where nothing is said.
  package let matrix: (a: Int, b: Int, c: Int, d: Int)?
  /// How many frames are shown later than ones that are decoded after them; 0 when unknown.
  package let reordering: Int32
  /// Seconds from the beginning of the movie to time 0 of the packets.
  package let offset: Double
  /// How many frames there are; nil when only reading would tell.
  package let frames: Int?
  /// Ticks of an average frame; 0 when unknown.
  package let averageTicks: Int64
  /// Seconds of the track; 0 when unknown.
  package let duration: Double

  /// Seconds for a number of ticks.
  package func seconds(_ ticks: Int64) -> Double {
    tick.denominator > 0 ? Double(ticks) * Double(tick.numerator) / Double(tick.denominator) : 0
  }

  init(_ stream: DemuxedStream, _ layout: MovieLayout?, duration: Double) {
    let facts = stream.facts
    let track = layout?.tracks.first { $0.id == Int(facts.id) }
    index = stream.index
    codec = stream.codec
    tag = facts.tag
    setup = stream.setup
    width = facts.width > 0 ? Int(facts.width) : track?.width ?? 0
    height = facts.height > 0 ? Int(facts.height) : track?.height ?? 0
    tick = (facts.tick_numerator, facts.tick_denominator)
    pixelAspect = (facts.pixel_numerator, facts.pixel_denominator)
    primaries = facts.primaries
    transfer = facts.transfer
    colorMatrix = facts.colour_matrix
    isFullRange = facts.is_full_range != 0
    // Containers without boxes say it in a way of their own.
    matrix = (track?.matrix.times(layout?.matrix ?? .identity) ?? stream.matrix).map {
      ($0.a, $0.b, $0.c, $0.d)
    }
    reordering = facts.reordering
    offset =
      track?.edits.offset(
        mediaTimescale: track?.timescale ?? 0, movieTimescale: layout?.timescale ?? 0) ?? 0
    frames = track?.samples
    let count = track?.samples ?? 0
    averageTicks = count > 0 ? Int64((track?.mediaDuration ?? 0) / count) : 0
    self.duration =
      track?.presentedDuration(movieTimescale: layout?.timescale ?? 0) ?? duration
  }
}

/// A packet of pictures in ticks of its track; the bytes live until the next one is asked for.
package struct VideoPacket {
  /// Its bytes.
  package let bytes: UnsafeBufferPointer<UInt8>
  /// When it is shown; `VideoPacket.noTime` where the container does not say.
  package let presentation: Int64
  /// When it is decoded.
  package let decoding: Int64
  /// How long it is shown; 0 when unknown.
  package let duration: Int64
  /// Whether it can be decoded alone.
  package let isKey: Bool

  /// The presentation or decoding time of a packet that has none.
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
