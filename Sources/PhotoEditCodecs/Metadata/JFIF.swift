// SPDX-License-Identifier: Apache-2.0

/// The APP0 segment that says a file is JFIF, and how dense its pixels are.
///
/// - Source: ITU-T T.871 (JFIF 1.02), 10.1.
enum JFIF {
  /// A payload without thumbnail; nil when a density is 0 or above 65,535.
  static func payload(unit: UInt8, x: Int, y: Int) -> [UInt8]? {
    guard (1...0xFFFF).contains(x), (1...0xFFFF).contains(y) else { return nil }
    var payload = JPEGSegment.Signature.jfif + [1, 1, unit, 0, 0, 0, 0, 0, 0]
    payload.store16(x, at: 8)
    payload.store16(y, at: 10)
    return payload
  }

  /// A payload that says nothing but that the pixels are square.
  static let plain: [UInt8] = JPEGSegment.Signature.jfif + [1, 1, 0, 0, 1, 0, 1, 0, 0]

  /// A payload with its version and density, without its thumbnail; nil when it is cut off.
  static func withoutThumbnail(_ payload: [UInt8]) -> [UInt8]? {
    payload.count >= 12 ? payload[..<12] + [0, 0] : nil
  }
}
