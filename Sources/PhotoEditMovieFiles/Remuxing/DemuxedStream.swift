// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVFormat
import PhotoEditStorage

/// A stream as libavformat describes it.
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

  /// Converts timescale units to seconds.
  func seconds(_ units: Int64) -> Double {
    guard facts.time_base_denominator > 0 else { return 0 }
    return Double(units) * Double(facts.time_base_numerator) / Double(facts.time_base_denominator)
  }
}

extension DemuxedStream {
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
