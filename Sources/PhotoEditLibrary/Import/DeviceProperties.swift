// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs

/// The camera, its settings, and the name of the place, as stated by a file.
struct DeviceProperties: Sendable, Hashable {
  var camera: String?
  var lens: String?
  var iso: Int?
  var fNumber: Double?
  var focalLength: Double?
  var place: String?

  init(_ summary: MetadataSummary) {
    camera = Self.camera(make: summary.make, model: summary.model)
    (lens, iso) = (Self.name(summary.lens), summary.iso)
    (fNumber, focalLength) = (summary.fNumber, summary.focalLength)
    place = Self.place(PlaceNames(summary))
  }

  /// Returns the text of a place as stored.
  static func place(_ names: PlaceNames?) -> String? { name(names?.text) }

  init(camera: String?, lens: String? = nil) {
    (self.camera, self.lens) = (camera, lens)
  }

  /// Returns the manufacturer and the model; models that repeat the manufacturer are returned alone.
  static func camera(make: String?, model: String?) -> String? {
    guard let make = name(make), let model = name(model) else { return name(model ?? make) }
    let brand = make.split(separator: " ").first.map { $0.lowercased() } ?? ""
    return name(model.lowercased().hasPrefix(brand) ? model : make + " " + model)
  }

  private static func name(_ text: String?) -> String? {
    guard let text, let clean = SidecarMetadata.text(text) else { return nil }
    return String(clean.prefix(maximumLength))
  }

  private static let maximumLength = 200
}

extension AssetRecord {
  /// Applies the camera and the place that a file states.
  mutating func apply(_ device: DeviceProperties) {
    (camera, lens, iso) = (device.camera, device.lens, device.iso)
    (fNumber, focalLength, place) = (device.fNumber, device.focalLength, device.place)
  }

  /// Applies the keywords, rating, label and people that a file states.
  mutating func apply(_ tags: PhotoTags) {
    keywords = tags.keywords
    people = tags.people
    rating = tags.rating ?? 0
    label = tags.label.flatMap { Asset.Label(rawValue: $0) }
  }
}
