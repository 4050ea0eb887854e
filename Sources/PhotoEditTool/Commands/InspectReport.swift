// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters

/// The report on an inspected file, for display and for scripts.
protocol InspectReport {
  var lines: LabelledLines { get }
  var json: [String: JSONValue] { get }
}

/// The limits of a report, so that a malicious file cannot fill the screen.
enum InspectLimits {
  /// The maximum number of segments of an image that are listed; all of them are counted.
  static let segments = 256
  /// The maximum number of tags of a video that are listed.
  static let tags = 100
  /// The maximum length of a tag's name or value, in Unicode scalars.
  static let tagLength = 500

  /// Returns the beginning of a text in whole scalars, because a single character may have
  /// thousands.
  static func shortened(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard scalars.count > tagLength else { return text }
    return String(String.UnicodeScalarView(scalars.prefix(tagLength))) + "…"
  }
}
