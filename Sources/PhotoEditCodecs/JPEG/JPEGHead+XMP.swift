// SPDX-License-Identifier: Apache-2.0

extension JPEGHead {
  /// Adds properties to the XMP packet, or makes one of them.
  ///
  /// - Parameters:
  ///   - addition: Simple properties; those of the same names go.
  ///   - elements: Further properties, which bring their namespaces along.
  ///   - isGone: Which of the present properties go besides.
  /// - Returns: Whether the packet says so now; nothing is changed otherwise.
  mutating func describe(
    _ addition: XMPPacket.Addition, elements: String = "",
    without isGone: (XMPProperty) -> Bool = { _ in false }
  ) -> Bool {
    let signature = JPEGSegment.Signature.xmp
    let place = payload(.xmp)
    let packet = place.map { XMPPacket(payload: Array(file[$0])) } ?? .empty
    guard
      let bytes = packet.adding(
        addition, elements: elements, without: isGone,
        limit: JPEGSegment.maximumPayloadCount - signature.count)
    else { return false }
    guard let place else { return insert(signature + bytes) }
    return replace(place, with: signature + bytes)
  }
}
