// SPDX-License-Identifier: Apache-2.0

/// Builds small QuickTime movies with one track.
package struct MovieFile {
  package var brand = "qt  "
  package var handler = "vide"
  package var width = 64
  package var height = 48
  package var frames = 30
  /// Frames per second.
  package var rate = 30
  /// The number of clockwise 90° rotations for display.
  package var clockwiseRotations = 0
  /// The creation date in seconds since 1904; 0 for unknown.
  package var created = 0
  package var tags: [(key: String, value: String)] = []
  /// A box after those with the tags.
  package var userData: [UInt8] = []
  /// A number that varies the bytes.
  package var seed = 0

  /// Creates a movie with one second of frames.
  package init() {}

  /// The bytes of a Live Photo video.
  package static func live(_ identifier: String?, seed: Int = 0) -> [UInt8] {
    var file = MovieFile()
    file.seed = seed
    if let identifier {
      file.tags = [("com.apple.quicktime.content.identifier", identifier)]
    }
    return file.bytes
  }

  package var bytes: [UInt8] {
    let start = box("ftyp", text(brand) + u32(512) + text(brand))
    let media = (0..<frames).flatMap { frame in u32(seed &* 31 &+ frame) }
    let mdat = box("mdat", media)
    return start + mdat + header(mediaAt: start.count + 8)
  }

  private func header(mediaAt offset: Int) -> [UInt8] {
    let duration = frames * 600 / rate
    var body = box(
      "mvhd",
      u32(0) + u32(created) + u32(created) + u32(600) + u32(duration) + u32(0x10000) + u16(0x100)
        + zeros(10) + matrix(0) + zeros(24) + u32(2))
    body += track(duration, mediaAt: offset)
    if !tags.isEmpty {
      let keys = tags.flatMap { box("mdta", text($0.key)) }
      let items = tags.enumerated().flatMap { index, tag in
        u32(24 + tag.value.utf8.count) + u32(index + 1)
          + box("data", u32(1) + u32(0) + text(tag.value))
      }
      body += box(
        "meta",
        box("hdlr", zeros(8) + text("mdta") + zeros(13))
          + box("keys", u32(0) + u32(tags.count) + keys) + box("ilst", items))
    }
    return box("moov", body + userData)
  }

  private func track(_ duration: Int, mediaAt offset: Int) -> [UInt8] {
    let isImage = handler == "vide"
    let entry =
      isImage
      ? box(
        "jpeg",
        zeros(6) + u16(1) + zeros(16) + u16(width) + u16(height) + u32(72 << 16) + u32(72 << 16)
          + u32(0) + u16(1) + zeros(32) + u16(24) + u16(0xFFFF))
      : box("sowt", zeros(6) + u16(1) + zeros(8) + u16(1) + u16(16) + zeros(4) + u32(600 << 16))
    let table =
      box("stsd", u32(0) + u32(1) + entry)
      + box("stts", u32(0) + u32(1) + u32(frames) + u32(600 / rate))
      + box("stsc", u32(0) + u32(1) + u32(1) + u32(frames) + u32(1))
      + box("stsz", u32(0) + u32(4) + u32(frames)) + box("stco", u32(0) + u32(1) + u32(offset))
    let information =
      box(isImage ? "vmhd" : "smhd", zeros(isImage ? 12 : 8))
      + box("dinf", box("dref", u32(0) + u32(1) + box("url ", u32(1)))) + box("stbl", table)
    let media =
      box("mdhd", u32(0) + zeros(8) + u32(600) + u32(duration) + u16(0x55C4) + u16(0))
      + box("hdlr", u32(0) + zeros(4) + text(handler) + zeros(13)) + box("minf", information)
    let head =
      u32(7) + zeros(8) + u32(1) + u32(0) + u32(duration) + zeros(16) + matrix(clockwiseRotations)
      + u32(isImage ? width << 16 : 0) + u32(isImage ? height << 16 : 0)
    return box("trak", box("tkhd", head) + box("mdia", media))
  }

  private func matrix(_ turns: Int) -> [UInt8] {
    let m = [[1, 0, 0, 1], [0, 1, -1, 0], [-1, 0, 0, -1], [0, -1, 1, 0]][turns & 3]
    return u32(m[0] << 16) + u32(m[1] << 16) + zeros(4) + u32(m[2] << 16) + u32(m[3] << 16)
      + zeros(12) + u32(1 << 30)
  }

  private func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
    u32(8 + body.count) + text(type) + body
  }

  private func text(_ text: String) -> [UInt8] { Array(text.utf8) }
  private func u16(_ value: Int) -> [UInt8] { ImageFile.big(value, 2) }
  private func u32(_ value: Int) -> [UInt8] { ImageFile.big(value, 4) }
  private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
