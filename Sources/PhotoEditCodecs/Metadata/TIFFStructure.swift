// SPDX-License-Identifier: Apache-2.0

/// A TIFF structure in memory, as EXIF uses it, that can be changed.
typealias TIFFStructure = TIFFReader<[UInt8]>

extension TIFFStructure {
  /// The directory behind the first, which describes the thumbnail.
  var thumbnail: Directory? { main.flatMap { directory(at: $0.next) } }

  /// The value of an ASCII or UTF-8 entry, safe to show; nil when there is none.
  func text(_ entry: Entry) -> String? {
    guard let value = entry.value, entry.type == 2 || entry.type == 129 else { return nil }
    return MetadataText.clean(MetadataText.utf8(bytes[value].prefix(8000)))
  }
}

extension TIFFEntry {
  /// Whether the value is too large for the entry itself, whose last four of twelve bytes it has.
  var isOutOfLine: Bool { value.map { $0.lowerBound != position + 8 } ?? false }
}
