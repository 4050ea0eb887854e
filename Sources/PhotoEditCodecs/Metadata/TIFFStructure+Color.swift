// SPDX-License-Identifier: Apache-2.0

extension TIFFStructure {
  /// Whether a camera says that the picture is Adobe RGB.
  ///
  /// The standard has ColorSpace "uncalibrated" with the interoperability index "R03"; some write
  /// ColorSpace 2 instead.
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
