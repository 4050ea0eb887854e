// SPDX-License-Identifier: Apache-2.0
import Glibc

extension ICCProfile {
  /// Whether a profile of matrix and curves means sRGB, judged by its numbers.
  ///
  /// - Source: IEC 61966-2-1, adapted to D50 by Bradford's method; ICC.1:2022, 10.6, 10.18, 10.31.
  static func isSRGB(_ bytes: [UInt8]) -> Bool {
    let columns: [(tag: String, xyz: [Double])] = [
      ("rXYZ", [0.4361, 0.2225, 0.0139]), ("gXYZ", [0.3851, 0.7169, 0.0971]),
      ("bXYZ", [0.1431, 0.0606, 0.7141]),
    ]
    for (tag, xyz) in columns {
      guard let element = element(tag, in: bytes), element.has(Array("XYZ ".utf8), at: 0) else {
        return false
      }
      for (i, expected) in xyz.enumerated() {
        guard let fixed = element.unsigned32(at: 8 + 4 * i),
          abs(Double(Int32(truncatingIfNeeded: fixed)) / 65_536 - expected) < 0.003
        else { return false }
      }
    }
    // The curve of sRGB maps a half to 0.214; a plain gamma of 2.2, often meant as sRGB, to 0.218.
    return ["rTRC", "gTRC", "bTRC"].allSatisfy { tag in
      element(tag, in: bytes).flatMap(middle(of:)).map { abs($0 - 0.214) < 0.006 } ?? false
    }
  }

  private static func element(_ tag: String, in bytes: [UInt8]) -> [UInt8]? {
    guard let count = bytes.unsigned32(at: 128) else { return nil }
    for i in 0..<min(count, 100) where bytes.has(Array(tag.utf8), at: 132 + 12 * i) {
      guard let start = bytes.unsigned32(at: 136 + 12 * i),
        let size = bytes.unsigned32(at: 140 + 12 * i), start <= bytes.count,
        size <= bytes.count - start
      else { return nil }
      return Array(bytes[start..<(start + size)])
    }
    return nil
  }

  /// What a curve makes of a half; nil when it is not understood.
  private static func middle(of curve: [UInt8]) -> Double? {
    if curve.has(Array("curv".utf8), at: 0), let count = curve.unsigned32(at: 8) {
      if count == 0 { return 0.5 }
      if count == 1 {
        guard let gamma = curve.unsigned16(at: 12) else { return nil }
        return pow(0.5, Double(gamma) / 256)
      }
      guard count <= curve.count / 2, let low = curve.unsigned16(at: 12 + 2 * ((count - 1) / 2)),
        let high = curve.unsigned16(at: 12 + 2 * (count / 2))
      else { return nil }
      return Double(low + high) / 2 / 65_535
    }
    guard curve.has(Array("para".utf8), at: 0), let kind = curve.unsigned16(at: 8) else {
      return nil
    }
    let parameters = (0..<7).compactMap { i in
      curve.unsigned32(at: 12 + 4 * i).map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 }
    }
    if kind == 0, let gamma = parameters.first { return pow(0.5, gamma) }
    guard (1...4).contains(kind), parameters.count >= 3 else { return nil }
    let base = parameters[1] * 0.5 + parameters[2]
    return base > 0 ? pow(base, parameters[0]) : nil
  }

}
