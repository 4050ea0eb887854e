// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVFormat
import PhotoEditStorage

/// Reads the packets of a video through libavformat; loads the library on first use.
struct Demuxer: ~Copyable {
  let handle: OpaquePointer
  private(set) var streams: [DemuxedStream]
  private let container: MovieContainer
  private let path: String
  /// The C layer has an unretained reference to it.
  private let cancellation: Cancellation

  private init(
    _ handle: OpaquePointer, _ container: MovieContainer, path: String, _ cancellation: Cancellation
  ) {
    self.handle = handle
    self.container = container
    self.path = path
    self.cancellation = cancellation
    streams = (0..<pe_av_stream_count(handle)).map { DemuxedStream(handle, index: $0) }
  }

  deinit { pe_av_close(handle) }

  static func open(
    _ file: borrowing OpenFile, container: MovieContainer, _ cancellation: Cancellation
  ) throws(MovieError) -> Demuxer {
    var demuxer = try open(file.descriptor, container, path: file.path, cancellation)
    if container == .matroska {
      demuxer.nameSubtitles(try MatroskaCodecs.subtitles(in: file))
      let date = demuxer.tags(of: nil).first { $0.key.lowercased() == "creation_time" }?.value
      // Without a zone, libavformat would take it for the time of this computer's clock.
      if let date, MovieDate(date) != nil, MovieDate(date + "Z") != nil {
        pe_av_set_creation_date(demuxer.handle, date + "Z")
      }
    }
    if container == .avi, let date = try AVIDate.reading(file) {
      // Clock times are stored as if they were UTC, so that they stay the same.
      pe_av_set_creation_date(demuxer.handle, date + "Z")
    }
    return demuxer
  }

  /// Names the subtitles that libavformat does not know by their names in the file.
  private mutating func nameSubtitles(_ names: [String]) {
    let subtitles = streams.indices.filter { streams[$0].kind == .subtitle }
    guard subtitles.count == names.count else { return }
    for (index, name) in zip(subtitles, names) where streams[index].codec == "none" {
      streams[index].codec = name == "S_TEXT/WEBVTT" ? TextSubtitles.webVTT.rawValue : name
    }
  }

  private static func open(
    _ descriptor: Int32, _ container: MovieContainer, path: String, _ cancellation: Cancellation
  ) throws(MovieError) -> Demuxer {
    let format =
      switch container {
      case .quickTime, .mpeg4: "mov"
      case .matroska: "matroska"
      case .avi: "avi"
      }
    var failure = pe_av_failure()
    var status = PE_AV_OK
    let context = Unmanaged.passUnretained(cancellation).toOpaque()
    let handle = pe_av_open(
      descriptor, format, checkCancellation, context, &status, &failure)
    guard let handle else {
      throw MovieError(status, failure, path: path, doing: "read the file")
    }
    return Demuxer(handle, container, path: path, cancellation)
  }

  /// Returns the streams without packets; reads the whole file.
  func streamsWithoutPackets() throws(MovieError) -> Set<Int> {
    var other = try Demuxer.open(pe_av_descriptor(handle), container, path: path, cancellation)
    var empty = Set(streams.map(\.index))
    while let packet = try other.next() {
      try cancellation.check()
      empty.remove(Int(packet.stream))
    }
    return empty
  }

  /// Duration in seconds according to the header; 0 if it has none.
  var duration: Double { Double(pe_av_duration(handle)) / 1_000_000 }

  /// Returns the tags of a stream, or of the file if `stream` is nil.
  func tags(of stream: Int?) -> [String: String] {
    var tags: [String: String] = [:]
    var key: UnsafePointer<CChar>?
    var value: UnsafePointer<CChar>?
    let index = stream.map { Int32($0) } ?? -1
    for tagIndex in 0..<Int32(MovieLimits.maximumTags) {
      guard pe_av_get_tag(handle, index, tagIndex, &key, &value) != 0, let key, let value else {
        break
      }
      tags[String(cString: key)] = String(cString: value)
    }
    return tags
  }

  var chapters: [Chapter] {
    (0..<pe_av_chapter_count(handle)).map {
      var chapter = pe_av_chapter()
      pe_av_get_chapter(handle, $0, &chapter)
      return Chapter(
        start: Double(chapter.start) / 1_000_000, title: String(cString: chapter.title))
    }
  }

  /// Returns the next packet, whose memory is valid until the next call; nil at the end.
  ///
  /// - Throws: `damaged` for a packet with missing bytes.
  mutating func next() throws(MovieError) -> pe_av_packet? {
    var packet = pe_av_packet()
    var failure = pe_av_failure()
    let status = pe_av_read(handle, &packet, &failure)
    if status == PE_AV_END { return nil }
    guard status == PE_AV_OK else {
      throw MovieError(status, failure, path: path, doing: "read the file")
    }
    guard packet.is_damaged == 0 else {
      throw .damaged("a packet of stream \(packet.stream) is truncated")
    }
    return packet
  }
}

/// A named point of a video.
struct Chapter: Sendable, Hashable {
  /// Seconds from the beginning.
  var start: Double
  var title: String
}

private func checkCancellation(_ context: UnsafeMutableRawPointer?) -> Int32 {
  guard let context else { return 0 }
  let cancellation = Unmanaged<Cancellation>.fromOpaque(context).takeUnretainedValue()
  return cancellation.isCancelled ? 1 : 0
}

/// A stream as libavformat describes it.
struct DemuxedStream: Sendable {
  let index: Int
  let facts: pe_av_stream_facts
  fileprivate(set) var codec: String
  let setup: [UInt8]

  init(_ demuxer: OpaquePointer, index: Int32) {
    var stream = pe_av_stream()
    pe_av_get_stream(demuxer, index, &stream)
    self.index = Int(index)
    facts = stream.facts
    codec = String(cString: stream.codec)
    setup = Array(UnsafeBufferPointer(start: stream.setup, count: Int(stream.setup_size)))
  }

  /// The media type; nil for attachments and anything without timestamps.
  var kind: MovieStream.Kind? {
    switch facts.kind {
    case PE_AV_KIND_VIDEO: .video
    case PE_AV_KIND_AUDIO: .audio
    case PE_AV_KIND_SUBTITLE: .subtitle
    case PE_AV_KIND_DATA: .data
    default: nil
    }
  }

  /// The four-character code; nil for containers without one.
  var fourCC: FourCC? { facts.tag == 0 ? nil : FourCC(littleEndian: facts.tag) }

  /// The codec's name, or the four-character code for data without a codec.
  var name: String {
    kind == .data ? fourCC?.description ?? codec : codec
  }

  /// The display matrix reported by libavformat; nil if absent.
  var matrix: TrackMatrix? {
    facts.has_matrix == 0
      ? nil
      : TrackMatrix(
        a: Int(facts.matrix_a), b: Int(facts.matrix_b), c: Int(facts.matrix_c),
        d: Int(facts.matrix_d))
  }

  func seconds(_ units: Int64) -> Double {
    guard facts.time_base_denominator > 0 else { return 0 }
    return Double(units) * Double(facts.time_base_numerator) / Double(facts.time_base_denominator)
  }

  /// Returns the stream for an inspection; nil if it has no timestamps.
  func inspected(_ demuxer: borrowing Demuxer) -> MovieStream? {
    guard facts.is_attached_image == 0, facts.is_chapters == 0, let kind else { return nil }
    let language = demuxer.tags(of: index)["language"]
    return MovieStream(
      index: index, kind: kind, codec: codec, packets: nil, digest: nil,
      duration: demuxer.duration, rotation: (matrix ?? .identity).rotation,
      language: language == "und" ? nil : language,
      width: Int(facts.width), height: Int(facts.height))
  }
}

extension MovieLayout {
  /// Returns the track of a stream.
  func track(of stream: DemuxedStream) -> TrackLayout? {
    tracks.first { $0.id == Int(stream.facts.id) }
  }
}

/// The libavformat library, which is needed for remuxing but not for copying.
package enum AVFormatLibrary {
  /// The file that is loaded for a video that is not QuickTime: "libavformat.so.59".
  package static var name: String { String(cString: pe_av_library_name()) }

  /// The version used at build time; accessing it loads nothing.
  package static var version: String { String(cString: pe_av_library_version()) }

  /// Indicates whether the process has loaded it.
  package static var isLoaded: Bool { pe_av_is_loaded() != 0 }
}

extension MovieError {
  /// Converts a failed call of the C layer to an error.
  init(_ status: Int32, _ failure: pe_av_failure, path: String, doing: String) {
    let reason = failure.reason
    self =
      switch status {
      case PE_AV_CANCELLED: .cancelled
      case PE_AV_MISSING:
        .libraryMissing(name: String(cString: pe_av_library_name()), reason: reason)
      case PE_AV_SYSTEM:
        .file(FileError(errno: failure.system_error, "cannot \(doing)", path: path))
      default: .damaged("libavformat cannot \(doing): \(reason)")
      }
  }
}

extension pe_av_failure {
  var reason: String { withUnsafeBytes(of: text) { String(untilZero: $0) } }
}
