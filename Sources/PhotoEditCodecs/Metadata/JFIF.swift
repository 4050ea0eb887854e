// SPDX-License-Identifier: Apache-2.0

/// The APP0 segment that marks a file as JFIF and states its pixel density.
///
/// - Source: ITU-T T.871 (JFIF 1.02), 10.1.
enum JFIF {
  /// Returns a payload without a thumbnail; nil if a density is 0 or above 65,535.
  static func payload(unit: UInt8, x: Int, y: Int) -> [UInt8]? {
    guard (1...0xFFFF).contains(x), (1...0xFFFF).contains(y) else { return nil }
    var payload = JPEGSegment.Signature.jfif + [1, 1, unit, 0, 0, 0, 0, 0, 0]
    payload.store16(x, at: 8)
    payload.store16(y, at: 10)
    return payload
  }

  /// A payload that states only that the pixels are square.
  static let plain: [UInt8] = JPEGSegment.Signature.jfif + [1, 1, 0, 0, 1, 0, 1, 0, 0]

  /// Returns the version and density of a payload without its thumbnail; nil if it is truncated.
  static func withoutThumbnail(_ payload: [UInt8]) -> [UInt8]? {
    payload.count >= 12 ? payload[..<12] + [0, 0] : nil
  }
}
