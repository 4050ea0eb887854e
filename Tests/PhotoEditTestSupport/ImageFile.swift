// SPDX-License-Identifier: Apache-2.0

/// Builds small image files with the metadata that a test specifies.
package struct ImageFile {
  /// An entry of an IFD.
  package struct Field {
    let tag: Int
    let type: Int
    let count: Int
    let bytes: [UInt8]

    package static func text(_ tag: Int, _ text: String) -> Field {
      let bytes = Array(text.utf8) + [0]
      return Field(tag: tag, type: 2, count: bytes.count, bytes: bytes)
    }

    /// A text as Windows writes it: in UTF-16, which is little-endian in any file.
    package static func windows(_ tag: Int, _ text: String) -> Field {
      blob(tag, text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } + [0, 0])
    }

    package static func byte(_ tag: Int, _ value: UInt8) -> Field {
      Field(tag: tag, type: 1, count: 1, bytes: [value])
    }

    package static func short(_ tag: Int, _ value: Int) -> Field {
      Field(tag: tag, type: 3, count: 1, bytes: big(value, 2))
    }

    package static func long(_ tag: Int, _ value: Int) -> Field {
      Field(tag: tag, type: 4, count: 1, bytes: big(value, 4))
    }

    package static func signed(_ tag: Int, _ value: Int) -> Field {
      Field(tag: tag, type: 9, count: 1, bytes: big(value, 4))
    }

    package static func fractions(_ tag: Int, _ values: [(Int, Int)]) -> Field {
      Field(
        tag: tag, type: 5, count: values.count,
        bytes: values.flatMap { big($0.0, 4) + big($0.1, 4) })
    }

    package static func blob(_ tag: Int, _ bytes: [UInt8]) -> Field {
      Field(tag: tag, type: 7, count: bytes.count, bytes: bytes)
    }
  }

  package var main: [Field] = []
  package var exif: [Field] = []
  package var gps: [Field] = []
  package var xmp: String?

  /// Creates an image without metadata.
  package init() {}

  package static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// An IFD followed by its values.
  package static func directory(_ fields: [Field], at offset: Int) -> [UInt8] {
    var entries = big(fields.count, 2)
    var values: [UInt8] = []
    let start = offset + 2 + 12 * fields.count + 4
    for field in fields.sorted(by: { $0.tag < $1.tag }) {
      entries += big(field.tag, 2) + big(field.type, 2) + big(field.count, 4)
      if field.bytes.count > 4 {
        entries += big(start + values.count, 4)
        values += field.bytes + (field.bytes.count % 2 == 0 ? [] : [0])
      } else {
        entries += field.bytes + [UInt8](repeating: 0, count: 4 - field.bytes.count)
      }
    }
    return entries + [0, 0, 0, 0] + values
  }

  /// The metadata as a TIFF structure.
  package var tiff: [UInt8] {
    let exifDirectory = { (offset: Int) in Self.directory(exif, at: offset) }
    func head(_ exifStart: Int, _ gpsStart: Int) -> [UInt8] {
      var fields = main
      if !exif.isEmpty { fields.append(.long(0x8769, exifStart)) }
      if !gps.isEmpty { fields.append(.long(0x8825, gpsStart)) }
      return Array("MM\0*".utf8) + Self.big(8, 4) + Self.directory(fields, at: 8)
    }
    let exifStart = head(0, 0).count
    let gpsStart = exifStart + exifDirectory(0).count
    return head(exifStart, gpsStart) + exifDirectory(exifStart)
      + Self.directory(gps, at: gpsStart)
  }

  /// A JPEG with a width of 64 pixels; `seed` makes its bytes unique.
  package func jpeg(_ seed: Int = 0) throws -> [UInt8] {
    let image = try TestImages.bytes("photo-64.jpg")
    func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
      [0xFF, marker] + Self.big(payload.count + 2, 2) + payload
    }
    var segments: [UInt8] = []
    if !(main + exif + gps).isEmpty {
      segments += segment(0xE1, Array("Exif\0\0".utf8) + tiff)
    }
    if let xmp {
      segments += segment(
        0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(Self.packet(xmp).utf8))
    }
    if seed != 0 { segments += segment(0xFE, Array("seed \(seed)".utf8)) }
    return Array(image[0..<2]) + segments + image[2...]
  }

  /// An XMP packet with properties as attributes.
  package static func packet(_ attributes: String) -> String {
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
    xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
    xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" \
    xmlns:GPano="http://ns.google.com/photos/1.0/panorama/" \
    xmlns:dc="http://purl.org/dc/elements/1.1/" \
    xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" \(attributes)/></rdf:RDF></x:xmpmeta>
    """
  }

  /// An Apple maker note.
  ///
  /// - Parameter preview: A JPEG that follows the note.
  package static func appleNote(
    burst: String? = nil, content: String? = nil, isHDR: Bool = false, preview: [UInt8] = []
  ) -> Field {
    var fields: [Field] = [.signed(1, 14)]
    if isHDR { fields.append(.signed(0x0A, 3)) }
    if let burst { fields.append(.text(0x0B, burst)) }
    if let content { fields.append(.text(0x11, content)) }
    return .blob(
      0x927C,
      Array("Apple iOS\0".utf8) + [0, 1] + Array("MM".utf8) + directory(fields, at: 14) + preview)
  }

  /// The bytes of a Live Photo still.
  package static func live(_ identifier: String?, seed: Int = 0) throws -> [UInt8] {
    var file = ImageFile()
    if let identifier { file.exif = [appleNote(content: identifier)] }
    return try file.jpeg(seed)
  }

  package static func dng(_ seed: Int = 0, width: Int = 400, height: Int = 300) -> [UInt8] {
    var file = ImageFile()
    file.main = [.text(0x010F, "Maker"), .text(0x0131, "seed \(seed)")]
    return file.dng(width: width, height: height)
  }

  /// A DNG file with this metadata and one strip of samples of eight bits, which are zero.
  package func dng(width: Int = 400, height: Int = 300) -> [UInt8] {
    func header(samplesAt start: Int) -> [UInt8] {
      var file = self
      file.main += [
        .long(0x00FE, 0), .long(0x0100, width), .long(0x0101, height), .short(0x0102, 8),
        .short(0x0103, 1), .short(0x0106, 32_803), .long(0x0111, start), .short(0x0115, 1),
        .long(0x0116, height), .long(0x0117, width * height),
        Field(tag: 33_421, type: 3, count: 2, bytes: [0, 2, 0, 2]),
        Field(tag: 33_422, type: 1, count: 4, bytes: [0, 1, 1, 2]), .blob(50_706, [1, 4, 0, 0]),
      ]
      return file.tiff
    }
    return header(samplesAt: header(samplesAt: 0).count)
      + [UInt8](repeating: 0, count: width * height)
  }

  /// A Canon CR3 file without samples, with the directories of this file in separate boxes, and its
  /// packet after them.
  package var canonRaw: [UInt8] {
    func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
      Self.big(body.count + 8, 4) + Array(type.utf8) + body
    }
    func part(_ type: String, _ fields: [Field]) -> [UInt8] {
      var file = ImageFile()
      file.main = fields
      return box(type, file.tiff)
    }
    let identifier: [UInt8] = [
      0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A,
      0x48,
    ]
    let parts = part("CMT1", main) + part("CMT2", exif) + part("CMT4", gps)
    let packet = xmp.map { box("uuid", Self.packetIdentifier + Array(Self.packet($0).utf8)) } ?? []
    return box("ftyp", Array("crx ".utf8) + [0, 0, 0, 1])
      + box("moov", box("uuid", identifier + parts)) + packet
  }

  /// The identifier of the box with the XMP packet of a QuickTime file, or of one like it.
  package static let packetIdentifier: [UInt8] = [
    0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
  ]

  private static func little(_ value: Int, _ count: Int) -> [UInt8] { big(value, count).reversed() }

  /// A Canon CRW file without samples: a heap with two others in each other.
  package static func canonHeapRaw(_ make: String, _ model: String, seconds: Int) -> [UInt8] {
    func heap(_ records: [(tag: Int, bytes: [UInt8])]) -> [UInt8] {
      var values: [UInt8] = []
      var entries: [UInt8] = []
      for (tag, bytes) in records {
        entries += little(tag, 2) + little(bytes.count, 4) + little(values.count, 4)
        values += bytes
      }
      return values + little(records.count, 2) + entries + little(values.count, 4)
    }
    let camera = heap([(0x080A, Array((make + "\0" + model + "\0").utf8))])
    let properties = heap([(0x2807, camera), (0x180E, little(seconds, 4) + little(0, 8))])
    return Array("II".utf8) + little(26, 4) + Array("HEAPCCDR".utf8) + little(0x10002, 4)
      + little(0, 8) + heap([(0x300A, properties)])
  }

  /// A Minolta MRW file without samples.
  package var minoltaRaw: [UInt8] {
    let blocks =
      Array("\0PRD".utf8) + Self.big(4, 4) + [0, 0, 0, 0] + Array("\0TTW".utf8)
      + Self.big(tiff.count, 4) + tiff
    return Array("\0MRM".utf8) + Self.big(blocks.count, 4) + blocks
  }

  /// A Fujifilm RAF file without samples, with this file as its preview.
  package func fujifilmRaw(width: Int, height: Int) throws -> [UInt8] {
    let preview = try jpeg()
    let sizes =
      Self.big(1, 4) + Self.big(0x111, 2) + Self.big(4, 2) + Self.big(height, 2)
      + Self.big(width, 2)
    let head = Array("FUJIFILMCCD-RAW ".utf8) + [UInt8](repeating: 0, count: 68)
    return head + Self.big(100 + sizes.count, 4) + Self.big(preview.count, 4) + Self.big(100, 4)
      + Self.big(sizes.count, 4) + sizes + preview
  }

  /// A Panasonic RW2 file without samples, with this file as its preview, and its packet outside.
  package func panasonicRaw(width: Int, height: Int) throws -> [UInt8] {
    let little = Self.little
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
      little(tag, 2) + little(type, 2) + little(count, 4) + little(value, 4)
    }
    var inner = self
    inner.xmp = nil
    let (preview, packet) = (try inner.jpeg(), Array(Self.packet(xmp ?? "").utf8))
    let entries =
      entry(4, 3, 1, 2) + entry(5, 3, 1, 4) + entry(6, 3, 1, height + 2)
      + entry(7, 3, 1, width + 4) + entry(0x2E, 7, preview.count, 86)
      + entry(0x2BC, 1, packet.count, 86 + preview.count)
    return [0x49, 0x49, 0x55, 0] + little(8, 4) + little(6, 2) + entries + little(0, 4) + preview
      + packet
  }

  /// A GIF of one pixel with a number of frames.
  package static func gif(frames: Int) -> [UInt8] {
    let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
    return Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
      + (0..<frames).flatMap { _ in frame } + [0x3B]
  }

  /// Adjustment data as written by other programs.
  package static func record(_ format: String = "com.example.editor", seed: Int = 0) -> [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><dict><key>adjustmentBaseVersion</key><integer>0</integer>
      <key>adjustmentData</key><data>AQIDBA==</data>
      <key>adjustmentFormatIdentifier</key><string>\(format)</string>
      <key>adjustmentFormatVersion</key><string>1.\(seed)</string></dict></plist>
      """.utf8)
  }
}
