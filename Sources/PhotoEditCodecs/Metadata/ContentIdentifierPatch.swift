// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// Writes the content identifier of a Live Photo's video to its still image.
///
/// An identifier of the same length is overwritten in place. A still image without a maker note
/// gets one that contains only the identifier. A note of another maker cannot hold it; then it
/// becomes an XMP property, which is used if no note has an identifier.
package enum ContentIdentifierPatch {

  /// The name of the XMP property.
  static let property = "ContentIdentifier"

  /// Returns whether a string is a valid identifier: printable ASCII, at most 128 bytes.
  static func isIdentifier(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count) && text.utf8.allSatisfy { (33...126).contains($0) }
  }

  /// Writes an identifier into a JPEG.
  ///
  /// - Parameter identifier: ASCII, at most 128 bytes.
  /// - Returns: Whether the file now contains the identifier; if that is impossible, the file is
  ///   unchanged.
  package static func write(_ identifier: String, into jpeg: inout [UInt8]) -> Bool {
    guard isIdentifier(identifier), var head = JPEGHeaderSegments(jpeg) else { return false }
    if !writeNote(identifier, to: &head) {
      let values = [(name: property, value: identifier)]
      guard head.describe(XMPPacket.Addition(namespace: .livePhoto, values: values)) else {
        return false
      }
    }
    // A note with a different identifier would take precedence.
    let metadata = try? ImageMetadata.read(jpeg: FileBytes(head.file))
    guard metadata?.captureFacts(of: .jpeg).contentIdentifier == identifier else { return false }
    jpeg = head.file
    return true
  }

  private static func writeNote(_ identifier: String, to head: inout JPEGHeaderSegments) -> Bool {
    guard let range = head.payload(.exif) else {
      return head.insert(Array("Exif\0\0".utf8) + structure(identifier))
    }
    let prefix = JPEGSegment.exifPrefixCount
    let bytes = head.file[range]
    guard var tiff = TIFFStructure(exif: Array(bytes.dropFirst(prefix))),
      overwrite(identifier, in: &tiff) || addNote(identifier, to: &tiff)
    else { return false }
    return head.replace(range, with: bytes.prefix(prefix) + tiff.bytes)
  }

  // MARK: Finding

  private static func note(in tiff: TIFFStructure) -> Range<Int>? {
    tiff.directory(pointedToBy: ExifTag.exifDirectory, in: tiff.main)?.entry(ExifTag.makerNote)?
      .value
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
    let bytes = noteBytes(identifier)
    guard tiff.main != nil, note(in: tiff) == nil,
      let offset = tiff.append(bytes, limit: ExifPatch.limit)
    else { return false }
    let entry = TIFFStructure.NewEntry(
      tag: ExifTag.makerNote, type: 7, count: bytes.count, field: tiff.long(offset))
    return tiff.put([entry], removing: [], in: ExifTag.exifDirectory)
  }

  /// Returns a note in Apple's form that holds only the identifier; big-endian, offsets from its
  /// beginning.
  private static func noteBytes(_ identifier: String) -> [UInt8] {
    let text = Array(identifier.utf8) + [0]
    // After the 14-byte header: a directory of one entry, its link, then a text of over four bytes.
    let offset: [UInt8] = [0, 0, 0, 14 + 2 + 12 + 4]
    let short = text + [UInt8](repeating: 0, count: max(0, 4 - text.count))
    return Array("Apple iOS\0".utf8) + [0, 1] + Array("MM".utf8) + [0, 1]
      + [0, 0x11, 0, 2, 0, 0, 0, UInt8(text.count)] + (text.count > 4 ? offset : short)
      + [0, 0, 0, 0] + (text.count > 4 ? text : [])
  }

  /// Returns a complete structure that holds only the identifier.
  private static func structure(_ identifier: String) -> [UInt8] {
    let note = noteBytes(identifier)
    let header: [UInt8] = Array("MM".utf8) + [0, 42, 0, 0, 0, 8]
    let main: [UInt8] = [0, 1, 0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0]
    let exif: [UInt8] =
      [0, 1, 0x92, 0x7C, 0, 7, 0, 0, 0, UInt8(note.count), 0, 0, 0, 44, 0, 0, 0, 0]
    return header + main + exif + note
  }
}
