// SPDX-License-Identifier: Apache-2.0

/// A mutable in-memory TIFF structure, as used by EXIF.
typealias TIFFStructure = TIFFReader<[UInt8]>

extension TIFFStructure {
  /// The directory after the first, which describes the thumbnail.
  var thumbnail: Directory? { main.flatMap { directory(at: $0.next) } }

  /// Returns the value of an ASCII or UTF-8 entry, safe to display; nil if absent.
  func text(_ entry: Entry) -> String? {
    guard let value = entry.value, entry.type == 2 || entry.type == 129 else { return nil }
    return MetadataText.clean(MetadataText.utf8(bytes[value].prefix(8000)))
  }
}

extension TIFFEntry {
  /// Indicates whether the value is stored outside the entry, because it exceeds the last four of
  /// its twelve bytes.
  var isOutOfLine: Bool { value.map { $0.lowerBound != position + 8 } ?? false }
}

extension TIFFStructure {
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
}
