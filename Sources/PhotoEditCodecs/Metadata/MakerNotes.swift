// SPDX-License-Identifier: Apache-2.0

/// The fields of an Apple camera's maker note that a photo library can use.
///
/// The note begins with "Apple iOS" and a version. A directory in the EXIF layout follows at byte
/// 14; its offsets count from the beginning of the note.
///
/// - Source: the tag names of ExifTool (Image::ExifTool::Apple).
package struct AppleMakerNote: Hashable, Sendable {
  /// Shared by all photos of a burst.
  package private(set) var burstIdentifier: String?
  /// Shared by the still image and the video of a Live Photo.
  package private(set) var contentIdentifier: String?
  /// Indicates whether the camera merged several exposures.
  package private(set) var isHighDynamicRange = false

  private enum Tag {
    static let highDynamicRange = 0x000A
    static let burst = 0x000B
    static let content = 0x0011
  }

  /// The offset of the directory in a note.
  private static let directory = 14

  /// Reads a note; nil if it is from another maker.
  init?(_ note: ArraySlice<UInt8>) {
    guard note.starts(with: Array("Apple iOS\0".utf8)), note.count > Self.directory + 2 else {
      return nil
    }
    var bytes = Array(note)
    guard let order = Self.order(bytes[12..<14]) else { return nil }
    // Offsets count from here, so the note is a TIFF structure with a different header.
    bytes.replaceSubrange(0..<2, with: bytes[12..<14])
    bytes.store16(42, at: 2, order)
    guard let structure = TIFFStructure(exif: bytes),
      let directory = structure.directory(at: Self.directory)
    else { return nil }
    func text(_ tag: Int) -> String? {
      directory.entry(tag).flatMap { structure.text($0) }.flatMap {
        $0.utf8.count <= 128 ? $0 : nil
      }
    }
    burstIdentifier = text(Tag.burst)
    contentIdentifier = text(Tag.content)
    if let entry = directory.entry(Tag.highDynamicRange), entry.type == 9, entry.count == 1,
      let value = entry.value
    {
      isHighDynamicRange = structure.bytes.unsigned32(at: value.lowerBound, order) == 3
    }
  }

  private static func order(_ mark: ArraySlice<UInt8>) -> ByteOrder? {
    if mark.elementsEqual(Array("MM".utf8)) { return .big }
    return mark.elementsEqual(Array("II".utf8)) ? .little : nil
  }
}

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
