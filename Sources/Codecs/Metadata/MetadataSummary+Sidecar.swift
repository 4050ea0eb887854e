// SPDX-License-Identifier: Apache-2.0

extension MetadataSummary {
  /// Most bytes of a sidecar that are read.
  package static let maximumSidecarBytes = 4 << 20

  /// Reads the XMP packet that programs keep in a file of its own; nil when it is none.
  package init?(sidecar bytes: [UInt8]) {
    guard bytes.count <= Self.maximumSidecarBytes else { return nil }
    let packet = XMPPacket(bytes)
    guard packet.scan.isWellFormed, !packet.scan.properties.isEmpty else { return nil }
    self.init(exif: nil, xmp: packet)
  }
}
