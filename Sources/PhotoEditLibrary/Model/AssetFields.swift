// SPDX-License-Identifier: Apache-2.0

/// The properties of an asset that come from its files until the user sets them.
struct AssetFields: OptionSet, Sendable, Hashable, Codable {
  let rawValue: Int

  static let date = AssetFields(rawValue: 1)
  static let location = AssetFields(rawValue: 2)
  static let title = AssetFields(rawValue: 4)
  static let caption = AssetFields(rawValue: 8)
  static let keywords = AssetFields(rawValue: 16)
  static let people = AssetFields(rawValue: 32)
  static let rating = AssetFields(rawValue: 64)
  static let label = AssetFields(rawValue: 128)
  static let favorite = AssetFields(rawValue: 256)
  static let hidden = AssetFields(rawValue: 512)

  /// The field of each column.
  static let columns: [String: AssetFields] = [
    "creationDate": .date, "utcOffset": .date,
    "latitude": .location, "longitude": .location, "altitude": .location,
    "title": .title, "caption": .caption, "keywords": .keywords, "people": .people,
    "rating": .rating, "label": .label, "isFavorite": .favorite, "isHidden": .hidden,
  ]
}
