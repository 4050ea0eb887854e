// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// The metadata of a Canon CR3 file, whose directories are separate TIFF structures in boxes.
///
/// - Source: lclevy/canon_cr3:readme.md; exiftool:lib/Image/ExifTool/Canon.pm.
struct CanonRawMetadata {
  /// One EXIF structure with the main, the EXIF and the GPS directory.
  private(set) var exif: [UInt8]
  /// The stored size of the image.
  private(set) var size: PixelSize?
  /// The XMP packet.
  let packet: [UInt8]?

  /// Reads a file; nil if it has no main directory.
  init?(_ file: UnsafeRawBufferPointer) {
    let parts = Self.parts(of: file)
    packet = parts[Self.packetName]
    guard let main = parts["CMT1"], let reader = TIFFReader(exif: main),
      let directory = reader.main, let linkPosition = directory.linkPosition
    else { return nil }
    if let width = reader.integer(ExifTag.imageWidth, in: directory),
      let height = reader.integer(ExifTag.imageLength, in: directory),
      (1...(1 << 20)).contains(width), (1...(1 << 20)).contains(height)
    {
      size = PixelSize(width: width, height: height)
    }
    exif = main
    var added: [(tag: Int, offset: Int)] = []
    for (tag, name) in [(ExifTag.exifDirectory, "CMT2"), (ExifTag.gpsDirectory, "CMT4")] {
      guard directory.entry(tag) == nil, let part = parts[name],
        let offset = append(part, reader.order)
      else { continue }
      added.append((tag, offset))
    }
    guard !added.isEmpty else { return }
    // A new main directory, with the pointers to the others, follows them.
    var entries = stride(from: directory.range.lowerBound + 2, to: linkPosition, by: 12).map {
      Array(main[$0..<($0 + 12)])
    }
    entries += added.map { tag, offset in
      [(tag, 2), (4, 2), (1, 4), (offset, 4)].flatMap { bytes(of: $0.0, $0.1, reader.order) }
    }
    func tag(_ entry: [UInt8]) -> Int { entry.unsigned16(at: 0, reader.order) ?? 0 }
    entries.sort { tag($0) < tag($1) }
    if !exif.count.isMultiple(of: 2) { exif.append(0) }
    let start = exif.count
    exif += bytes(of: entries.count, 2, reader.order) + entries.joined() + [0, 0, 0, 0]
    exif.replaceSubrange(4..<8, with: bytes(of: start, 4, reader.order))
  }

  /// The identifier of the box with the directories.
  private static let identifier: [UInt8] = [
    0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
  ]
  /// The identifier of the box with the XMP packet.
  ///
  /// - Source: XMP specification part 3, 1.2.7.
  private static let packetIdentifier: [UInt8] = [
    0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
  ]
  /// The name of the packet among the parts; no box has it.
  private static let packetName = "packet"
  /// The maximum size of a directory with its values.
  private static let maximumBytes = 1 << 20

  /// Returns the directories by the names of their boxes, and the packet.
  private static func parts(of file: UnsafeRawBufferPointer) -> [String: [UInt8]] {
    var parts: [String: [UInt8]] = [:]
    func has(_ identifier: [UInt8], _ box: Box) -> Bool {
      box.type == "uuid" && file.has(identifier, at: box.body.lowerBound - 16)
    }
    do throws(BoxError) {
      var boxes = BoxReader(file)
      while let box = try boxes.nextBox() {
        if has(packetIdentifier, box), box.body.count <= SidecarMetadata.maximumBytes {
          parts[packetName] = Array(file[box.body])
        }
        guard box.type == "moov" else { continue }
        var inner = boxes.reader(box)
        while let box = try inner.nextBox() {
          guard has(identifier, box) else { continue }
          var directories = inner.reader(box)
          while let part = try directories.nextBox(), part.body.count <= maximumBytes {
            parts[part.type.characters] = Array(file[part.body])
          }
        }
      }
    } catch {}
    return parts
  }

  /// Appends a TIFF structure without its header, with the offsets of its values adjusted; returns
  /// the offset of its first directory.
  private mutating func append(_ part: [UInt8], _ order: ByteOrder) -> Int? {
    guard let reader = TIFFReader(exif: part), reader.order == order, let main = reader.main,
      exif.count + part.count <= 4 * Self.maximumBytes
    else { return nil }
    if !exif.count.isMultiple(of: 2) { exif.append(0) }
    let base = exif.count
    var part = part
    for entry in main.entries {
      guard let value = entry.value, value.count > 4 else { continue }
      part.replaceSubrange(
        (entry.position + 8)..<(entry.position + 12),
        with: bytes(of: value.lowerBound + base, 4, order))
    }
    exif += part
    return main.range.lowerBound + base
  }
}

/// Returns the lowest bytes of a number.
func bytes(of number: Int, _ count: Int, _ order: ByteOrder = .little) -> [UInt8] {
  let little = (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  return order == .little ? little : little.reversed()
}
