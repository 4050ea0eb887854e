// SPDX-License-Identifier: Apache-2.0

/// The names of the place where a photo was taken; at least one is not empty.
package struct PlaceNames: Hashable, Sendable {
  /// The city; empty if unknown.
  package let city: String
  /// The state or province; empty if unknown.
  package let state: String
  /// The country or its code; empty if unknown.
  package let country: String

  /// The names of the properties in XMP.
  static let names = ["City", "State", "Country"]

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

  /// The properties in XMP that are not empty.
  var properties: [(name: String, text: String)] {
    zip(Self.names, [city, state, country]).map { (name: $0, text: $1) }
      .filter { !$0.text.isEmpty }
  }
}
