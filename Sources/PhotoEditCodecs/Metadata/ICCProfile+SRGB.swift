// SPDX-License-Identifier: Apache-2.0

extension ICCProfile {
  /// Whether the bytes are those of a profile that means sRGB.
  static func isSRGB(_ bytes: [UInt8]) -> Bool {
    (try? ICCProfile(validating: bytes))?.isSRGB == true
  }

  /// Whether the profile means sRGB, judged by its numbers: no tables, the curve of sRGB within an
  /// eighth of a level, and its lights.
  ///
  /// - Source: IEC 61966-2-1, adapted to D50 by Bradford's method; ICC.1:2022, 10.31.
  package var isSRGB: Bool {
    guard obstacle(for: "RGB ") == nil, let transfers = ChannelTransfer.channels(of: self),
      transfers.allSatisfy(\.isSRGB)
    else { return false }
    let columns: [(tag: String, xyz: [Double])] = [
      ("rXYZ", [0.4361, 0.2225, 0.0139]), ("gXYZ", [0.3851, 0.7169, 0.0971]),
      ("bXYZ", [0.1431, 0.0606, 0.7141]),
    ]
    return columns.allSatisfy { column in
      guard let element = tag(column.tag), element.has(Array("XYZ ".utf8), at: element.startIndex)
      else { return false }
      return column.xyz.enumerated().allSatisfy { index, expected in
        guard let fixed = element.unsigned32(at: element.startIndex + 8 + 4 * index) else {
          return false
        }
        return abs(Double(Int32(truncatingIfNeeded: fixed)) / 65_536 - expected) < 0.003
      }
    }
  }
}
