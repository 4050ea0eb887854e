// SPDX-License-Identifier: Apache-2.0

/// A source of a video's packets, one after the other.
package protocol PacketSource: ~Copyable {
  /// Returns the next packet in decoding order; nil at the end.
  mutating func next() throws(MovieError) -> VideoPacket?
}
