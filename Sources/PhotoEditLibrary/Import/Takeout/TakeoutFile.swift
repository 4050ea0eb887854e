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
    if let seconds = text.flatMap({ Double($0) }), seconds != 0 {
      metadata.date = CaptureDate(stated: seconds)
      metadata.hasImpossibleDate = metadata.date == nil
    }
    // The first is the location that the person may have corrected.
    for key in ["geoData", "geoDataExif"] where metadata.latitude == nil {
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

/// The JSON files of a Takeout folder, for finding the one that describes a photo.
struct TakeoutIndex {
  enum Match: Hashable {
    case none
    case found(String)
    /// Several files could describe the photo.
    case ambiguous([String])
  }

  /// The files by lower-case name without ".json"; Swift compares the composed and the decomposed
  /// form of a name as equal.
  private var files: [String: [(path: String, file: TakeoutFile)]] = [:]

  init(_ files: [(path: String, file: TakeoutFile)]) {
    for (path, file) in files where file.album == nil {
      self.files[Self.name(of: path).lowercased(), default: []].append((path, file))
    }
  }

  private static func name(of path: String) -> String {
    FileSystem.splitName(FileSystem.lastName(of: path)).stem
  }

  func match(_ photo: String) -> Match {
    for names in TakeoutNames.candidates(for: photo) {
      let match = match(photo, names) { TakeoutNames.verify(title: $0.title, photo: photo) }
      if match != .none { return match }
    }
    // The title of a photo may have been changed since, but its complete name is unique.
    return match(photo, TakeoutNames.completeNames(for: photo)) { _ in true }
  }

  private func match(
    _ photo: String, _ names: [String], _ isIncluded: (TakeoutFile) -> Bool
  ) -> Match {
    var seen: Set<PathKey> = []
    let all = names.flatMap { files[$0.lowercased()] ?? [] }.filter {
      seen.insert(PathKey($0.path)).inserted && isIncluded($0.file)
    }
    // A name in the same case, or in the same Unicode form, precedes others.
    let exact = Set(names.map { PathKey($0) })
    let found = all.narrowed { exact.contains(PathKey(Self.name(of: $0.path))) }
    guard let first = found.first else { return .none }
    if found.allSatisfy({ $0.file == first.file }) { return .found(first.path) }
    let named = found.filter { TakeoutNames.matches(title: $0.file.title, photo: photo) }
    return named.count == 1 ? .found(named[0].path) : .ambiguous(found.map(\.path))
  }
}

extension Array {
  /// The elements that fit; all of them if none fits.
  func narrowed(_ isFitting: (Element) -> Bool) -> [Element] {
    let fitting = filter(isFitting)
    return fitting.isEmpty ? self : fitting
  }
}
