// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditContainers
import PhotoEditFilters
import PhotoEditStorage

/// A JSON file that Google Takeout writes about a photo or about an album.
struct TakeoutFile: Hashable, Sendable {
  /// The original name of the photo, which is never truncated; empty if not stated.
  var title = ""
  /// The properties of the photo.
  var metadata = SidecarMetadata()
  var isTrashed = false
  /// Indicates whether the photo was in the Locked Folder; it is hidden.
  var isLocked = false
  /// The title of the album, possibly empty; nil for a file about a photo.
  var album: String?
  /// Indicates whether only other files of the folder show that it is a Takeout file.
  var needsOthers = false
  /// The reason why the file cannot be read; the photo has no description then.
  var damage: String?

  /// The format identifier of an edit made in Google Photos, whose adjustments are not exported.
  static let editor = "com.google.photos"

  /// Reads a file; returns nil if it is not a Takeout file.
  ///
  /// The content is decisive: the file of an album has a localized name, a date, and no time at
  /// which a photo was taken.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= SidecarMetadata.maximumBytes, let json = try? Self.json(bytes) else {
      return nil
    }
    self.init(json)
    if needsOthers { return nil }
  }

  /// Parses JSON, possibly with a byte order mark or in another encoding, as an editor may have
  /// saved it.
  private static func json(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let bytes = MetadataText.utf8File(bytes)
    return try JSONValue(parsing: bytes.starts(with: mark) ? Array(bytes.dropFirst(3)) : bytes)
  }

  private init?(_ json: JSONValue) {
    let entry = json["albumData"] ?? json["albumdata"] ?? json
    title = entry["title"]?.stringValue ?? ""
    guard let taken = entry["photoTakenTime"]?["timestamp"] else {
      guard entry["title"]?.stringValue != nil else { return nil }
      needsOthers =
        entry["date"]?["timestamp"] == nil
        && !["enrichments", "sharedAlbumComments"].contains { entry[$0]?.arrayValue != nil }
      // Some albums have only a title; so have other files, such as those of photos without a date.
      if needsOthers {
        let isOfPhoto = ["creationTime", "url", "imageViews"].contains { entry[$0] != nil }
        guard !isOfPhoto, !Self.isPhoto(title) else { return nil }
      }
      album = SidecarMetadata.text(title) ?? ""
      return
    }
    metadata.provenance = .description
    let text = taken.stringValue ?? taken.integerValue.map { String($0) }
    if let seconds = text.flatMap({ Double($0) }) {
      let date = CaptureDate(stated: seconds)
      // The zero of a clock means no date.
      metadata.date = date?.isClockZero == true ? nil : date
      metadata.hasImpossibleDate = date == nil
    }
    // The first is the location that the person may have corrected, the second that of the photo.
    let stated = ["geoData", "geoDataExif"].compactMap { entry[$0].flatMap { Place($0) } }
    if let place = stated.first {
      (metadata.latitude, metadata.longitude) = (place.latitude, place.longitude)
      metadata.altitude = place.altitude
      metadata.hasCorrectedLocation = stated.contains { !$0.isNear(place) }
    }
    metadata[.caption] = entry["description"]?.stringValue.flatMap(MetadataName.caption.clean)
    if entry["favorited"]?.boolValue == true { metadata.isFavorite = true }
    isLocked = entry["inLockedFolder"]?.boolValue == true
    if isLocked || entry["archived"]?.boolValue == true { metadata.isHidden = true }
    metadata.tags.people = PhotoTags.names(
      entry["people"]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? [])
    isTrashed = entry["trashed"]?.boolValue == true
  }

  /// A location in the file.
  private struct Place {
    let latitude: Double
    let longitude: Double
    let altitude: Double?

    /// Reads a location; zero for both coordinates means none.
    init?(_ json: JSONValue) {
      guard let latitude = json["latitude"]?.numberValue,
        let longitude = json["longitude"]?.numberValue, abs(latitude) <= 90,
        abs(longitude) <= 180, latitude != 0 || longitude != 0
      else { return nil }
      (self.latitude, self.longitude) = (latitude, longitude)
      altitude = json["altitude"]?.numberValue
    }

    /// Returns whether both are the same point, apart from rounding.
    func isNear(_ other: Place) -> Bool {
      Float(latitude) == Float(other.latitude) && Float(longitude) == Float(other.longitude)
    }
  }

  private init(damage: String, needsOthers: Bool) {
    (self.damage, self.needsOthers) = (damage, needsOthers)
  }

  /// Reads the file at a path; returns nil if it is not a Takeout file.
  static func reading(_ path: String) -> TakeoutFile? {
    let name = FileSystem.splitName(FileSystem.lastName(of: path))
    guard name.fileExtension.lowercased() == "json" else { return nil }
    // "IMG_1.jpg.supplemental-metadata(1)" is named after a photo.
    let photo = TakeoutNames.describedName(name.stem)
    let isNamed = isPhoto(photo)
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileBytes.reading(path, maximumBytes: SidecarMetadata.maximumBytes).array
    } catch {
      // The file of an album has a name in the language of the account.
      return TakeoutFile(damage: error.reason, needsOthers: true)
    }
    do throws(JSONError) {
      let value = try json(bytes)
      if let file = TakeoutFile(value) { return file }
      guard value.isEmpty else { return nil }
      // Other programs write IMG_1.jpg.json, but none writes a supplement.
      let isSupplement = isNamed && photo != TakeoutNames.splitNumber(name.stem).stem
      return TakeoutFile(damage: "it states nothing", needsOthers: !isSupplement)
    } catch {
      let isOfPhoto = String(decoding: bytes, as: UTF8.self).contains("\"photoTakenTime\"")
      return TakeoutFile(
        damage: bytes.allSatisfy { $0 == 0 } ? "it consists of zeros" : "\(error)",
        needsOthers: !isOfPhoto && !isNamed)
    }
  }

  /// Returns whether a name is that of a photo or video.
  private static func isPhoto(_ name: String) -> Bool {
    switch FileContent.family(ofExtension: FileSystem.splitName(name).fileExtension) {
    case nil, .record, .sidecar: false
    default: true
    }
  }
}

extension JSONValue {
  /// Indicates whether it is neither a list nor an object with values.
  fileprivate var isEmpty: Bool { arrayValue?.isEmpty ?? objectValue?.isEmpty ?? true }
}

extension LibraryError {
  static func damagedDescription(_ path: String, _ reason: String) -> LibraryError {
    LibraryError(
      .invalidResource, path: path,
      "the JSON file of Google Takeout is damaged: \(reason); its photo or album is imported "
        + "without it",
      hint: "get this part of the export again, and import it")
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
