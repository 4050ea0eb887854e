// SPDX-License-Identifier: Apache-2.0

/// A field of a text: metadata of the photo that takes its place.
public enum TextField: String, Sendable, Hashable, CaseIterable {
  /// The date of capture: "2024-05-01".
  case date
  /// The time of capture: "12:00".
  case time
  /// The year of capture.
  case year
  case title
  case caption
  case creator
  case copyright
  /// The manufacturer and the model.
  case camera
  case lens
  case iso
  /// "f/2.8".
  case fNumber
  /// "1/250 s".
  case exposureTime
  /// "50 mm".
  case focalLength
  case city
  case country

  /// The maximum number of characters of a value; longer ones are cut.
  package static let maximumCount = 1000
}

/// A text with fields in braces, such as "© {copyright}"; two braces are one in the result.
struct TextTemplate: Hashable {
  private enum Part: Hashable {
    case text(String)
    case field(TextField)
  }

  private var parts: [Part] = []

  /// Parses a text.
  ///
  /// - Throws: `ParameterError` with the field that is unknown or does not end.
  init(_ template: String) throws(ParameterError) {
    var text = ""
    let plain = Self.plain(template)
    var rest = plain[...]
    while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      text += rest[..<brace]
      let next = rest.index(after: brace)
      if next < rest.endIndex, rest[next] == rest[brace] {
        text.append(rest[brace])
        rest = rest[rest.index(after: next)...]
        continue
      }
      guard rest[brace] == "{", let end = rest[next...].firstIndex(of: "}") else {
        throw Self.refusal("a single '\(rest[brace])'")
      }
      let name = String(rest[next..<end])
      guard let field = TextField(rawValue: name) else {
        throw Self.refusal("'{\(name.prefix(40))}'")
      }
      parts += [.text(text), .field(field)]
      text = ""
      rest = rest[rest.index(after: end)...]
    }
    parts.append(.text(text + rest))
  }

  private static func refusal(_ value: String) -> ParameterError {
    let names = TextField.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
    return .invalidValue(
      filter: "text", parameter: "text", value: value,
      allowed: "the fields \(names); {{ and }} for braces")
  }

  /// The fields, in the order of the text.
  var fields: [TextField] {
    parts.compactMap { if case .field(let field) = $0 { field } else { nil } }
  }

  /// Returns the text with the values of the fields.
  ///
  /// A field without a value is left out with a space beside it, and with its line if that has
  /// nothing else.
  func filled(_ values: [TextField: String]) -> String {
    let filled = parts.map { part in
      switch part {
      case .text(let text): return text
      case .field(let field):
        let value = Self.clean(values[field] ?? "")
        return value.isEmpty ? Self.gap : value
      }
    }.joined()
    guard filled.contains(Self.gap) else { return filled }
    return filled.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line in
      guard line.contains(Self.gap) else { return String(line) }
      let words = line.replacing(Self.gap, with: "").split(separator: " ")
      return words.isEmpty ? nil : words.joined(separator: " ")
    }.joined(separator: "\n")
  }

  /// The place of a field without a value; a text has no such character.
  private static let gap = "\0"

  /// Returns a text with line breaks and spaces in place of those of other systems and tabs.
  private static func plain(_ text: String) -> String {
    text.replacing("\r\n", with: "\n").replacing("\r", with: "\n").replacing("\t", with: " ")
  }

  /// Removes control characters other than line breaks, which metadata may contain.
  private static func clean(_ value: String) -> String {
    let scalars = value.unicodeScalars.prefix(TextField.maximumCount)
    return String(
      String.UnicodeScalarView(
        scalars.filter { $0 == "\n" || $0.properties.generalCategory != .control }))
  }
}
