// SPDX-License-Identifier: Apache-2.0

/// The cookies of a request.
enum Cookies {
  /// Returns the only value of a cookie; nil without one or more than one.
  static func value(of name: String, in field: String) -> String? {
    var found: String?
    for pair in field.split(separator: ";") {
      let sides = pair.drop { $0 == " " }.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, sides[0] == name else { continue }
      // A second cookie of the name may come from another server of the same host.
      guard found == nil else { return nil }
      found = String(sides[1])
    }
    return found
  }
}
