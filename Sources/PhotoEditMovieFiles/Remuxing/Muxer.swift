// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVFormat
import PhotoEditStorage

/// Writes packets of a demuxer to a QuickTime file through libavformat.
struct Muxer: ~Copyable {
  private let handle: OpaquePointer
  private let path: String

  private init(_ handle: OpaquePointer, path: String) {
    self.handle = handle
    self.path = path
  }

  deinit { pe_av_discard(handle) }

  /// Returns the reason why the QuickTime muxer rejects a stream; nil if it accepts it.
  ///
  /// Writes nothing.
  static func refusal(of entry: RemuxPlan.Entry, in demuxer: borrowing Demuxer) -> String? {
    var failure = pe_av_failure()
    var status = PE_AV_OK
    let handle = withUnsafePointer(to: entry.mapping) {
      pe_av_prepare(demuxer.handle, $0, 1, 1000, &status, &failure)
    }
    pe_av_discard(handle)
    return handle == nil ? failure.reason : nil
  }

  /// Sets up a file with the plan's streams.
  ///
  /// Writes nothing.
  ///
  /// - Parameters:
  ///   - path: The path of the file, for messages.
  ///   - reencoded: The stream of the plan that was re-encoded; nil if absent.
  static func prepare(
    _ plan: RemuxPlan, from demuxer: borrowing Demuxer, path: String,
    _ reencoded: EncodedTrack? = nil
  ) throws(MovieError) -> Muxer {
    var failure = pe_av_failure()
    var status = PE_AV_OK
    let mappings = plan.entries.map { $0.mapping }
    let (count, timescale) = (Int32(mappings.count), Int32(plan.movieTimescale))
    let handle =
      if let reencoded {
        reencoded.description.withDescription { description in
          withUnsafePointer(to: description) {
            pe_av_prepare_encoded(
              demuxer.handle, mappings, count, timescale, Int32(reencoded.entryIndex), $0, &status,
              &failure)
          }
        }
      } else {
        pe_av_prepare(demuxer.handle, mappings, count, timescale, &status, &failure)
      }
    guard let handle else {
      throw MovieError(status, failure, path: path, doing: "create a QuickTime movie")
    }
    return Muxer(handle, path: path)
  }

  /// Writes a packet of the re-encoded stream.
  mutating func write(
    _ packet: VideoPacket, as source: borrowing Demuxer
  ) throws(MovieError) {
    var failure = pe_av_failure()
    var plain = pe_av_packet()
    plain.data = packet.bytes.baseAddress
    plain.size = Int32(packet.bytes.count)
    plain.presentation = packet.presentation
    plain.decoding = packet.decoding
    plain.duration = packet.duration
    plain.is_key = packet.isKey ? 1 : 0
    try check(pe_av_write_encoded(handle, source.handle, &plain, &failure), failure)
  }

  mutating func begin(_ file: borrowing OpenFile) throws(MovieError) {
    var failure = pe_av_failure()
    try check(pe_av_begin(handle, file.descriptor, &failure), failure)
  }

  /// Writes the packet last read by the demuxer; returns it as written.
  private mutating func write(from demuxer: borrowing Demuxer) throws(MovieError) -> pe_av_packet {
    var failure = pe_av_failure()
    var written = pe_av_packet()
    try check(pe_av_write(handle, demuxer.handle, &written, &failure), failure)
    return written
  }

  /// Writes a text and counts it as written.
  private mutating func write(
    _ cue: TextConverter.Cue, from demuxer: borrowing Demuxer, _ converter: TextConverter,
    counting tally: StreamStatistics
  ) throws(MovieError) {
    var failure = pe_av_failure()
    var written = pe_av_packet()
    let sample = converter.sample(cue.text)
    let status = sample.withUnsafeBufferPointer { bytes in
      var packet = cue.packet
      packet.data = bytes.baseAddress
      packet.size = Int32(bytes.count)
      return pe_av_write_text(handle, demuxer.handle, &packet, &written, &failure)
    }
    try check(status, failure)
    sample.withUnsafeBufferPointer { bytes in
      written.data = bytes.baseAddress
      tally.add(written)
    }
  }

  /// Writes the packet last read by the demuxer and counts it as written.
  ///
  /// - Parameter converter: The converter of its text; nil if it is written unchanged.
  mutating func write(
    _ packet: pe_av_packet, from demuxer: borrowing Demuxer, _ converter: TextConverter?,
    counting tally: StreamStatistics
  ) throws(MovieError) {
    guard let converter else { return tally.add(try write(from: demuxer)) }
    guard let cue = converter.add(packet) else { return }
    try write(cue, from: demuxer, converter, counting: tally)
  }

  /// Writes the last texts and the movie's header.
  mutating func finish(
    _ converters: [TextConverter?], from demuxer: borrowing Demuxer,
    counting tallies: [StreamStatistics]
  ) throws(MovieError) {
    for (converter, tally) in zip(converters, tallies) {
      guard let converter, let cue = converter.finish() else { continue }
      try write(cue, from: demuxer, converter, counting: tally)
    }
    try finish()
  }

  mutating func finish() throws(MovieError) {
    var failure = pe_av_failure()
    try check(pe_av_finish(handle, &failure), failure)
  }

  private func check(_ status: Int32, _ failure: pe_av_failure) throws(MovieError) {
    guard status == PE_AV_OK else {
      throw MovieError(status, failure, path: path, doing: "write a QuickTime movie")
    }
  }
}
