// SPDX-License-Identifier: Apache-2.0

/// Gives the still of a Live Photo the content identifier that its movie has.
///
/// An identifier of the same length is overwritten where it stands. A still without any note of its
/// maker gets one that holds nothing else; a note of another maker has no place for it.
package enum ContentIdentifierPatch {
  /// The EXIF tag of a maker's note.
  private static let makerNote = 0x927C

  /// Writes an identifier into a JPEG.
  ///
  /// - Parameter identifier: ASCII, at most 128 bytes.
  /// - Returns: Whether the file says so now; it is as it was where that is impossible.
  package static func write(_ identifier: String, into jpeg: inout [UInt8]) -> Bool {
    guard identifier.utf8.count <= 128, identifier.utf8.allSatisfy({ (33...126).contains($0) }),
      jpeg.starts(with: [0xFF, 0xD8])
    else { return false }
    var patched: [UInt8]?
    if let range = exifPayload(jpeg) {
      let prefix = JPEGSegment.exifPrefixCount
      guard var tiff = TIFFStructure(Array(jpeg[(range.lowerBound + prefix)..<range.upperBound])),
        overwrite(identifier, in: &tiff) || addNote(identifier, to: &tiff)
      else { return false }
      let payload = Array(jpeg[range.lowerBound..<(range.lowerBound + prefix)]) + tiff.bytes
      patched = jpeg
      patched?.replaceSubrange((range.lowerBound - 4)..<range.upperBound, with: segment(payload))
    } else {
      let payload = Array("Exif\0\0".utf8) + structure(identifier)
      // Behind the JFIF header, where readers look for it.
      let place = position(after: 0xE0, in: jpeg)
      patched = jpeg
      patched?.insert(contentsOf: segment(payload), at: place)
    }
    guard let patched, self.identifier(of: patched) == identifier else { return false }
    jpeg = patched
    return true
  }

  /// The content identifier of a JPEG.
  private static func identifier(of jpeg: [UInt8]) -> String? {
    guard let range = exifPayload(jpeg),
      let tiff = TIFFStructure(
        Array(jpeg[(range.lowerBound + JPEGSegment.exifPrefixCount)..<range.upperBound])),
      let note = note(in: tiff)
    else { return nil }
    return AppleMakerNote(tiff.bytes[note])?.contentIdentifier
  }

  private static func segment(_ payload: [UInt8]) -> [UInt8] {
    let count = payload.count + 2
    return [0xFF, 0xE1, UInt8(count >> 8), UInt8(count & 255)] + payload
  }

  // MARK: Finding

  /// The segments in front of the picture: marker and payload.
  private static func segments(_ jpeg: [UInt8]) -> [(marker: UInt8, payload: Range<Int>)] {
    var found: [(UInt8, Range<Int>)] = []
    var position = 2
    while position + 4 <= jpeg.count, jpeg[position] == 0xFF,
      (0xE0...0xEF).contains(jpeg[position + 1]) || jpeg[position + 1] == 0xFE
    {
      let count = Int(jpeg[position + 2]) << 8 | Int(jpeg[position + 3])
      guard count >= 2, position + 2 + count <= jpeg.count else { break }
      found.append((jpeg[position + 1], (position + 4)..<(position + 2 + count)))
      position += 2 + count
    }
    return found
  }

  private static func exifPayload(_ jpeg: [UInt8]) -> Range<Int>? {
    segments(jpeg).first { marker, payload in
      JPEGSegment(marker: marker, payload: Array(jpeg[payload].prefix(8))).kind == .exif
    }?.payload
  }

  private static func position(after marker: UInt8, in jpeg: [UInt8]) -> Int {
    guard let first = segments(jpeg).first, first.marker == marker else { return 2 }
    return first.payload.upperBound
  }

  private static func note(in tiff: TIFFStructure) -> Range<Int>? {
    tiff.directory(pointedToBy: ExifTag.exifDirectory, in: tiff.main)?.entry(makerNote)?.value
  }

  // MARK: Writing

  private static func overwrite(_ identifier: String, in tiff: inout TIFFStructure) -> Bool {
    guard let note = note(in: tiff),
      let old = AppleMakerNote(tiff.bytes[note])?.contentIdentifier,
      old.utf8.count == identifier.utf8.count,
      let offset = Array(tiff.bytes[note]).firstOffset(of: Array(old.utf8) + [0])
    else { return false }
    let start = note.lowerBound + offset
    tiff.bytes.replaceSubrange(start..<(start + old.utf8.count), with: identifier.utf8)
    return true
  }

  private static func addNote(_ identifier: String, to tiff: inout TIFFStructure) -> Bool {
    guard let main = tiff.main, note(in: tiff) == nil else { return false }
    let limit = JPEGSegment.maximumPayloadCount - JPEGSegment.exifPrefixCount
    let bytes = noteBytes(identifier)
    guard let place = tiff.append(bytes, limit: limit) else { return false }
    let entry = TIFFStructure.NewEntry(
      tag: makerNote, type: 7, count: bytes.count, field: tiff.long(place))
    if let link = main.entry(ExifTag.exifDirectory) {
      guard let exif = tiff.directory(pointedToBy: ExifTag.exifDirectory, in: main),
        let grown = tiff.grow(exif, by: [entry], limit: limit)
      else { return false }
      tiff.bytes.store32(grown, at: link.position + 8, tiff.order)
      return true
    }
    let directory = tiff.short(1) + row(entry, tiff) + tiff.long(0)
    guard let exif = tiff.append(directory, limit: limit) else { return false }
    let pointer = TIFFStructure.NewEntry(
      tag: ExifTag.exifDirectory, type: 4, count: 1, field: tiff.long(exif))
    guard let grown = tiff.grow(main, by: [pointer], limit: limit) else { return false }
    tiff.bytes.store32(grown, at: 4, tiff.order)
    return true
  }

  private static func row(_ entry: TIFFStructure.NewEntry, _ tiff: TIFFStructure) -> [UInt8] {
    tiff.short(entry.tag) + tiff.short(entry.type) + tiff.long(entry.count) + entry.field
  }

  /// A note of Apple's form that holds the identifier alone; big-endian, offsets from its beginning.
  private static func noteBytes(_ identifier: String) -> [UInt8] {
    let text = Array(identifier.utf8) + [0]
    // Behind the header of 14 bytes: a directory of one entry, its link, then the text.
    let offset = 14 + 2 + 12 + 4
    return Array("Apple iOS\0".utf8) + [0, 1] + Array("MM".utf8) + [0, 1]
      + [0, 0x11, 0, 2, 0, 0, 0, UInt8(text.count), 0, 0, 0, UInt8(offset)] + [0, 0, 0, 0] + text
  }

  /// A whole structure that says nothing but the identifier.
  private static func structure(_ identifier: String) -> [UInt8] {
    let note = noteBytes(identifier)
    let header: [UInt8] = Array("MM".utf8) + [0, 42, 0, 0, 0, 8]
    let main: [UInt8] = [0, 1, 0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0]
    let exif: [UInt8] =
      [0, 1, 0x92, 0x7C, 0, 7, 0, 0, 0, UInt8(note.count), 0, 0, 0, 44, 0, 0, 0, 0]
    return header + main + exif + note
  }
}
