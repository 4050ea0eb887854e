// SPDX-License-Identifier: Apache-2.0

/// The tags this module knows by name.
///
/// - Source: CIPA DC-008 (Exif 2.32), tables 3 to 9; CIPA DC-007 for the Multi-Picture index.
enum ExifTag {
  static let imageWidth = 0x0100
  static let imageLength = 0x0101
  static let imageDescription = 0x010E
  static let artist = 0x013B
  static let copyright = 0x8298
  static let makerNote = 0x927C
  static let make = 0x010F
  static let model = 0x0110
  static let stripOffsets = 0x0111
  static let orientation = 0x0112
  static let stripByteCounts = 0x0117
  static let software = 0x0131
  static let modifyDate = 0x0132
  static let thumbnailOffset = 0x0201
  static let thumbnailByteCount = 0x0202
  static let exposureTime = 0x829A
  static let fNumber = 0x829D
  static let exifDirectory = 0x8769
  static let gpsDirectory = 0x8825
  static let isoSpeed = 0x8827
  static let dateTimeOriginal = 0x9003
  static let offsetTime = 0x9010
  static let offsetTimeOriginal = 0x9011
  static let focalLength = 0x920A
  static let subSecTime = 0x9290
  static let pixelXDimension = 0xA002
  static let pixelYDimension = 0xA003
  static let interoperabilityDirectory = 0xA005
  static let lensModel = 0xA434
  static let numberOfPictures = 0xB001

  static let gpsLatitudeReference = 1
  static let gpsLatitude = 2
  static let gpsLongitudeReference = 3
  static let gpsLongitude = 4
}
