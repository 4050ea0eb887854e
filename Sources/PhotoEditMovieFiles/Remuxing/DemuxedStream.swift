// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVFormat
import PhotoEditStorage

/// A stream as libavformat understands it.
struct DemuxedStream: Sendable {
  let index: Int
  let facts: pe_av_stream_facts
  let codec: String
  let setup: [UInt8]

  init(_ demuxer: OpaquePointer, index: Int32) {
    var stream = pe_av_stream()
    pe_av_get_stream(demuxer, index, &stream)
    self.index = Int(index)
    facts = stream.facts
    codec = String(cString: stream.codec)
    setup = Array(UnsafeBufferPointer(start: stream.setup, count: Int(stream.setup_size)))
  }

  /// What it is made of; nil for attachments and anything without a time.
  var kind: MovieStream.Kind? {
    switch facts.kind {
    case PE_AV_KIND_VIDEO: .video
    case PE_AV_KIND_AUDIO: .audio
    case PE_AV_KIND_SUBTITLE: .subtitle
    case PE_AV_KIND_DATA: .data
    default: nil
    }
  }

  /// The four-character code; nil in containers without one.
  var fourCC: FourCC? { facts.tag == 0 ? nil : FourCC(littleEndian: facts.tag) }

  /// The codec's name, or the four-character code of data that has none.
  var name: String {
    kind == .data ? fourCC?.description ?? codec : codec
  }

  /// How frames are turned for display as libavformat understands it; nil when nothing is said.
  var matrix: TrackMatrix? {
    facts.has_matrix == 0
      ? nil
      : TrackMatrix(
        a: Int(facts.matrix_a), b: Int(facts.matrix_b), c: Int(facts.matrix_c),
        d: Int(facts.matrix_d))
  }

  /// Seconds for a number of ticks.
  func seconds(_ ticks: Int64) -> Double {
    guard facts.tick_denominator > 0 else { return 0 }
    return Double(ticks) * Double(facts.tick_numerator) / Double(facts.tick_denominator)
  }
}

extension DemuxedStream {
  /// The stream as an inspection shows it; nil for what has no time.
  func inspected(_ demuxer: borrowing Demuxer) -> MovieStream? {
    guard facts.is_picture == 0, facts.is_chapters == 0, let kind else { return nil }
    let language = demuxer.tags(of: index)["language"]
    return MovieStream(
      index: index, kind: kind, codec: codec, packets: nil, digest: nil,
      duration: demuxer.duration, rotation: (matrix ?? .identity).rotation,
      language: language == "und" ? nil : language,
      width: Int(facts.width), height: Int(facts.height))
  }
}
