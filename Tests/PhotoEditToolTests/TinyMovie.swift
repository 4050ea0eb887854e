// SPDX-License-Identifier: Apache-2.0

/// A QuickTime movie of one video track with frames of four bytes, which cannot be played.
enum TinyMovie {
  /// Creates the file.
  static func bytes(frames: Int) -> [UInt8] {
    let brand = box("ftyp", text("qt  ") + number(0) + text("qt  "))
    let media = box("mdat", [UInt8](repeating: 0xA5, count: 4 * frames))
    let tables =
      box("stsd", number(0, 1) + description)
      + box("stts", number(0, 1, frames, 100))
      + box("stsc", number(0, 1, 1, frames, 1))
      + box("stsz", number(0, 4, frames))
      + box("stco", number(0, 1, brand.count + 8))
    let information =
      box("vmhd", number(1, 0, 0))
      + box("dinf", box("dref", number(0, 1) + box("url ", number(1))))
      + box("stbl", tables)
    let track =
      box(
        "tkhd",
        number(7, 0, 0, 1, 0, 100 * frames, 0, 0, 0, 0) + matrix + number(32 << 16, 16 << 16))
      + box(
        "mdia",
        box("mdhd", number(0, 0, 0, 600, 100 * frames, 0x55C4_0000))
          + box("hdlr", number(0) + text("mhlr") + text("vide") + number(0, 0, 0) + [0])
          + box("minf", information))
    let header = number(0, 0, 0, 600, 100 * frames, 1 << 16, 0x0100_0000, 0, 0) + matrix
    let movie = box("mvhd", header + number(0, 0, 0, 0, 0, 0, 2)) + box("trak", track)
    return brand + media + box("moov", movie)
  }

  /// A sample description of 32×16 JPEG frames.
  private static var description: [UInt8] {
    box(
      "jpeg",
      number(0, 1, 0, 0, 0, 0, 32 << 16 | 16, 72 << 16, 72 << 16, 0, 1 << 16)
        + [UInt8](repeating: 0, count: 30) + [0, 24, 0xFF, 0xFF])
  }

  private static var matrix: [UInt8] { number(1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30) }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static func number(_ values: Int...) -> [UInt8] {
    values.flatMap { value in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
  }

  private static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
    number(body.count + 8) + text(type) + body
  }
}
