// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters

/// What is told of one inspected file, to people and to scripts.
protocol InspectReport {
  var lines: LabelledLines { get }
  var json: [String: JSONValue] { get }
}

/// Bounds on what is told of a file, so that a hostile one cannot fill the screen.
enum InspectLimits {
  /// Most segments of a picture that are listed; all of them are counted.
  static let segments = 256
  /// Most tags of a movie that are listed.
  static let tags = 100
  /// Most characters of a name or a value of a tag.
  static let tagLength = 500

  /// The beginning of a text; whole scalars, because a single character may have thousands.
  static func shortened(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard scalars.count > tagLength else { return text }
    return String(String.UnicodeScalarView(scalars.prefix(tagLength))) + "…"
  }
}
