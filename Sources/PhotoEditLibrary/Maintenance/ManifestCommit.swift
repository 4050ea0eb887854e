// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditSQLite

/// The commit recorded in a manifest, by which a repair determines the newer of two states.
///
/// Numbers increase with every commit of a library, even across a repair. Manifests written before
/// this field was introduced do not have it.
struct ManifestCommit: Hashable {
  var number: Int64
  /// The date in seconds since 1970; nil if the history no longer contains the commit.
  var date: Double?

  init(number: Int64, date: Double?) {
    self.number = number
    self.date = date
  }

  /// Reads the last commit of an object from two columns: the number and the date.
  init(_ row: Row, _ column: Int) {
    self.init(number: row.int(column), date: row.optionalReal(column + 1))
  }

  /// Returns the SQL expressions of the two columns for a table that has `lastChange`.
  static func columns(of table: String) -> String {
    "\(table).lastChange, (SELECT date FROM change WHERE change.id = \(table).lastChange)"
  }

  var json: JSONValue {
    ["number": .number(Double(number)), "date": date.map { .number($0) } ?? .null]
  }

  /// Reads a commit; returns nil for any other JSON.
  init?(_ json: JSONValue?) {
    guard let number = json?["number"]?.integerValue, number >= 0, number < 1 << 52 else {
      return nil
    }
    self.init(number: Int64(number), date: json?["date"]?.numberValue)
  }

  /// Returns whether this is the later of two commits; nil if that cannot be determined.
  func isLater(than other: ManifestCommit) -> Bool? {
    if number != other.number { return number > other.number }
    guard let date, let others = other.date, date != others else { return nil }
    return date > others
  }
}
