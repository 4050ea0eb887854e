// SPDX-License-Identifier: Apache-2.0

/// The EXIF tags that this module uses.
///
/// - Source: CIPA DC-008 (Exif 2.32), tables 3 to 9; CIPA DC-007 for the Multi-Picture index.
enum ExifTag {
  static let imageWidth = 0x0100
  static let imageLength = 0x0101
  static let imageDescription = 0x010E
  static let artist = 0x013B
  static let copyright = 0x8298
  static let makerNote = 0x927C
  static let rating = 0x4746
  static let ratingPercent = 0x4749
  static let windowsTitle = 0x9C9B
  static let windowsComment = 0x9C9C
  static let windowsKeywords = 0x9C9E
  static let windowsSubject = 0x9C9F
  static let subjectArea = 0x9214
  static let subjectLocation = 0xA214
  static let focalPlaneXResolution = 0xA20E
  static let focalPlaneYResolution = 0xA20F
  static let bitsPerSample = 0x0102
  static let compression = 0x0103
  static let photometricInterpretation = 0x0106
  static let samplesPerPixel = 0x0115
  static let planarConfiguration = 0x011C
  static let make = 0x010F
  static let model = 0x0110
  static let stripOffsets = 0x0111
  static let orientation = 0x0112
  static let stripByteCounts = 0x0117
  static let tileOffsets = 0x0144
  static let tileByteCounts = 0x0145
  static let subdirectories = 0x014A
  static let xResolution = 0x011A
  static let yResolution = 0x011B
  static let resolutionUnit = 0x0128
  static let software = 0x0131
  static let modifyDate = 0x0132
  static let thumbnailOffset = 0x0201
  static let thumbnailByteCount = 0x0202
  static let chromaSubsampling = 0x0212
  static let chromaPositioning = 0x0213
  static let exposureTime = 0x829A
  static let fNumber = 0x829D
  static let exifDirectory = 0x8769
  static let gpsDirectory = 0x8825
  static let isoSpeed = 0x8827
  static let exifVersion = 0x9000
  static let dateTimeOriginal = 0x9003
  static let dateTimeDigitized = 0x9004
  static let offsetTime = 0x9010
  static let offsetTimeOriginal = 0x9011
  static let offsetTimeDigitized = 0x9012
  static let focalLength = 0x920A
  static let userComment = 0x9286
  static let subSecTime = 0x9290
  static let subSecTimeOriginal = 0x9291
  static let subSecTimeDigitized = 0x9292
  static let colorSpace = 0xA001
  static let pixelXDimension = 0xA002
  static let pixelYDimension = 0xA003
  static let interoperabilityDirectory = 0xA005
  static let customRendered = 0xA401
  static let lensModel = 0xA434
  static let gamma = 0xA500
  static let componentsConfiguration = 0x9101
  static let compressedBitsPerPixel = 0x9102
  static let numberOfImages = 0xB001

  static let gpsVersion = 0
  static let gpsLatitudeReference = 1
  static let gpsLatitude = 2
  static let gpsLongitudeReference = 3
  static let gpsLongitude = 4
  static let gpsAltitudeReference = 5
  static let gpsAltitude = 6
  static let gpsTimeStamp = 7
  static let gpsDateStamp = 29

  static let interoperabilityIndex = 1
  static let relatedImageWidth = 0x1001
  static let relatedImageLength = 0x1002

  /// The texts of Windows.
  static let ofWindows: Set<Int> = [
    windowsTitle, windowsComment, windowsKeywords, windowsSubject,
  ]
  /// The position of the subject in the image.
  static let ofSubject: Set<Int> = [subjectArea, subjectLocation]
  /// Tags that identify a device or file: MakerNote, serial numbers, owner, host, identifiers,
  /// private data, and directories that belong to them.
  static let ofDevice: Set<Int> = [
    0x013C, 0x014A, 0x927C, 0xA420, 0xA430, 0xA431, 0xA435, 0xC62F, 0xC634, 0xC65D, 0xC68B,
  ]
  /// The geographic position of a map, as in GeoTIFF.
  static let ofLocation: Set<Int> = [0x830E, 0x8482, 0x85D8, 0x87AF, 0x87B0, 0x87B1]
  /// The position of a map in the image, as in GeoTIFF.
  static let ofMapPosition: Set<Int> = [0x830E, 0x8482, 0x85D8]
  /// XMP, IPTC and Photoshop resources, which a JPEG stores in segments of their own.
  static let ofCopies: Set<Int> = [0x02BC, 0x83BB, 0x8649]
  /// Dates of the image, their offsets and their fractions.
  static let ofDates: Set<Int> = [
    0x0132, 0x882A, 0x9003, 0x9004, 0x9010, 0x9011, 0x9012, 0x9290, 0x9291, 0x9292, 0xC71B,
  ]
}
