// SPDX-License-Identifier: Apache-2.0

/// Font files with several faces.
///
/// - Source: ISO/IEC 14496-22, "Open Font Format", 4.6.
enum FontCollection {
  /// Returns whether a file begins like a TrueType or OpenType font, or a collection of them.
  static func isFont(_ bytes: [UInt8]) -> Bool {
    let starts: [[UInt8]] = [
      [0, 1, 0, 0], Array("true".utf8), Array("OTTO".utf8), Array("ttcf".utf8),
    ]
    return starts.contains { bytes.starts(with: $0) } && bytes.count >= 12
  }

  /// Joins fonts to one file, in which each table follows those of the fonts before it; nil if one of
  /// them is damaged or a collection itself.
  static func joining(_ fonts: [[UInt8]]) -> [UInt8]? {
    if fonts.count == 1 { return fonts[0] }
    var file = Array("ttcf".utf8) + number(0x0001_0000) + number(fonts.count)
    var start = file.count + 4 * fonts.count
    var starts: [Int] = []
    for font in fonts {
      starts.append(start)
      start += (font.count + 3) / 4 * 4
    }
    for start in starts { file += number(start) }
    for (font, start) in zip(fonts, starts) {
      guard isFont(font), !font.starts(with: "ttcf".utf8) else { return nil }
      let tables = Int(font[4]) << 8 | Int(font[5])
      guard font.count >= 12 + 16 * tables else { return nil }
      var moved = font
      for table in 0..<tables {
        // The offset is the third of four numbers.
        let field = 12 + 16 * table + 8
        let offset = font[field..<field + 4].reduce(0) { $0 << 8 | Int($1) }
        moved.replaceSubrange(field..<field + 4, with: number(offset + start))
      }
      file += moved + [UInt8](repeating: 0, count: (4 - font.count % 4) % 4)
    }
    return file
  }

  private static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
