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
    let nearest = nearestWord(to: key, among: allowed).map { "did you mean \($0)? " } ?? ""
    return LibraryError(
      .changeNotSupported, "there is no key \"\(shown)\"\(at(position))",
      hint: "\(nearest)the keys are \(allowed.joined(separator: ", "))")
  }

  static func unexpected(_ found: String, expected: String, position: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported, "\(found)\(at(position)) of the predicate",
      hint: "expected is \(expected)")
  }

  static func wrongValue(_ key: String, allowed: String, position: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "the value of \(key)\(at(position)) of the predicate is of the wrong kind",
      hint: "\(key) takes \(allowed)")
  }

  static func wrongOperator(
    _ word: String, _ key: String, allowed: String, position: Int
  ) -> LibraryError {
    LibraryError(
      .changeNotSupported, "\(key) cannot be used with \(word)\(at(position)) of the predicate",
      hint: "\(key) goes with \(allowed)")
  }

  static func wrongArguments(given: Int, needed: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "the predicate has \(needed) places for arguments and was given \(given)",
      hint: "give one argument for each % of the text")
  }

  static let predicateTooDeep = LibraryError(
    .changeNotSupported,
    "the predicate has more than \(PredicateLimits.depth) levels of NOT, AND, OR and parentheses",
    hint: "use IN for lists of values")

  static let predicateTooLarge = LibraryError(
    .changeNotSupported, "the predicate has more than \(PredicateLimits.values) values",
    hint: "fetch in parts")

  static func predicateTooLong(_ length: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "the predicate has \(length) bytes; \(PredicateLimits.length) are allowed",
      hint: "give long lists of values as arguments")
  }

  static func patternTooLong(_ length: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported,
      "the pattern of LIKE has \(length) bytes; \(PredicateLimits.pattern) are allowed",
      hint: "use CONTAINS for long texts")
  }

  static func badFetchLimit(_ limit: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported, "fetchLimit is \(limit)",
      hint: "use 0 for no limit, or a number above it")
  }

  static func tooManySorts(_ count: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported, "there are \(count) sort descriptors; 64 are allowed",
      hint: "leave out the last ones")
  }

  static func noMember(_ index: Int, count: Int) -> LibraryError {
    LibraryError(
      .changeNotSupported, "the result has no member \(index)",
      hint: count == 0 ? "it is empty" : "the members are 0 to \(count - 1)")
  }

  static func lostRow(_ row: Int64) -> LibraryError {
    LibraryError(
      .invalidResource, "row \(row) of a result is not in the library any more",
      hint: "run `photoedit library check`, and fetch again")
  }
}
