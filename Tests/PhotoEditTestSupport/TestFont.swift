// SPDX-License-Identifier: Apache-2.0

/// A TrueType font whose glyphs are boxes, so that tests do not depend on installed fonts.
///
/// 1000 units are the size of the font; it is 800 units high above the baseline and 200 below.
package struct TestFont: Sendable {
  /// A glyph: a box that characters are drawn as.
  package struct Glyph: Sendable {
    package let characters: [UInt32]
    package let advance: Int
    /// Left, bottom, right and top in units; nil draws nothing.
    package let box: [Int]?

    package init(_ characters: some Sequence<UInt32>, advance: Int, box: [Int]?) {
      (self.characters, self.advance, self.box) = (Array(characters), advance, box)
    }
  }

  package var glyphs: [Glyph]

  /// Creates a font; by default, printable ASCII characters are boxes of 400 × 700 units.
  package init(
    _ glyphs: [Glyph] = [
      Glyph([0x20], advance: 300, box: nil),
      Glyph(0x21...0x7E, advance: 500, box: [50, 0, 450, 700]),
    ]
  ) {
    self.glyphs = glyphs
  }

  /// The file.
  package var bytes: [UInt8] {
    // The first glyph is that of missing characters.
    let all = [Glyph([], advance: 600, box: [0, 0, 600, 800])] + glyphs
    var glyf: [UInt8] = []
    var loca: [UInt8] = long(0)
    for glyph in all {
      if let box = glyph.box { glyf += Self.outline(box) }
      loca += long(glyf.count)
    }
    let tables: [(String, [UInt8])] = [
      ("cmap", cmap), ("glyf", glyf), ("head", head), ("hhea", hhea(all.count)),
      ("hmtx", all.flatMap { short($0.advance) + short($0.box?[0] ?? 0) }), ("loca", loca),
      ("maxp", long(0x0001_0000) + short(all.count) + [UInt8](repeating: 0, count: 26)),
    ]
    var file = long(0x0001_0000) + short(tables.count) + short(64) + short(2) + short(48)
    var offset = file.count + 16 * tables.count
    for (name, table) in tables {
      file += Array(name.utf8) + long(0) + long(offset) + long(table.count)
      offset += (table.count + 3) / 4 * 4
    }
    for (_, table) in tables {
      file += table + [UInt8](repeating: 0, count: (4 - table.count % 4) % 4)
    }
    return file
  }

  /// Joins fonts to a collection.
  package static func collection(_ fonts: [[UInt8]]) -> [UInt8] {
    var start = 12 + 4 * fonts.count
    var (starts, tables): ([UInt8], [UInt8]) = ([], [])
    for font in fonts {
      var moved = font
      for field in stride(from: 20, to: 12 + 16 * Int(font[5]), by: 16) {
        let offset = font[field..<field + 4].reduce(0) { $0 << 8 | Int($1) }
        moved.replaceSubrange(field..<field + 4, with: long(offset + start))
      }
      starts += long(start)
      tables += moved
      start += moved.count
    }
    return Array("ttcf".utf8) + long(0x0001_0000) + long(fonts.count) + starts + tables
  }

  private static func outline(_ box: [Int]) -> [UInt8] {
    let (left, bottom, right, top) = (box[0], box[1], box[2], box[3])
    let header = [1, left, bottom, right, top, 3, 0].flatMap(short)
    // Four points on the curve, whose coordinates are differences of 16 bits.
    let columns = [left, right - left, 0, left - right].flatMap(short)
    let rows = [bottom, 0, top - bottom, 0].flatMap(short)
    return header + [1, 1, 1, 1] + columns + rows
  }

  private var cmap: [UInt8] {
    let groups = glyphs.enumerated().flatMap { index, glyph in
      glyph.characters.map { (character: $0, glyph: index + 1) }
    }.sorted { $0.character < $1.character }
    let entries = groups.flatMap {
      long(Int($0.character)) + long(Int($0.character)) + long($0.glyph)
    }
    let table = short(12) + short(0) + long(16 + entries.count) + long(0) + long(groups.count)
    return short(0) + short(1) + short(3) + short(10) + long(12) + table + entries
  }

  private var head: [UInt8] {
    long(0x0001_0000) + long(0) + long(0) + long(0x5F0F_3CF5) + short(0) + short(1000)
      + [UInt8](repeating: 0, count: 16) + [0, -200, 1000, 800].flatMap(short)
      + [0, 8, 2, 1, 0].flatMap(short)
  }

  private func hhea(_ count: Int) -> [UInt8] {
    long(0x0001_0000) + [800, -200, 0, 1000].flatMap(short) + [UInt8](repeating: 0, count: 22)
      + short(count)
  }
}

private func short(_ value: Int) -> [UInt8] {
  [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
}

private func long(_ value: Int) -> [UInt8] { short(value >> 16) + short(value) }
