// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVFormat
import PhotoEditStorage

/// Counts and hashes the packets of one stream as they are processed.
final class StreamStatistics {
  private(set) var packets = 0
  private(set) var bytes = 0
  /// The first presentation time, in timescale units.
  private(set) var start: Int64 = 0
  private var firstDecoding: Int64 = 0
  private let countsDecoding: Bool
  private var payload: DigestBuilder? = DigestBuilder()
  private var timeline: DigestBuilder? = DigestBuilder()

  /// Creates empty statistics.
  ///
  /// - Parameter countsDecoding: False if the source leaves decoding times to the muxer.
  init(countsDecoding: Bool) {
    self.countsDecoding = countsDecoding
  }

  func add(_ packet: pe_av_packet) {
    if packets == 0 {
      start = packet.presentation
      firstDecoding = packet.decoding
    }
    packets += 1
    bytes += Int(packet.size)
    payload?.update(UnsafeRawBufferPointer(start: packet.data, count: Int(packet.size)))
    // Relative to the first packet: an edit list moves all of them by the same amount.
    let times = [
      packet.presentation &- start, countsDecoding ? packet.decoding &- firstDecoding : 0,
      Int64(packet.is_key), Int64(packet.size),
    ]
    times.withUnsafeBytes { timeline?.update($0) }
  }

  /// Ends counting; returns nil if called again.
  func finish() -> Summary? {
    guard let payload = payload.take(), let timeline = timeline.take() else { return nil }
    return Summary(
      packets: packets, bytes: bytes, start: start, payload: payload.finish(),
      timeline: timeline.finish())
  }

  /// The totals of the processed packets.
  struct Summary: Sendable, Hashable {
    var packets: Int
    var bytes: Int
    /// The first presentation time, in timescale units.
    var start: Int64
    /// The SHA-256 digest of all packets, concatenated.
    var payload: SHA256Digest
    /// The SHA-256 digest of the times, size and key flag of every packet.
    var timeline: SHA256Digest
  }
}
