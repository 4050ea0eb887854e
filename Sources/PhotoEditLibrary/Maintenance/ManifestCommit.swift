// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditSQLite

/// The commit whose outcome a manifest tells, by which a repair knows the newer of two states.
///
/// Numbers grow with every commit of a library, also over a repair. Manifests that were written
/// before there was this member have none.
struct ManifestCommit: Hashable {
  var number: Int64
  /// Seconds since 1970; nil when the history no longer has it.
  var date: Double?

  init(number: Int64, date: Double?) {
    self.number = number
    self.date = date
  }

  /// Reads the last commit of an object from two columns, the number and the date.
  init(_ row: Row, _ column: Int) {
    self.init(number: row.int(column), date: row.optionalReal(column + 1))
  }

  /// What the columns are in a statement whose table has `lastChange`.
  static func columns(of table: String) -> String {
    "\(table).lastChange, (SELECT date FROM change WHERE change.id = \(table).lastChange)"
  }

  var json: JSONValue {
    ["number": .number(Double(number)), "date": date.map { .number($0) } ?? .null]
  }

  /// Reads a commit; nil for anything else.
  init?(_ json: JSONValue?) {
    guard let number = json?["number"]?.integerValue, number >= 0, number < 1 << 52 else {
      return nil
    }
    self.init(number: Int64(number), date: json?["date"]?.numberValue)
  }

  /// Whether this is the later of two commits; nil when they do not tell.
  func isLater(than other: ManifestCommit) -> Bool? {
    if number != other.number { return number > other.number }
    guard let date, let others = other.date, date != others else { return nil }
    return date > others
  }
}
