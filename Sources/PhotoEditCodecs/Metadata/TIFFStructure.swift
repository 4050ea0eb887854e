// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// A mutable in-memory TIFF structure, as used by EXIF.
typealias TIFFStructure = TIFFReader<[UInt8]>

extension TIFFStructure {
  /// The directory after the first, which describes the thumbnail.
  var thumbnail: Directory? { main.flatMap { directory(at: $0.next) } }

  /// Returns the value of an ASCII or UTF-8 entry, safe to display; nil if absent.
  func text(
    _ entry: Entry, _ clean: (String) -> String? = MetadataText.clean
  ) -> String? {
    guard let value = entry.value, entry.type == 2 || entry.type == 129 else { return nil }
    return clean(String(untilZero: bytes[value].prefix(MetadataText.maximumLength)))
  }

  /// Indicates whether the metadata declares the image as Adobe RGB.
  ///
  /// The standard specifies ColorSpace "uncalibrated" with the interoperability index "R03"; some
  /// cameras write ColorSpace 2 instead.
  ///
  /// - Source: CIPA DC-008 (Exif 2.32), 4.6.5 and 4.6.8; CIPA DC-010, 3.
  var statesAdobeRGB: Bool {
    let exif = directory(pointedToBy: ExifTag.exifDirectory, in: main)
    let colorSpace = exif?.entry(ExifTag.colorSpace).flatMap { integer($0) }
    if colorSpace == 2 { return true }
    let interoperability =
      directory(pointedToBy: ExifTag.interoperabilityDirectory, in: exif)
      ?? directory(pointedToBy: ExifTag.interoperabilityDirectory, in: main)
    let index = interoperability?.entry(ExifTag.interoperabilityIndex).flatMap { text($0) }
    return index == "R03" && colorSpace != 1
  }

  /// A new directory entry.
  struct NewEntry {
    let tag: Int
    let type: Int
    let count: Int
    /// The value itself or its offset.
    let field: [UInt8]
  }

  /// Returns two bytes in the byte order of the structure.
  func short(_ value: Int) -> [UInt8] {
    var bytes: [UInt8] = [0, 0]
    bytes.store16(value, at: 0, order)
    return bytes
  }

  /// Returns four bytes in the byte order of the structure.
  func long(_ value: Int) -> [UInt8] {
    var bytes: [UInt8] = [0, 0, 0, 0]
    bytes.store32(value, at: 0, order)
    return bytes
  }

  /// Appends bytes at an even offset and returns it; nil if the structure would exceed the limit.
  mutating func append(_ block: [UInt8], limit: Int) -> Int? {
    let start = (bytes.count + 1) & ~1
    guard start <= limit, block.count <= limit - start else { return nil }
    if start > bytes.count { bytes.append(0) }
    bytes += block
    return start
  }

  /// Points an entry to a value stored elsewhere, by default a text.
  mutating func point(_ entry: Entry, to offset: Int, type: Int = 2, count: Int) {
    bytes.store16(type, at: entry.position + 2, order)
    bytes.store32(count, at: entry.position + 4, order)
    bytes.store32(offset, at: entry.position + 8, order)
  }

  /// Appends a copy of a directory with additional entries; returns its offset.
  ///
  /// The copy is sorted by tag if the directory was. The caller must update the pointer to it.
  mutating func grow(_ directory: Directory, by new: [NewEntry], limit: Int) -> Int? {
    guard directory.linkPosition != nil, directory.entries.count + new.count <= 0xFFFF else {
      return nil
    }
    var rows = directory.entries.map {
      (tag: $0.tag, bytes: bytes[$0.position..<($0.position + 12)])
    }
    for entry in new {
      let row = short(entry.tag) + short(entry.type) + long(entry.count) + entry.field
      let index = rows.firstIndex { $0.tag > entry.tag } ?? rows.count
      rows.insert((entry.tag, row[...]), at: index)
    }
    let block = short(rows.count) + rows.flatMap(\.bytes) + long(directory.next)
    return append(block, limit: limit)
  }

  /// Removes all entries with some tags from a directory; the entries after them move up.
  ///
  /// Returns the removed entries with the ranges of their values.
  mutating func remove(_ tags: Set<Int>, from directory: Directory) -> [Entry] {
    let removed = directory.entries.filter { tags.contains($0.tag) }
    guard !removed.isEmpty else { return [] }
    guard directory.linkPosition != nil else {
      // The end of a truncated directory is unknown, so that no entries may be moved.
      for entry in removed {
        for position in entry.position..<(entry.position + 12) { bytes[position] = 0 }
      }
      return removed
    }
    let remaining = directory.entries.filter { !tags.contains($0.tag) }
    let block =
      short(remaining.count) + remaining.flatMap { bytes[$0.position..<($0.position + 12)] }
      + long(directory.next)
    let blank = [UInt8](repeating: 0, count: directory.range.count - block.count)
    bytes.replaceSubrange(directory.range, with: block + blank)
    return removed
  }

  /// The value of the Orientation tag of the first directory.
  var exifOrientation: ExifOrientation {
    guard let entry = main?.entry(ExifTag.orientation) else { return .absent }
    guard entry.type == 3 || entry.type == 4, let value = integer(entry) else {
      return .invalid("of type \(entry.type) with \(entry.count) values")
    }
    return Orientation(rawValue: value).map { .valid($0) } ?? .invalid("\(value)")
  }
}

extension TIFFEntry {
  /// Indicates whether the value is stored outside the entry, because it exceeds the last four of
  /// its twelve bytes.
  var isOutOfLine: Bool { value.map { $0.lowerBound != position + 8 } ?? false }
}

/// The value of the Orientation tag of an EXIF structure.
enum ExifOrientation: Hashable {
  case absent
  case valid(Orientation)
  /// A number outside 1 to 8, or a value that is not a number.
  case invalid(String)

  /// Indicates whether readers show the image as stored.
  var isUp: Bool { self == .absent || self == .valid(.up) }
}
