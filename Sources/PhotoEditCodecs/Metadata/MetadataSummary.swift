// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// The metadata of general interest: camera, time, exposure, location, caption.
///
/// All texts are free of control characters, so that they can be printed.
public struct MetadataSummary: Hashable, Sendable, Codable {
  /// The camera manufacturer.
  public var make: String?
  /// The camera model.
  public var model: String?
  /// The lens model.
  public var lens: String?
  /// The program that wrote the file.
  public var software: String?
  /// The capture date in the EXIF format: "2024:05:01 12:00:00".
  public var dateTimeOriginal: String?
  /// The offset of that time from UTC: "+02:00".
  public var offsetTimeOriginal: String?
  /// ISO sensitivity.
  public var iso: Int?
  /// Exposure time in seconds.
  public var exposureTime: Double?
  /// F-number.
  public var fNumber: Double?
  /// Focal length in millimeters.
  public var focalLength: Double?
  /// Degrees north, from -90 to 90.
  public var latitude: Double?
  /// Degrees east, from -180 to 180.
  public var longitude: Double?
  /// The title, in its first language.
  public var title: String?
  /// The caption with its lines, in its first language.
  public var caption: String?
  /// The creator of the photo.
  public var creator: String?
  /// The copyright notice.
  public var copyright: String?
  /// The keywords of the photo; at most 1000.
  public var keywords: [String] = []
  /// The city where it was taken.
  public var city: String?
  /// The state or province where it was taken.
  public var state: String?
  /// The country where it was taken.
  public var country: String?
  /// Stars from 0 to 5, or -1 for rejected.
  public var rating: Int?

  /// Creates an empty summary.
  public init() {}

  /// Names and values of the known fields, in display order.
  public var fields: [(name: String, value: String)] {
    let time = dateTimeOriginal.map { $0 + (offsetTimeOriginal.map { " \($0)" } ?? "") }
    var location: String?
    if let latitude, let longitude {
      location = "\(figure(latitude, decimals: 6)), \(figure(longitude, decimals: 6))"
    }
    let all: [(String, String?)] = [
      ("Make", make), ("Model", model), ("Lens", lens), ("Taken", time),
      ("Exposure", exposureTime.map { Self.exposure($0) }),
      ("Aperture", fNumber.map { "f/\(figure($0, decimals: 1))" }),
      ("ISO", iso.map { "\($0)" }),
      ("Focal length", focalLength.map { "\(figure($0, decimals: 2)) mm" }),
      ("Location", location), ("City", city), ("State", state), ("Country", country),
      ("Title", title),
      ("Caption", caption.flatMap { MetadataText.clean($0) }),
      ("Keywords", keywords.isEmpty ? nil : keywords.joined(separator: ", ")),
      ("Creator", creator), ("Copyright", copyright),
      ("Rating", rating.map { "\($0)" }), ("Software", software),
    ]
    return all.compactMap { name, value in value.map { (name: name, value: $0) } }
  }

  /// Returns the manufacturer and the model; models that repeat the manufacturer are returned alone.
  package static func camera(make: String?, model: String?) -> String? {
    guard let make, let model else { return model ?? make }
    let brand = make.split(separator: " ").first.map { $0.lowercased() } ?? ""
    return model.lowercased().hasPrefix(brand) ? model : make + " " + model
  }

  /// Returns an exposure time as cameras show it: "1/250 s".
  package static func exposure(_ seconds: Double) -> String {
    seconds < 0.3 ? "1/\(Int((1 / seconds).rounded())) s" : "\(figure(seconds, decimals: 1)) s"
  }

  /// Reads the fields.
  ///
  /// - Source: Metadata Working Group, "Guidelines for Handling Image Metadata" 2.0, 2010.
  init(_ sources: MetadataSources) {
    if let exif = sources.exif { read(exif) }
    (make, model, lens) = (sources.text(.make), sources.text(.model), sources.text(.lens))
    (title, caption) = (sources.text(.title), sources.text(.caption))
    (creator, copyright) = (sources.text(.creator), sources.text(.copyright))
    (city, state) = (sources.text(.city), sources.text(.state))
    country = sources.text(.country)
    rating = sources.stars
    keywords = sources.keywords
  }

  private mutating func read(_ tiff: TIFFStructure) {
    let main = tiff.main
    let exif = tiff.directory(pointedToBy: ExifTag.exifDirectory, in: main)
    let gps = tiff.directory(pointedToBy: ExifTag.gpsDirectory, in: main)
    func text(_ tag: Int, _ directory: TIFFStructure.Directory?) -> String? {
      directory?.entry(tag).flatMap { tiff.text($0) }
    }
    func entry(_ name: MetadataName) -> TIFFStructure.Entry? {
      name.exif.first.flatMap { exif?.entry($0) }
    }
    func positive(_ entry: TIFFStructure.Entry?) -> Double? {
      entry.flatMap { tiff.fraction($0) }.flatMap {
        (1e-7..<1e7).contains($0) ? $0 : nil
      }
    }
    software = text(ExifTag.software, main)
    dateTimeOriginal = text(ExifTag.dateTimeOriginal, exif)
    offsetTimeOriginal = text(ExifTag.offsetTimeOriginal, exif)
    iso = entry(.iso).flatMap { tiff.integer($0) }
    exposureTime = positive(entry(.exposureTime))
    (fNumber, focalLength) = (positive(entry(.fNumber)), positive(entry(.focalLength)))

    func degrees(_ tag: Int, _ reference: Int, negative: String, limit: Double) -> Double? {
      guard let entry = gps?.entry(tag), entry.count == 3, let whole = tiff.fraction(entry, at: 0),
        let minutes = tiff.fraction(entry, at: 1), let seconds = tiff.fraction(entry, at: 2)
      else { return nil }
      let value = whole + minutes / 60 + seconds / 3600
      guard value >= 0, value <= limit else { return nil }
      return text(reference, gps) == negative ? -value : value
    }
    let north = degrees(
      ExifTag.gpsLatitude, ExifTag.gpsLatitudeReference, negative: "S", limit: 90)
    let east = degrees(
      ExifTag.gpsLongitude, ExifTag.gpsLongitudeReference, negative: "W", limit: 180)
    // An incomplete location is ignored.
    if let north, let east { (latitude, longitude) = (north, east) }
  }
}

/// The names of the place where a photo was taken; at least one is not empty.
package struct PlaceNames: Hashable, Sendable {
  /// The city; empty if unknown.
  package let city: String
  /// The state or province; empty if unknown.
  package let state: String
  /// The country or its code; empty if unknown.
  package let country: String

  /// The names in the metadata of files.
  package static let names = [MetadataName.city, .state, .country]

  /// Creates names; returns nil if all are missing.
  package init?(city: String?, state: String?, country: String?) {
    guard city ?? state ?? country != nil else { return nil }
    (self.city, self.state, self.country) = (city ?? "", state ?? "", country ?? "")
  }

  /// Takes the names that a file states; returns nil without any.
  package init?(_ summary: MetadataSummary) {
    self.init(city: summary.city, state: summary.state, country: summary.country)
  }

  /// The text that searches find, such as "Sintra, Lisbon, PT"; a state named like its city is not
  /// repeated.
  package var text: String {
    [city, state == city ? "" : state, country].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// The properties that are not empty.
  var properties: [(name: MetadataName, text: String)] {
    zip(Self.names, [city, state, country]).map { (name: $0, text: $1) }
      .filter { !$0.text.isEmpty }
  }
}
