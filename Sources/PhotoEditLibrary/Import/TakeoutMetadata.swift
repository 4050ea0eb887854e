// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditStorage

/// The JSON file that Google Takeout writes next to a photo.
///
/// Its values replace only those that the photo lacks.
enum TakeoutMetadata {
  /// The text between the photo's name and ".json"; truncated after long names.
  private static let supplement = "supplemental-metadata"

  /// Returns the name of the photo that a file with this name describes; nil for any other JSON.
  ///
  /// "IMG_1.jpg.json", "IMG_1.jpg.supplemental-metadata.json" and its truncated forms belong to
  /// "IMG_1.jpg", "IMG_1.jpg(2).json" and "IMG_1.jpg.supplemental-metadata(2).json" to
  /// "IMG_1(2).jpg".
  static func subject(of name: String) -> String? {
    var (stem, ending) = FileSystem.splitName(name)
    guard ending.lowercased() == "json" else { return nil }
    var number = ""
    if stem.hasSuffix(")"), let open = stem.lastIndex(of: "(") {
      let digits = stem[stem.index(after: open)...].dropLast()
      if !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }) {
        number = String(stem[open...])
        stem = String(stem[..<open])
      }
    }
    let (inner, last) = FileSystem.splitName(stem)
    if supplement.hasPrefix(last), FileContent.family(ofExtension: last) == nil { stem = inner }
    let (photo, kind) = FileSystem.splitName(stem)
    switch FileContent.family(ofExtension: kind) {
    case nil, .record, .sidecar: return nil
    default: return photo + number + "." + kind
    }
  }

  /// Returns whether a file is a Takeout file about a photo.
  static func isTakeout(_ path: String) -> Bool {
    guard subject(of: FileSystem.lastName(of: path)) != nil,
      let bytes = try? FileBytes.reading(path, maximumBytes: SidecarMetadata.maximumBytes)
    else { return false }
    return reading(bytes.array) != nil
  }

  /// Reads a file; returns nil if it is not a Takeout file about a photo.
  static func reading(_ bytes: [UInt8]) -> SidecarMetadata? {
    guard bytes.count <= SidecarMetadata.maximumBytes, let json = try? JSONValue(parsing: bytes),
      let taken = json["photoTakenTime"]?["timestamp"]
    else { return nil }
    var metadata = SidecarMetadata()
    metadata.isFallback = true
    let text = taken.stringValue ?? taken.integerValue.map { String($0) }
    if let seconds = text.flatMap({ Int($0) }), abs(seconds) < 1 << 40 {
      metadata.date = CaptureDate(seconds: Double(seconds))
    }
    for key in ["geoDataExif", "geoData"] where metadata.latitude == nil {
      guard let latitude = json[key]?["latitude"]?.numberValue,
        let longitude = json[key]?["longitude"]?.numberValue,
        // Zero for both means no location.
        latitude != 0 || longitude != 0
      else { continue }
      (metadata.latitude, metadata.longitude) = (latitude, longitude)
      metadata.altitude = json[key]?["altitude"]?.numberValue
    }
    metadata.caption = json["description"]?.stringValue.flatMap { SidecarMetadata.text($0) }
    if json["favorited"]?.boolValue == true { metadata.isFavorite = true }
    if json["archived"]?.boolValue == true { metadata.isHidden = true }
    return metadata
  }
}
