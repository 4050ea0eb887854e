// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
  /// Returns this value formatted for reading: one member per line, names sorted, no final line
  /// feed.
  ///
  /// Arrays of numbers that fit stay on one line. Characters that could disturb a terminal are
  /// escaped, so the text can be printed as is and still parses as an equal value. Numbers that are
  /// not finite become `null`.
  ///
  /// - Parameter indent: Spaces per level.
  package func prettyPrinted(indent: Int = 2) -> String {
    var text = ""
    write(to: &text, indent: max(0, indent), level: 0)
    return text
  }

  private func write(to text: inout String, indent: Int, level: Int) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let value): text += jsonNumber(value)
    case .string(let value): Self.write(value, to: &text)
    case .array(let elements):
      if let line = Self.oneLine(elements) {
        text += line
        return
      }
      Self.write(elements, between: "[", "]", to: &text, indent: indent, level: level) {
        $0.write(to: &$1, indent: indent, level: level + 1)
      }
    case .object(let members):
      let sorted = members.sortedByUTF16
      Self.write(sorted, between: "{", "}", to: &text, indent: indent, level: level) {
        Self.write($0.key, to: &$1)
        $1 += ": "
        $0.value.write(to: &$1, indent: indent, level: level + 1)
      }
    }
  }

  private static func write<Item>(
    _ items: [Item], between open: String, _ close: String, to text: inout String,
    indent: Int, level: Int, item: (Item, inout String) -> Void
  ) {
    text += open
    for (index, element) in items.enumerated() {
      text += index == 0 ? "\n" : ",\n"
      text += String(repeating: " ", count: indent * (level + 1))
      item(element, &text)
    }
    if !items.isEmpty { text += "\n" + String(repeating: " ", count: indent * level) }
    text += close
  }

  /// Returns the elements on one line, such as "[0.1, 0.5]", or `nil` if that would be too long or
  /// there are not only numbers.
  private static func oneLine(_ elements: [JSONValue]) -> String? {
    let longest = 72
    guard !elements.isEmpty, elements.count <= longest / 3 else { return nil }
    var numbers: [String] = []
    for element in elements {
      guard let number = element.numberValue else { return nil }
      numbers.append(jsonNumber(number))
    }
    let line = "[" + numbers.joined(separator: ", ") + "]"
    return line.utf8.count <= longest ? line : nil
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      if scalar.isASCII, let escape = jsonEscape(UInt8(ascii: scalar)) {
        text += escape
      } else if isUnsafeForTerminal(scalar) {
        text += escape(scalar)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
