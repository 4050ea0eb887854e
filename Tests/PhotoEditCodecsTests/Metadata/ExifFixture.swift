// SPDX-License-Identifier: Apache-2.0

/// Builds an EXIF structure like a camera's: directories, a MakerNote that points at bytes outside
/// itself, and a thumbnail.
struct ExifFixture {
  enum ThumbnailPosition: CaseIterable { case none, middle, tail }

  /// One entry: a tag, a TIFF type, and the bytes of its values.
  struct Field {
    let tag: Int
    let type: Int
    var bytes: [UInt8]
    var count: Int { bytes.count / ([3: 2, 4: 4, 5: 8, 13: 4][type] ?? 1) }
  }

  var isBig = true
  var orientation = 6
  /// Replaces the Orientation entry.
  var orientationField: Field?
  var usesLongSizes = false
  var thumbnail = ThumbnailPosition.tail
  var software = "Camera firmware 1.02"
  var modifyDate = "2020:01:02 03:04:05\0"
  /// Bytes that are added to the thumbnail.
  var thumbnailFilling = 0
  /// Tags that are omitted.
  var omitted: Set<Int> = []
  /// Additional entries of the first directory and of the EXIF directory.
  var moreMain: [Field] = []
  var moreExif: [Field] = []
  /// The position of the MakerNote, set by `build`.
  private(set) var makerNote = 0..<0
  private(set) var external = 0..<0
  private(set) var image = 0..<0
  private(set) var thumbnailDirectory = 0..<0
  private(set) var positions: [Int: Int] = [:]

  static let makerNoteText = "CAMERA MAKER NOTE "
  static let externalBytes = Array("bytes the note points at".utf8)
  static let imageBytes: [UInt8] =
    [0xFF, 0xD8] + Array("a thumbnail of everything".utf8) + [0xFF, 0xD9]

  func short(_ value: Int) -> [UInt8] {
    let bytes = [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
    return isBig ? bytes : bytes.reversed()
  }

  func long(_ value: Int) -> [UInt8] {
    let bytes = short(value >> 16 & 0xFFFF) + short(value & 0xFFFF)
    return isBig ? bytes : short(value & 0xFFFF) + short(value >> 16 & 0xFFFF)
  }

  func field(_ tag: Int, short value: Int) -> Field {
    Field(tag: tag, type: 3, bytes: short(value))
  }
  func field(_ tag: Int, long value: Int) -> Field { Field(tag: tag, type: 4, bytes: long(value)) }
  func field(_ tag: Int, text: String) -> Field {
    Field(tag: tag, type: 2, bytes: Array(text.utf8))
  }

  private func size(of fields: [Field]) -> Int {
    fields.reduce(2 + 12 * fields.count + 4) { $0 + ($1.bytes.count > 4 ? $1.bytes.count : 0) }
  }

  private mutating func directory(_ fields: [Field], at offset: Int, next: Int = 0) -> [UInt8] {
    var entries = short(fields.count)
    var values: [UInt8] = []
    let valueStart = offset + 2 + 12 * fields.count + 4
    for (i, field) in fields.enumerated() {
      entries += short(field.tag) + short(field.type) + long(field.count)
      positions[field.tag] = offset + 2 + 12 * i + 8
      if field.bytes.count > 4 {
        positions[field.tag] = valueStart + values.count
        entries += long(valueStart + values.count)
        values += field.bytes
      } else {
        entries += field.bytes + [UInt8](repeating: 0, count: 4 - field.bytes.count)
      }
    }
    return entries + long(next) + values
  }

  /// The TIFF structure.
  mutating func build() -> [UInt8] {
    let imageBytes = Self.imageBytes + [UInt8](repeating: 1, count: thumbnailFilling)
    func size(_ tag: Int, _ value: Int) -> Field {
      usesLongSizes ? field(tag, long: value) : field(tag, short: value)
    }
    func complete(_ fields: [Field], _ more: [Field]) -> [Field] {
      (fields.filter { !omitted.contains($0.tag) } + more).sorted { $0.tag < $1.tag }
    }
    func main(exif: Int, gps: Int) -> [Field] {
      let fields = [
        size(0x0100, 4032), size(0x0101, 3024), field(0x010F, text: "Maker\0"),
        field(0x0110, text: "Model\0"),
        orientationField ?? field(0x0112, short: orientation),
        field(0x0131, text: software + "\0"), field(0x0132, text: modifyDate),
        field(0x8769, long: exif), field(0x8825, long: gps),
      ]
      return complete(fields, moreMain)
    }
    func exif(external: Int) -> [Field] {
      let fields = [
        Field(tag: 0x829A, type: 5, bytes: long(1) + long(125)),
        Field(tag: 0x829D, type: 5, bytes: long(18) + long(10)), field(0x8827, short: 200),
        field(0x9003, text: "2020:01:02 03:04:05\0"), field(0x9010, text: "+00:00\0"),
        field(0x9011, text: "+01:00\0"),
        Field(
          tag: 0x927C, type: 7, bytes: Array(Self.makerNoteText.utf8) + long(external)),
        field(0x9290, text: "123\0"), size(0xA002, 4032), size(0xA003, 3024),
        field(0xA434, text: "Lens 35mm\0"),
      ]
      return complete(fields, moreExif)
    }
    let gps = [
      field(1, text: "S\0"),
      Field(tag: 2, type: 5, bytes: long(33) + long(1) + long(30) + long(1) + long(0) + long(1)),
      field(3, text: "E\0"),
      Field(tag: 4, type: 5, bytes: long(151) + long(1) + long(15) + long(1) + long(0) + long(1)),
    ]
    func small(_ image: Int) -> [Field] {
      [
        field(0x0103, short: 6), field(0x0112, short: orientation), field(0x0201, long: image),
        field(0x0202, long: imageBytes.count),
      ]
    }
    let exifStart = 8 + self.size(of: main(exif: 0, gps: 0))
    let gpsStart = exifStart + self.size(of: exif(external: 0))
    let afterGPS = gpsStart + self.size(of: gps)
    let smallSize = self.size(of: small(0)) + imageBytes.count
    let smallStart = thumbnail == .tail ? afterGPS + Self.externalBytes.count : afterGPS
    let externalStart = thumbnail == .middle ? afterGPS + smallSize : afterGPS
    let link = thumbnail == .none ? 0 : smallStart

    // IFD1 repeats tags of IFD0; it is built first so that the positions of IFD0 win.
    let imageStart = smallStart + self.size(of: small(0))
    let block = directory(small(imageStart), at: smallStart) + imageBytes
    var bytes = (isBig ? Array("MM".utf8) : Array("II".utf8)) + short(42) + long(8)
    bytes += directory(main(exif: exifStart, gps: gpsStart), at: 8, next: link)
    let mainPositions = positions
    bytes += directory(exif(external: externalStart), at: exifStart)
    bytes += directory(gps, at: gpsStart)
    positions.merge(mainPositions) { $1 }
    switch thumbnail {
    case .none: bytes += Self.externalBytes
    case .middle: bytes += block + Self.externalBytes
    case .tail: bytes += Self.externalBytes + block
    }
    let note = positions[0x927C] ?? 0
    makerNote = note..<(note + Self.makerNoteText.utf8.count + 4)
    external = externalStart..<(externalStart + Self.externalBytes.count)
    if thumbnail != .none {
      thumbnailDirectory = smallStart..<imageStart
      image = imageStart..<(imageStart + imageBytes.count)
    }
    return bytes
  }
}
