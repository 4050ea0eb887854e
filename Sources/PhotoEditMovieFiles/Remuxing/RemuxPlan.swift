// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVFormat

/// The streams to write to the QuickTime file; the plan is created, or the file rejected, before
/// anything is written.
///
/// A video, audio or text stream that QuickTime cannot hold unchanged causes the entire file to be
/// rejected. Data tracks that libavformat cannot describe, and streams without timestamps or
/// samples, are omitted and reported: cover images, attachments, empty tracks.
struct RemuxPlan: Sendable {
  /// A stream that is written.
  struct Entry: Sendable {
    let source: DemuxedStream
    let kind: MovieStream.Kind
    /// The track according to the boxes; nil for Matroska and AVI.
    let track: TrackLayout?
    /// An offset in source timescale units, added to every time so that the edit list stays valid.
    let shift: Int64
    /// The delay before the stream is presented, in units of the written movie's timescale.
    let delay: Int64
    /// The notation of text that is converted; nil if packets are copied unchanged.
    var text: TextSubtitles?
    /// The size of the video, for text on it.
    var area: (width: Int32, height: Int32) = (0, 0)

    /// The name of the codec that is written.
    var codec: String { text == nil ? source.codec : "mov_text" }

    var mapping: pe_av_mapping {
      pe_av_mapping(
        stream: Int32(source.index),
        width: text == nil ? Int32(clamping: track?.width ?? 0) : area.width,
        height: text == nil ? Int32(clamping: track?.height ?? 0) : area.height,
        is_text: text == nil ? 0 : 1, shift: shift, delay: delay,
        packets: hasKnownEnd ? Int64(track?.samples ?? 0) : 0,
        last_duration: Int64(track?.lastDuration ?? 0),
        tag: isPlayableHEVC ? FourCC("hvc1").value.byteSwapped : 0)
    }

    /// Indicates whether the boxes say how long the last packet lasts; libavformat computes it from
    /// the header's total, which may differ.
    private var hasKnownEnd: Bool {
      guard let track, track.fragments.count == 0 else { return false }
      return !track.isUniform && source.facts.is_uniform == 0
    }

    /// Indicates whether the frames are HEVC that QuickTime plays under the right name.
    private var isPlayableHEVC: Bool {
      source.codec == "hevc" && HEVCConfiguration(source.setup)?.isComplete == true
    }

    /// The noun phrase for what is lost if the written stream cannot be played; nil if it can.
    var lostPlayback: String? {
      source.codec == "hevc" && !isPlayableHEVC
        ? RemuxPlan.playback(of: "stream \(source.index) (\(source.name))") : nil
    }

    /// Returns the display matrix of the stream; the identity if none is specified.
    func displayMatrix(_ layout: MovieLayout?) -> TrackMatrix {
      track?.matrix.times(layout?.matrix ?? .identity) ?? source.matrix ?? .identity
    }

    /// Returns the stream as it is in the written file.
    func report(
      _ summary: StreamStatistics.Summary, _ track: TrackLayout, _ movie: MovieLayout
    ) -> MovieStream {
      MovieStream(
        index: source.index, kind: kind, codec: track.codec.description,
        packets: summary.packets, digest: summary.payload,
        duration: track.presentedDuration(movieTimescale: movie.timescale),
        rotation: track.matrix.times(movie.matrix).rotation, language: track.language,
        width: track.width, height: track.height)
    }
  }

  private(set) var entries: [Entry] = []
  private(set) var losses: [String] = []
  let movieTimescale: Int

  /// Creates a plan for all streams.
  ///
  /// - Parameters:
  ///   - replaced: The stream whose packets are replaced, so that its codec is not checked; nil if
  ///     absent.
  ///   - dropsStreams: Whether streams other than video are left out instead of rejected.
  init(
    _ demuxer: borrowing Demuxer, _ layout: MovieLayout?, replacing replaced: Int? = nil,
    dropsStreams: Bool
  ) throws(MovieError) {
    movieTimescale = Self.movieTimescale(layout)
    if let layout { try Self.requireSameTracks(demuxer.streams, layout) }
    var streamsWithoutPackets: Set<Int>?
    func empty(_ demuxer: borrowing Demuxer) throws(MovieError) -> Set<Int> {
      if let streamsWithoutPackets { return streamsWithoutPackets }
      let found = try demuxer.streamsWithoutPackets()
      streamsWithoutPackets = found
      return found
    }
    for stream in demuxer.streams where stream.facts.is_chapters == 0 {
      let label = "stream \(stream.index) (\(stream.name))"
      guard stream.facts.is_attached_image == 0, let kind = stream.kind else {
        losses.append("\(label), a cover image or attachment")
        continue
      }
      let track = layout?.track(of: stream)
      if let track, track.samples == 0 {
        losses.append(Self.emptiness(of: label))
        continue
      }
      let isReplaced = stream.index == replaced
      var entry = Entry(
        source: stream, kind: kind, track: track, shift: -Int64(track?.edits.mediaStart ?? 0),
        delay: Int64(
          scaled(track?.edits.edits.lead ?? 0, by: movieTimescale, over: layout?.timescale ?? 1)))
      if kind == .subtitle, layout == nil { entry.text = TextSubtitles(rawValue: stream.codec) }
      if let video = demuxer.streams.first(where: { $0.kind == .video })?.facts {
        entry.area = (video.width, video.height)
      }
      let reason =
        Self.refusal(
          of: stream, kind, track, layout, isReplaced: isReplaced || entry.text != nil)
        ?? (isReplaced ? nil : Muxer.refusal(of: entry, in: demuxer))
      if let reason {
        if kind == .data {
          losses.append("\(label), a data track: \(reason)")
        } else if track == nil, try empty(demuxer).contains(stream.index) {
          losses.append(Self.emptiness(of: label))
        } else if dropsStreams, kind != .video {
          losses.append("\(label): \(reason)")
        } else {
          throw .unsupportedStream(stream: stream.index, codec: stream.name, reason: reason)
        }
        continue
      }
      if let track, let layout { try Self.requireWholeIndex(stream, track, layout) }
      if !isReplaced, let loss = entry.lostPlayback { losses.append(loss) }
      entries.append(entry)
    }
    guard !entries.isEmpty else { throw .damaged("no stream has samples") }
    losses += layout.map { $0.unknownBoxes.map { "box \($0)" } + $0.trailerLoss } ?? []
  }

  /// The converters of the streams whose text is converted.
  var textConverters: [TextConverter?] { entries.map { $0.text.map { TextConverter($0) } } }

  /// Adds what the conversion of text loses.
  mutating func noteConversions(_ converters: [TextConverter?]) {
    for (entry, converter) in zip(entries, converters) {
      losses +=
        converter?.losses(of: "stream \(entry.source.index) (\(entry.source.name))") ?? []
    }
  }

  /// Returns whether the muxer writes a track for a stream: it ends every track of texts, also one
  /// without texts, with an empty one.
  private static func hasTrack(_ entry: Entry, packets: Int) -> Bool {
    packets > 0 || entry.text != nil
  }

  /// Returns those of the streams, one for each entry, that have tracks.
  ///
  /// - Parameter replaced: The re-encoded stream, which has one; nil if absent.
  func withTracks(_ streams: [WrittenStream], except replaced: Int? = nil) -> [WrittenStream] {
    zip(entries, streams).filter { entry, stream in
      entry.source.index == replaced || Self.hasTrack(entry, packets: stream.summary.packets)
    }.map(\.1)
  }

  /// Removes the streams that turned out to have no packets; the muxer writes no tracks for them.
  ///
  /// - Parameter replaced: The re-encoded stream, which is not counted; nil if absent.
  mutating func removeEmpty(_ tallies: [StreamStatistics], except replaced: Int? = nil) {
    for (entry, tally) in zip(entries, tallies)
    where !Self.hasTrack(entry, packets: tally.packets) && entry.source.index != replaced {
      losses.append(Self.emptiness(of: "stream \(entry.source.index) (\(entry.source.name))"))
      entries.removeAll { $0.source.index == entry.source.index }
    }
  }

  /// Returns the noun phrase for a stream that is left out because it is empty.
  static func emptiness(of stream: String) -> String { "\(stream), which has no samples" }

  /// Returns the noun phrase for HEVC whose parameter sets are only in its frames.
  static func playback(of stream: String) -> String {
    "playback by QuickTime of \(stream), whose frames contain the parameter sets"
  }

  /// Returns a multiple of the source's timescale, so that its edit list stays exact.
  private static func movieTimescale(_ layout: MovieLayout?) -> Int {
    guard let source = layout?.timescale, source > 0, source <= 1 << 24 else { return 90_000 }
    return source * max(1, (9_999 + source) / source)
  }

  /// Throws unless the boxes and libavformat agree on the streams.
  private static func requireSameTracks(
    _ streams: [DemuxedStream], _ layout: MovieLayout
  ) throws(MovieError) {
    let tracks = layout.tracks.map { $0.id }.sorted()
    // Cover images come from the tags; libavformat gives them the ID 0.
    let found = streams.map { Int($0.facts.id) }.filter { $0 != 0 }.sorted()
    guard Set(tracks).count == tracks.count, tracks == found else {
      throw .damaged("the video has tracks \(tracks), but libavformat found \(found)")
    }
  }

  private static func refusal(
    of stream: DemuxedStream, _ kind: MovieStream.Kind, _ track: TrackLayout?,
    _ layout: MovieLayout?, isReplaced: Bool
  ) -> String? {
    if !isReplaced, let reason = QuickTimeCodecs.refusal(of: stream, kind) { return reason }
    if stream.facts.has_foreign_side_data != 0 {
      return "3D, spherical or Dolby Vision metadata would be lost"
    }
    guard let track, let layout else { return nil }
    if track.descriptions != 1 {
      return "it has \(track.descriptions) sample descriptions; only one is supported"
    }
    return track.edits.complication(
      mediaDuration: track.mediaDuration, mediaTimescale: track.timescale,
      movieTimescale: layout.timescale, tolerance: track.durationTolerance(layout.timescale))
  }

  /// Throws if the index is shorter: libavformat has then stopped at a damaged table.
  static func requireWholeIndex(
    _ stream: DemuxedStream, _ track: TrackLayout, _ layout: MovieLayout
  ) throws(MovieError) {
    if layout.isFragmented || track.isUniform || stream.facts.is_uniform != 0 { return }
    guard Int(stream.facts.indexed) == track.samples else {
      throw .damaged(
        "stream \(stream.index) (\(stream.name)) has \(track.samples) samples, "
          + "but only \(stream.facts.indexed) were found")
    }
  }
}

extension TrackLayout {
  /// Returns the seconds by which the end may differ: audio padding, rounding to the movie's
  /// timescale.
  func durationTolerance(_ movieTimescale: Int) -> Double {
    let clock = movieTimescale > 0 ? 2 / Double(movieTimescale) : 0
    return sampleDuration * (kind == .audio ? 3 : 1) + clock + 0.001
  }
}

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
      return stream.setup.first == 1
        ? nil
        : "frames with start codes, as in AVI, are not supported; 'ffmpeg -i IN -c copy OUT.mkv' "
          + "converts them without loss"
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
  private static let subtitles: Set<String> = ["mov_text", "eia_608"]
  private static let data: Set<FourCC> = ["tmcd", "gpmd"]
}
