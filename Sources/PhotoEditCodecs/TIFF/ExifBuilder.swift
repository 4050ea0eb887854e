// SPDX-License-Identifier: Apache-2.0

/// Writes a TIFF structure for EXIF from existing fields.
///
/// - Source: TIFF 6.0, section 2; CIPA DC-008 (Exif 2.32), 4.5 and 4.6.
struct ExifBuilder {
  /// A field with the bytes of its value, in the byte order of the structure.
  struct Field {
    let tag: Int
    let type: Int
    let count: Int
    let bytes: [UInt8]

    /// Bytes that the value occupies outside the entry; values begin at even offsets.
    var outerCount: Int { bytes.count > 4 ? bytes.count + bytes.count % 2 : 0 }
  }

  let order: ByteOrder
  var main: [Field] = []
  var exif: [Field] = []
  var gps: [Field] = []
  var interoperability: [Field] = []

  /// Indicates whether there is nothing to write.
  var isEmpty: Bool { main.isEmpty && exif.isEmpty && gps.isEmpty && interoperability.isEmpty }

  /// Size of the entire structure in bytes.
  var byteCount: Int { layout.end }

  /// The offsets of the directories.
  private var layout: (exif: Int, interoperability: Int, gps: Int, end: Int) {
    let hasInterop = !interoperability.isEmpty
    let hasExif = !exif.isEmpty || hasInterop
    let pointers = (hasExif ? 1 : 0) + (gps.isEmpty ? 0 : 1)
    let exifStart = 8 + Self.byteCount(main, pointers: pointers)
    let interopStart =
      exifStart + (hasExif ? Self.byteCount(exif, pointers: hasInterop ? 1 : 0) : 0)
    let gpsStart = interopStart + (hasInterop ? Self.byteCount(interoperability) : 0)
    return (
      exifStart, interopStart, gpsStart, gpsStart + (gps.isEmpty ? 0 : Self.byteCount(gps))
    )
  }

  private static func byteCount(_ fields: [Field], pointers: Int = 0) -> Int {
    fields.reduce(2 + 12 * (fields.count + pointers) + 4) { $0 + $1.outerCount }
  }

  /// Returns the structure: header, directories, and after each directory its values.
  func build() -> [UInt8] {
    let layout = layout
    var bytes: [UInt8] = order == .little ? [0x49, 0x49, 42, 0] : [0x4D, 0x4D, 0, 42]
    bytes += [0, 0, 0, 0]
    bytes.store32(8, at: 4, order)
    var main = main
    if layout.interoperability > layout.exif {
      main.append(pointer(ExifTag.exifDirectory, to: layout.exif))
    }
    if !gps.isEmpty { main.append(pointer(ExifTag.gpsDirectory, to: layout.gps)) }
    append(main, to: &bytes)
    if layout.interoperability > layout.exif {
      var exif = exif
      if !interoperability.isEmpty {
        exif.append(pointer(ExifTag.interoperabilityDirectory, to: layout.interoperability))
      }
      append(exif, to: &bytes)
    }
    if !interoperability.isEmpty { append(interoperability, to: &bytes) }
    if !gps.isEmpty { append(gps, to: &bytes) }
    return bytes
  }

  private func pointer(_ tag: Int, to offset: Int) -> Field {
    var bytes: [UInt8] = [0, 0, 0, 0]
    bytes.store32(offset, at: 0, order)
    return Field(tag: tag, type: 4, count: 1, bytes: bytes)
  }

  private func append(_ fields: [Field], to bytes: inout [UInt8]) {
    let start = bytes.count
    var value = start + Self.byteCount(fields) - fields.reduce(0) { $0 + $1.outerCount }
    bytes += [UInt8](repeating: 0, count: Self.byteCount(fields))
    bytes.store16(fields.count, at: start, order)
    for (index, field) in fields.sorted(by: { $0.tag < $1.tag }).enumerated() {
      let entry = start + 2 + 12 * index
      bytes.store16(field.tag, at: entry, order)
      bytes.store16(field.type, at: entry + 2, order)
      bytes.store32(field.count, at: entry + 4, order)
      if field.outerCount > 0 { bytes.store32(value, at: entry + 8, order) }
      let offset = field.outerCount > 0 ? value : entry + 8
      bytes.replaceSubrange(offset..<(offset + field.bytes.count), with: field.bytes)
      value += field.outerCount
    }
  }
}
