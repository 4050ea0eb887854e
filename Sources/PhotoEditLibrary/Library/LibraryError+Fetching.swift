// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers
import PhotoEditFilters

/// Errors of fetches; no query has run.
extension LibraryError {
  private static func at(_ position: Int?) -> String {
    position.map { " at character \($0)" } ?? ""
  }

  static func unknownKey(_ key: String, allowed: [String], position: Int?) -> LibraryError {
    let shown = key.count > 64 ? String(key.prefix(64)) + "…" : key
    let nearest = nearestMatch(to: key, among: allowed).map { "did you mean \($0)? " } ?? ""
    return LibraryError(
      .changeNotSupported, "unknown key \"\(shown)\"\(at(position))",
      hint: "\(nearest)valid keys: \(allowed.joined(separator: ", "))")
  }

  static func unexpected(_ found: String, expected: String, position: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported, "\(found)\(at(position)) of the predicate",
      hint: "expected \(expected)")
  }

  static func wrongValue(_ key: String, allowed: String, position: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "invalid value for \(key)\(at(position)) of the predicate",
      hint: "\(key) takes \(allowed)")
  }

  static func wrongOperator(
    _ operatorName: String, _ key: String, allowed: String, position: Int
  ) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "\(key) cannot be used with \(operatorName)\(at(position)) of the predicate",
      hint: "\(key) supports \(allowed)")
  }

  static func wrongArguments(given: Int, needed: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "the predicate takes \(needed) arguments, but \(given) were given",
      hint: "pass one argument per %")
  }

  static let predicateTooDeep = LibraryError(
    .changeNotSupported,
    "the predicate has too many levels of NOT, AND, OR and parentheses "
      + "(maximum: \(PredicateLimits.depth))",
    hint: "use IN for lists of values")

  static let predicateTooLarge = LibraryError(
    .changeNotSupported, "the predicate has too many values (maximum: \(PredicateLimits.values))",
    hint: "fetch in parts")

  static func predicateTooLong(_ length: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "the predicate has \(length) bytes (maximum: \(PredicateLimits.length))",
      hint: "pass long lists of values as arguments")
  }

  static func patternTooLong(_ length: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "the LIKE pattern has \(length) bytes (maximum: \(PredicateLimits.pattern))",
      hint: "use CONTAINS for long strings")
  }

  static func badFetchLimit(_ limit: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported, "invalid fetchLimit \(limit)",
      hint: "use a positive number, or 0 for no limit")
  }

  static func tooManySorts(_ count: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported, "\(count) sort descriptors were given (maximum: 64)",
      hint: "omit the last ones")
  }

  static func noMember(_ index: Int, count: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported, "index \(index) is out of range",
      hint: count == 0 ? "the result is empty" : "valid indexes: 0–\(count - 1)")
  }

  static func lostRow(_ row: Int64) -> LibraryError {
    LibraryError(
      .invalidResource, "row \(row) of the result is no longer in the library",
      hint: "fetch again; if this persists, run 'photoedit library check'")
  }
}
