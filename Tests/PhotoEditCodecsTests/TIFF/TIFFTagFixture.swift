// SPDX-License-Identifier: Apache-2.0

/// Writes TIFF files entry by entry: an image of 2×2 gray pixels with any tags.
struct TIFFTagFixture {
  /// One entry with the bytes of its value, in the byte order of the file.
  struct Field {
    let tag: Int
    let type: Int
    let count: Int
    let bytes: [UInt8]
  }

  var isBigEndian = false
  var isBigTIFF = false

  func number(_ value: Int, _ count: Int) -> [UInt8] {
    let bytes = little(value, count)
    return isBigEndian ? bytes.reversed() : bytes
  }

  func short(_ tag: Int, _ values: Int...) -> Field {
    Field(tag: tag, type: 3, count: values.count, bytes: values.flatMap { number($0, 2) })
  }

  func long(_ tag: Int, _ values: Int...) -> Field {
    Field(tag: tag, type: 4, count: values.count, bytes: values.flatMap { number($0, 4) })
  }

  func fraction(_ tag: Int, _ top: Int, _ bottom: Int) -> Field {
    Field(tag: tag, type: 5, count: 1, bytes: number(top, 4) + number(bottom, 4))
  }

  func text(_ tag: Int, _ text: String) -> Field {
    Field(tag: tag, type: 2, count: text.utf8.count + 1, bytes: Array(text.utf8) + [0])
  }

  func bytes(_ tag: Int, _ bytes: [UInt8], type: Int = 7) -> Field {
    Field(tag: tag, type: type, count: bytes.count, bytes: bytes)
  }

  /// The pixels are at offset 16.
  static let pixels: [UInt8] = [10, 60, 120, 250]

  /// The fields of every directory with the image; fields given for the same tags replace them.
  private var image: [Field] {
    [
      short(256, 2), short(257, 2), short(258, 8), short(259, 1), short(262, 1), long(273, 16),
      short(277, 1), short(278, 2), long(279, 4),
    ]
  }

  /// A file with one directory, and others below it or after it.
  ///
  /// - Parameters:
  ///   - fields: Fields added to the required ones, or replacing them.
  ///   - below: Directories to which a tag of the first one points.
  ///   - next: Directories after the first, with all their fields.
  func file(
    _ fields: [Field] = [], below: [(tag: Int, fields: [Field])] = [], next: [[Field]] = []
  ) -> [UInt8] {
    let own = Set(fields.map(\.tag))
    var main = fields + image.filter { !own.contains($0.tag) }
    var bytes = isBigEndian ? Array("MM".utf8) : Array("II".utf8)
    bytes += number(isBigTIFF ? 43 : 42, 2)
    let head = isBigTIFF ? number(8, 2) + number(0, 2) + number(24, 8) : number(24, 4)
    bytes += head
    bytes += [UInt8](repeating: 0, count: 16 - bytes.count % 16)
    bytes = Array(bytes.prefix(16)) + Self.pixels + [0, 0, 0, 0]
    var offset = 24 + size(main) + below.count * entrySize
    var blocks: [[UInt8]] = []
    for (tag, fields) in below {
      main.append(long(tag, offset))
      blocks.append(directory(fields, at: offset, next: 0))
      offset += blocks.last?.count ?? 0
    }
    bytes += directory(main, at: 24, next: next.isEmpty ? 0 : offset)
    bytes += blocks.flatMap { $0 }
    for (index, fields) in next.enumerated() {
      let end = bytes.count + size(fields)
      bytes += directory(fields, at: bytes.count, next: index + 1 < next.count ? end : 0)
    }
    return bytes
  }

  private var entrySize: Int { isBigTIFF ? 20 : 12 }
  private var inlineSize: Int { isBigTIFF ? 8 : 4 }

  private func size(_ fields: [Field]) -> Int {
    let head = isBigTIFF ? 16 : 6
    return fields.reduce(head + entrySize * fields.count) {
      $0 + ($1.bytes.count > inlineSize ? $1.bytes.count : 0)
    }
  }

  private func directory(_ fields: [Field], at start: Int, next: Int) -> [UInt8] {
    let wide = isBigTIFF ? 8 : 4
    var entries = number(fields.count, isBigTIFF ? 8 : 2)
    var values: [UInt8] = []
    let valueStart = start + entries.count + entrySize * fields.count + wide
    for field in fields.sorted(by: { $0.tag < $1.tag }) {
      entries += number(field.tag, 2) + number(field.type, 2) + number(field.count, wide)
      if field.bytes.count > inlineSize {
        entries += number(valueStart + values.count, wide)
        values += field.bytes
      } else {
        entries += field.bytes + [UInt8](repeating: 0, count: inlineSize - field.bytes.count)
      }
    }
    return entries + number(next, wide) + values
  }
}
