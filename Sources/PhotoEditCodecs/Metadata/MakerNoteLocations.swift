// SPDX-License-Identifier: Apache-2.0

/// The makers whose notes contain locations, as far as publicly known.
///
/// - Source: the tables of ExifTool 12 (Image::ExifTool::Panasonic, Nikon, Samsung, Kodak, FLIR).
enum MakerNoteLocations {
  /// The position of a note's directory and the tags of its location entries.
  private struct Maker {
    var signature: [UInt8]
    var directory: Int
    var tags: Set<Int>
  }

  private static let makers = [
    // Landmark, city, state, country, and names for them.
    Maker(
      signature: Array("Panasonic\0".utf8), directory: 12,
      tags: [0x67, 0x69, 0x6B, 0x6D, 0x6F, 0x80]),
    Maker(
      signature: Array("LEICA\0".utf8), directory: 8,
      tags: [0x67, 0x69, 0x6B, 0x6D, 0x6F, 0x80]),
  ]
  /// The Nikon note is a TIFF structure after ten bytes.
  private static let nikon = (signature: Array("Nikon\0".utf8), start: 10, tags: Set([0x39]))
  /// Samsung's directory starts at the beginning of the note; two entries contain the location.
  private static let samsung: Set<Int> = [0x30, 0x31]
  /// Makers that store locations in proprietary tables.
  private static let unreadable = ["FLIR", "KODAK", "EASTMAN"]

  /// Returns whether a note contains a location, or cannot be read and is from a maker that stores
  /// locations.
  static func occur(in note: ArraySlice<UInt8>, make: String, _ order: ByteOrder) -> Bool {
    let make = make.uppercased()
    if unreadable.contains(where: { make.hasPrefix($0) }) { return true }
    if let maker = makers.first(where: { note.starts(with: $0.signature) }) {
      return containsLocation(maker.tags, tags(in: note, at: maker.directory, order))
    }
    if note.starts(with: nikon.signature) {
      // The oldest notes have no header and no locations.
      guard let structure = TIFFStructure(exif: Array(note.dropFirst(nikon.start))) else {
        return false
      }
      return containsLocation(nikon.tags, structure.main.map { $0.entries.map(\.tag) })
    }
    if make.hasPrefix("SAMSUNG") { return containsLocation(samsung, tags(in: note, at: 0, order)) }
    return false
  }

  private static func containsLocation(_ locationTags: Set<Int>, _ tags: [Int]?) -> Bool {
    tags.map { !locationTags.isDisjoint(with: $0) } ?? true
  }

  /// Returns the tags of the directory at an offset; nil if it is out of bounds.
  private static func tags(
    in note: ArraySlice<UInt8>, at offset: Int, _ order: ByteOrder
  ) -> [Int]? {
    let bytes = Array(note)
    guard let count = bytes.unsigned16(at: offset, order),
      offset + 2 + 12 * count <= bytes.count
    else { return nil }
    return (0..<count).compactMap { bytes.unsigned16(at: offset + 2 + 12 * $0, order) }
  }
}
