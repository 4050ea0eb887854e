// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// The value of the Orientation tag of an EXIF structure.
enum ExifOrientation: Hashable {
  case absent
  case valid(Orientation)
  /// A number outside 1 to 8, or a value that is not a number.
  case invalid(String)

  /// Indicates whether readers show the image as stored.
  var isUp: Bool { self == .absent || self == .valid(.up) }
}

extension TIFFStructure {
  /// The value of the Orientation tag of the first directory.
  var exifOrientation: ExifOrientation {
    guard let entry = main?.entry(ExifTag.orientation) else { return .absent }
    guard entry.type == 3 || entry.type == 4, let value = integer(entry) else {
      return .invalid("of type \(entry.type) with \(entry.count) values")
    }
    return Orientation(rawValue: value).map { .valid($0) } ?? .invalid("\(value)")
  }
}
