// SPDX-License-Identifier: Apache-2.0

/// The language of a track: packed ISO 639-2 letters, or Apple's older codes.
enum MediaLanguage {
  /// Returns three letters; nil for "und" and for unassigned codes.
  static func name(ofCode code: UInt16) -> String? {
    if code < 0x400 { return code < macintosh.count ? macintosh[Int(code)] : nil }
    var text = ""
    for shift: UInt16 in [10, 5, 0] {
      let letter = UInt8(truncatingIfNeeded: (code >> shift) & 31) + 0x60
      guard (0x61...0x7a).contains(letter) else { return nil }
      text.unicodeScalars.append(Unicode.Scalar(letter))
    }
    return text == "und" ? nil : text
  }

  /// Returns three letters packed into 15 bits; "und" for anything else.
  static func code(ofName name: String?) -> UInt16 {
    let letters = Array((name ?? "und").utf8)
    guard letters.count == 3, letters.allSatisfy({ (0x61...0x7a).contains($0) }) else {
      return 0x55c4
    }
    return letters.reduce(0) { $0 << 5 | UInt16($1 - 0x60) }
  }

  /// QuickTime File Format, "language code values", from 0.
  private static let macintosh = [
    "eng", "fra", "ger", "ita", "dut", "sve", "spa", "dan", "por", "nor", "heb", "jpn", "ara",
    "fin", "gre", "ice", "mlt", "tur", "hrv", "chi", "urd", "hin", "tha", "kor", "lit", "pol",
    "hun", "est", "lav", "smi", "fao", "per", "rus", "chi", "dut", "gle", "alb", "rum", "ces",
    "slk", "slv", "yid", "srp", "mac", "bul", "ukr", "bel", "uzb", "kaz", "aze",
  ]
}
