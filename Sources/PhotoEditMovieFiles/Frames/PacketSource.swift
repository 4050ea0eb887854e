// SPDX-License-Identifier: Apache-2.0

/// Something that gives the packets of a movie's pictures one after the other.
package protocol PacketSource: ~Copyable {
  /// The next packet, in the order of decoding; nil at the end.
  mutating func next() throws(MovieError) -> VideoPacket?
}
