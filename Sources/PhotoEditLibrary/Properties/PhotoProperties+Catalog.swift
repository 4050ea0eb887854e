// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditSQLite

extension PhotoProperties {
  /// All properties, in the order of the columns; new ones are at the end.
  package static let catalog: [PhotoProperty] = [
    .init("mediaType", \.mediaType, .raw(.unknown), key: .mediaType),
    .init("mediaSubtypes", \.mediaSubtypes, .raw([]), key: .mediaSubtypes),
    .init("traits", \.traits, .raw([]), key: .traits),
    .init("playbackStyle", \.playbackStyle, .raw(.unsupported)),
    .init("sourceType", \.sourceType, .raw([])),
    .init("pixelWidth", \.pixelWidth, .count, key: .pixelWidth),
    .init("pixelHeight", \.pixelHeight, .count, key: .pixelHeight),
    .init("duration", \.duration, .real, key: .duration),
    .init(
      "creationDate", \.creationDate, .date, key: .creationDate, field: .date, names: [.date],
      merging: .first),
    .init("modificationDate", \.modificationDate, .knownDate, key: .modificationDate),
    .init("contentModificationDate", \.contentModificationDate, .knownDate),
    .init("addedDate", \.addedDate, .knownDate, key: .addedDate),
    .init(
      "location", \.location, .location, key: .latitude, field: .location, names: [.location],
      merging: .first),
    .init(
      "favorite", \.isFavorite, .flag, column: "isFavorite", key: .favorite, field: .favorite,
      merging: .first),
    .init(
      "hidden", \.isHidden, .flag, column: "isHidden", key: .hidden, field: .hidden,
      merging: .kept),
    .init("burstIdentifier", \.burstIdentifier, .text, key: .burstIdentifier),
    .init("representsBurst", \.representsBurst, .flag),
    .init("burstSelectionTypes", \.burstSelectionTypes, .raw([])),
    .init("hasAdjustments", \.hasAdjustments, .flag, key: .edited),
    .init("originalFilename", \.originalFilename, .name, key: .filename, isSearchable: true),
    .init("title", text: \.title, .title, field: .title),
    .init("caption", text: \.caption, .caption, field: .caption),
    .init("trashedDate", \.trashedDate, .date),
    .init("contentRevision", \.contentRevision, .revision, isReported: false),
    .init(
      "keywords", \.keywords, .keywords, key: .keyword, field: .keywords, names: [.keywords],
      isSearchable: true, merging: .union),
    .init(
      "rating", \.rating, .rating, key: .rating, field: .rating, names: [.rating],
      merging: .first),
    .init("label", \.label, .label, key: .label, field: .label, names: [.label], merging: .first),
    .init(
      "people", \.people, .list, key: .person, field: .people, names: [.people],
      isSearchable: true, merging: .union),
    .init(
      "place", \.place, .text, key: .place, names: PlaceNames.names, isSearchable: true,
      merging: .kept),
    .init(
      "camera", \.camera, .text, key: .camera, names: [.make, .model], isSearchable: true,
      merging: .first),
    .init("lens", \.lens, .text, key: .lens, names: [.lens], merging: .first),
    .init("iso", \.iso, .number, key: .iso, names: [.iso], merging: .first),
    .init("fNumber", \.fNumber, .number, key: .fNumber, names: [.fNumber], merging: .first),
    .init(
      "focalLength", \.focalLength, .number, key: .focalLength, names: [.focalLength],
      merging: .first),
    .init("fileSize", \.fileSize, .number, key: .fileSize),
    .init("utcOffset", \.utcOffset, .number, field: .date, names: [.date], merging: .kept),
    .init("regions", \.regions, .regions, merging: .kept),
    .init("userFields", \.userFields, .fields, isReported: false),
    .init(
      "exposureTime", \.exposureTime, .number, key: .exposureTime, names: [.exposureTime],
      isAdded: true, merging: .first),
  ]

  /// The properties that the metadata of files or the user states.
  static let stated = catalog.filter(\.isStated)

  /// The texts that files and the user state.
  package static let texts = catalog.compactMap { property in
    property.text.map { (name: property.name, metadata: property.names[0], path: $0) }
  }

  /// The names of the texts in the metadata of files.
  static let textNames = texts.map(\.metadata)

  /// The properties that were added after the first versions.
  static let added = catalog.filter(\.isAdded)

  /// Returns the text at a path, after it has checked a value.
  static func text(
    _ path: KeyPath<PhotoProperties, String?>, _ value: String?
  ) throws(LibraryError) -> PhotoProperty {
    guard let property = catalog.first(where: { $0.text.map { $0 == path } ?? false }) else {
      throw LibraryError(.changeNotSupported, "this property is not a text that can be set")
    }
    try ObjectText.check(value, property.name)
    return property
  }

  /// The properties that reports contain.
  static let reported = catalog.filter(\.isReported)

  /// The columns of all properties.
  static let columns = catalog.flatMap(\.columns)

  /// The property with each key of predicates.
  static let keyed = Dictionary(
    uniqueKeysWithValues: catalog.compactMap { property in property.key.map { ($0, property) } })

  /// The mark of a column that the user set; empty for other columns.
  static func field(ofColumn column: String) -> AssetFields {
    catalog.first { $0.columns.contains(column) }?.field ?? []
  }

  /// Reads a row whose columns from an index on are those of the properties.
  init(_ row: Row, from index: Int) {
    self.init(originalFilename: "", addedAt: Date(timeIntervalSince1970: 0))
    var index = index
    for property in Self.catalog {
      property.read(row, index, into: &self)
      index += property.columns.count
    }
  }

  /// Shortens values that exceed their limits; returns the names of these properties.
  ///
  /// Files keep the whole values.
  mutating func shorten() -> [String] {
    Self.stated.filter { $0.shorten(&self) }.map(\.name)
  }

  /// The values of the columns.
  var values: [DatabaseValue] {
    var values: [DatabaseValue] = []
    values.reserveCapacity(Self.columns.count)
    for property in Self.catalog { property.store(self, in: &values) }
    return values
  }
}

extension LibraryDatabase {
  /// Returns the properties of an asset in any state; nil if there is no such row.
  func properties(of row: Int64) throws(LibraryError) -> PhotoProperties? {
    try first(Self.selectProperties, [.integer(row)]) { PhotoProperties($0, from: 0) }
  }

  /// Stores some properties of an asset.
  func store(
    _ stored: [PhotoProperty], of properties: PhotoProperties, row: Int64
  ) throws(LibraryError) {
    guard !stored.isEmpty else { return }
    let assignments = stored.flatMap(\.columns).map { $0 + " = ?" }.joined(separator: ", ")
    try run(
      "UPDATE asset SET \(assignments) WHERE id = ?",
      stored.flatMap { $0.values(properties) } + [.integer(row)])
  }

  private static let selectProperties =
    "SELECT \(PhotoProperties.columns.joined(separator: ", ")) FROM asset WHERE id = ?"
}
