// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditContainers
import PhotoEditFilters
import PhotoEditSQLite

/// The description of one property of a photo: how it is stored, found, reported and merged.
///
/// It is an object because every row that is read goes through all of them: a copy of a structure
/// would retain each of its closures.
package final class PhotoProperty: Sendable {
  /// The value of an asset into which duplicates are merged.
  enum Merging: Sendable {
    /// The value of the asset that is kept.
    case kept
    /// The value of the asset that is kept, or that of a duplicate if it has none.
    case first
    /// The values of all.
    case union
  }

  /// The name in reports.
  package let name: String
  /// The columns of the table.
  let columns: [String]
  /// The type of the columns.
  let columnType: ColumnType
  /// Indicates whether a migration of its own adds the columns; others add those of the first
  /// versions.
  let isAdded: Bool
  /// The key of predicates whose values are those of the first column; nil for none.
  let key: FetchColumn?
  /// The mark of a value that the user set; empty if only files and the library determine it.
  let field: AssetFields
  /// The names in the metadata of files that state it.
  let names: [MetadataName]
  /// The text, if it is one that files state under a single name.
  let text: TextPath?
  /// Indicates whether its words are searched.
  let isSearchable: Bool
  /// Indicates whether reports contain it.
  package let isReported: Bool
  /// The value after merging duplicates; nil for a property that only the library and the coding of
  /// the files determine, and neither their metadata nor the user.
  let merging: Merging?

  private let reading: @Sendable (inout PhotoProperties, Row, Int) -> Void
  private let storing: @Sendable (PhotoProperties, inout [DatabaseValue]) -> Void
  private let reporting: @Sendable (PhotoProperties) -> JSONValue
  private let shortening: @Sendable (inout PhotoProperties) -> Bool
  private let absence: @Sendable (PhotoProperties) -> Bool
  private let copying: @Sendable (PhotoProperties, inout PhotoProperties) -> Void
  private let uniting: @Sendable (inout PhotoProperties, PhotoProperties) -> Void

  package typealias TextPath = any WritableKeyPath<PhotoProperties, String?> & Sendable

  init<Value: Hashable & Sendable>(
    _ name: String, _ path: any WritableKeyPath<PhotoProperties, Value> & Sendable,
    _ form: PropertyForm<Value>, column: String? = nil, key: FetchColumn? = nil,
    field: AssetFields = [], names: [MetadataName] = [], text: TextPath? = nil,
    isSearchable: Bool = false, isReported: Bool = true, isAdded: Bool = false,
    merging: Merging? = nil
  ) {
    (self.name, self.key, self.field) = (name, key, field)
    (columnType, self.isAdded) = (form.columnType, isAdded)
    (self.names, self.text) = (names, text)
    (self.isSearchable, self.isReported, self.merging) = (isSearchable, isReported, merging)
    columns = form.columns ?? [column ?? name]
    reading = { $0[keyPath: path] = form.read($1, $2) }
    storing = { form.store($0[keyPath: path], &$1) }
    reporting = { form.report($0[keyPath: path]) }
    shortening = { properties in
      let value = properties[keyPath: path]
      guard let short = form.shortened(value) else { return false }
      properties[keyPath: path] = short
      return true
    }
    absence = { form.isNone($0[keyPath: path]) }
    copying = { $1[keyPath: path] = $0[keyPath: path] }
    uniting = { $0[keyPath: path] = form.union($0[keyPath: path], $1[keyPath: path]) }
  }

  /// Creates a text that files and the user state.
  convenience init(
    _ name: String, text path: TextPath, _ metadata: MetadataName, field: AssetFields,
    isAdded: Bool = false
  ) {
    self.init(
      name, path, .text, key: FetchColumn(name, .text), field: field, names: [metadata],
      text: path, isSearchable: true, isAdded: isAdded, merging: .first)
  }

  /// Reads the value from columns that begin with an index.
  func read(_ row: Row, _ index: Int, into properties: inout PhotoProperties) {
    reading(&properties, row, index)
  }

  /// Appends the values of the columns.
  func store(_ properties: PhotoProperties, in values: inout [DatabaseValue]) {
    storing(properties, &values)
  }

  /// Returns the values of the columns.
  func values(_ properties: PhotoProperties) -> [DatabaseValue] {
    var values: [DatabaseValue] = []
    storing(properties, &values)
    return values
  }

  /// Indicates whether the metadata of files or the user states it.
  var isStated: Bool { merging != nil }

  /// Returns the value in reports.
  package func json(_ properties: PhotoProperties) -> JSONValue { reporting(properties) }

  /// Shortens a value that exceeds its limit; returns whether it did.
  func shorten(_ properties: inout PhotoProperties) -> Bool { shortening(&properties) }

  /// Returns whether the value says nothing.
  func isNone(_ properties: PhotoProperties) -> Bool { absence(properties) }

  /// Copies the value.
  func copy(_ properties: PhotoProperties, to others: inout PhotoProperties) {
    copying(properties, &others)
  }

  /// Merges the value of a duplicate; returns false if it is given up for another value.
  func merge(_ duplicate: PhotoProperties, into kept: inout PhotoProperties) -> Bool {
    guard let merging, merging != .kept, !isNone(duplicate), values(kept) != values(duplicate)
    else { return true }
    if merging == .union {
      uniting(&kept, duplicate)
    } else if isNone(kept) {
      copy(duplicate, to: &kept)
    } else {
      return false
    }
    return true
  }
}

/// The type of a column in the database.
enum ColumnType: String, Sendable {
  case integer = "INTEGER"
  case real = "REAL"
  case text = "TEXT"
}

/// The form of values of one type in the database and in reports.
struct PropertyForm<Value: Hashable & Sendable>: Sendable {
  /// The columns; nil for one with the name of the property.
  var columns: [String]?
  let columnType: ColumnType
  let read: @Sendable (Row, Int) -> Value
  let store: @Sendable (Value, inout [DatabaseValue]) -> Void
  let report: @Sendable (Value) -> JSONValue
  /// Returns whether a value says nothing.
  var isNone: @Sendable (Value) -> Bool = { _ in false }
  /// Returns a value that fits the limits; nil for one that does.
  var shortened: @Sendable (Value) -> Value? = { _ in nil }
  var union: @Sendable (Value, Value) -> Value = { own, _ in own }

  init(
    type columnType: ColumnType = .integer, _ read: @escaping @Sendable (Row, Int) -> Value,
    _ store: @escaping @Sendable (Value) -> DatabaseValue,
    _ report: @escaping @Sendable (Value) -> JSONValue
  ) {
    (self.columnType, self.read, self.report) = (columnType, read, report)
    self.store = { $1.append(store($0)) }
  }
}

extension PropertyForm {
  /// The form of an optional value, which says nothing if it is nil.
  fileprivate static func optional<Wrapped>(
    type columnType: ColumnType = .integer, _ read: @escaping @Sendable (Row, Int) -> Wrapped?,
    _ store: @escaping @Sendable (Wrapped) -> DatabaseValue,
    _ report: @escaping @Sendable (Wrapped) -> JSONValue
  ) -> Self where Value == Wrapped? {
    var form = PropertyForm(
      type: columnType, read, { $0.map(store) ?? .null }, { $0.map(report) ?? .null })
    form.isNone = { $0 == nil }
    return form
  }

  /// The raw value of an enumeration or an option set.
  static func raw(_ none: Value) -> Self where Value: RawRepresentable<Int> {
    PropertyForm(
      { Value(rawValue: Int($0.int($1))) ?? none }, { .init($0.rawValue) },
      { .whole($0.rawValue) })
  }
}

extension PropertyForm<Bool> {
  static let flag = {
    var form = PropertyForm({ $0.bool($1) }, { .init($0) }, { .bool($0) })
    form.isNone = { !$0 }
    return form
  }()
}

extension PropertyForm<Int> {
  static let count = PropertyForm({ Int($0.int($1)) }, { .init($0) }, { .whole($0) })
  /// A number that is stored as NULL if it is 0.
  static let rating = {
    var form = PropertyForm(
      { Int($0.int($1)) }, { .init($0 == 0 ? nil : $0) }, { .whole($0) })
    form.isNone = { $0 == 0 }
    return form
  }()
}

extension PropertyForm<Int64> {
  static let revision = PropertyForm({ $0.int($1) }, { .integer($0) }, { .whole(Int($0)) })
}

extension PropertyForm<Double> {
  static let real = PropertyForm(type: .real, { $0.real($1) }, { .real($0) }, { .number($0) })
}

extension PropertyForm<Date> {
  /// A date that is always known, in seconds since 1970.
  static let knownDate = PropertyForm(
    type: .real,
    { $0.date($1) ?? Date(timeIntervalSince1970: 0) }, { .real($0.timeIntervalSince1970) },
    { .string(Clock.text($0)) })
}

extension PropertyForm<Date?> {
  /// A date in seconds since 1970; reports have none that is not in the years 1 to 9999.
  static let date = optional(
    type: .real, { $0.date($1) }, { .real($0.timeIntervalSince1970) },
    { $0.isExpressible ? .string(Clock.text($0)) : .null })
}

extension PropertyForm<String> {
  static let name = PropertyForm(type: .text, { $0.text($1) }, { .text($0) }, { .string($0) })
}

extension PropertyForm<String?> {
  static let text = {
    var form = optional(type: .text, { $0.optionalText($1) }, { .text($0) }, { .string($0) })
    form.shortened = { text in text.flatMap(ObjectText.shortened).map { .some($0) } }
    return form
  }()
}

extension PropertyForm<Int?> {
  static let number = optional(
    { $0.optionalInt($1).map { Int($0) } }, { .init($0) }, { .whole($0) })
}

extension PropertyForm<Double?> {
  static let number = optional(type: .real, { $0.optionalReal($1) }, { .real($0) }, { .number($0) })
}

extension PropertyForm<[String]> {
  /// Texts, one per line.
  static let list = texts { $0 }

  /// Keywords, one per line.
  static let keywords = texts { KeywordPath.text($0) }

  private static func texts(_ reported: @escaping @Sendable (String) -> String) -> Self {
    var form = PropertyForm(
      type: .text, { TextList($0.optionalText($1)).items }, { .init(TextList($0).text) },
      { .array($0.map { .string(reported($0)) }) })
    form.isNone = { $0.isEmpty }
    // The request that stores them checks their number and order.
    form.union = { $0 + $1 }
    return form
  }
}

extension PropertyForm<Asset.Label?> {
  static let label = optional(
    type: .text, { row, index in row.optionalText(index).flatMap { Asset.Label(rawValue: $0) } },
    { .text($0.rawValue) }, { .string($0.rawValue) })
}

extension PropertyForm<[Asset.Region]> {
  static let regions = {
    var form = PropertyForm(
      type: .text, { Asset.Region.list($0.optionalText($1)) }, { .init(Asset.Region.column($0)) },
      { .array($0.map(\.json)) })
    form.isNone = { $0.isEmpty }
    return form
  }()
}

extension PropertyForm<AssetFields?> {
  static let fields = optional(
    { row, index in row.optionalInt(index).map { AssetFields(rawValue: Int($0)) } },
    { .init($0.rawValue) }, { .whole($0.rawValue) })
}

extension PropertyForm<LocationCoordinate?> {
  /// Degrees north, degrees east and the altitude, in three columns.
  static let location = {
    var form = PropertyForm(columns: ["latitude", "longitude", "altitude"]) {
      $0.location($1)
    } store: { location, values in
      values += [
        .init(location?.latitude), .init(location?.longitude), .init(location?.altitude),
      ]
    } report: { location in
      guard let location else { return .null }
      return [
        "latitude": .number(location.latitude), "longitude": .number(location.longitude),
        "altitude": location.altitude.map { .number($0) } ?? .null,
      ]
    }
    form.isNone = { $0 == nil }
    return form
  }()

  private init(
    columns: [String], read: @escaping @Sendable (Row, Int) -> Value,
    store: @escaping @Sendable (Value, inout [DatabaseValue]) -> Void,
    report: @escaping @Sendable (Value) -> JSONValue
  ) {
    (self.columns, self.read, self.store, self.report) = (columns, read, store, report)
    columnType = .real
  }
}

extension Date {
  /// Indicates whether its year is one from 1 to 9999, which the formats of dates can express.
  var isExpressible: Bool { CivilDate.expressibleSeconds.contains(timeIntervalSince1970) }
}

extension Row {
  /// Returns a date stored in seconds since 1970; nil for NULL.
  func date(_ column: Int) -> Date? {
    optionalReal(column).map { Date(timeIntervalSince1970: $0) }
  }

  /// Returns a location from three columns: degrees north, degrees east and the altitude; nil
  /// without one.
  func location(_ column: Int) -> LocationCoordinate? {
    guard let latitude = optionalReal(column), let longitude = optionalReal(column + 1) else {
      return nil
    }
    return LocationCoordinate(
      latitude: latitude, longitude: longitude, altitude: optionalReal(column + 2))
  }
}
