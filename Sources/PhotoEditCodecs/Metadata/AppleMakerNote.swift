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
