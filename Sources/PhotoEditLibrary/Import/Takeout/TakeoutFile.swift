// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditStorage

/// A JSON file that Google Takeout writes about a photo or about an album.
struct TakeoutFile: Hashable, Sendable {
  /// The original name of the photo, which is never truncated; empty if not stated.
  var title = ""
  /// The properties of the photo.
  var metadata = SidecarMetadata()
  /// Indicates whether the photo was in the trash of Google Photos.
  var isTrashed = false
  /// The title of the album, possibly empty; nil for a file about a photo.
  var album: String?

  /// The format identifier of an edit made in Google Photos, whose adjustments are not exported.
  static let editor = "com.google.photos"

  /// Reads a file; returns nil if it is not a Takeout file.
  ///
  /// The content is decisive: the file of an album has a localized name, a date, and no time at
  /// which a photo was taken.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= SidecarMetadata.maximumBytes, let json = try? JSONValue(parsing: bytes)
    else { return nil }
    let entry = json["albumData"] ?? json["albumdata"] ?? json
    title = entry["title"]?.stringValue ?? ""
    guard let taken = entry["photoTakenTime"]?["timestamp"] else {
      guard entry["date"]?["timestamp"] != nil || entry["enrichments"]?.arrayValue != nil,
        entry["title"]?.stringValue != nil
      else { return nil }
      album = SidecarMetadata.text(title) ?? ""
      return
    }
    metadata.isFallback = true
    let text = taken.stringValue ?? taken.integerValue.map { String($0) }
    // Zero means no date.
    if let seconds = text.flatMap({ Int($0) }), seconds != 0, abs(seconds) < 1 << 40 {
      metadata.date = CaptureDate(seconds: Double(seconds))
    }
    for key in ["geoDataExif", "geoData"] where metadata.latitude == nil {
      guard let latitude = entry[key]?["latitude"]?.numberValue,
        let longitude = entry[key]?["longitude"]?.numberValue, abs(latitude) <= 90,
        abs(longitude) <= 180,
        // Zero for both means no location.
        latitude != 0 || longitude != 0
      else { continue }
      (metadata.latitude, metadata.longitude) = (latitude, longitude)
      metadata.altitude = entry[key]?["altitude"]?.numberValue
    }
    metadata.caption = entry["description"]?.stringValue.flatMap { SidecarMetadata.caption($0) }
    if entry["favorited"]?.boolValue == true { metadata.isFavorite = true }
    if entry["archived"]?.boolValue == true { metadata.isHidden = true }
    metadata.tags.people = PhotoTags.names(
      entry["people"]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? [])
    isTrashed = entry["trashed"]?.boolValue == true
  }

  /// Reads the file at a path; returns nil if it is not a Takeout file.
  static func reading(_ path: String) -> TakeoutFile? {
    guard FileSystem.splitName(FileSystem.lastName(of: path)).fileExtension.lowercased() == "json",
      let bytes = try? FileBytes.reading(path, maximumBytes: SidecarMetadata.maximumBytes)
    else { return nil }
    return TakeoutFile(bytes.array)
  }
}
