// SPDX-License-Identifier: Apache-2.0
internal import PhotoEditContainers

/// A minimal JSON value for describing the program and its failures; members keep their order.
indirect enum JSONText: Sendable {
  case string(String)
  case number(Int)
  case bool(Bool)
  case array([JSONText])
  case object([(String, JSONText)])

  /// The value as one line of JSON.
  var line: String {
    switch self {
    case .string(let text): Self.quoted(text)
    case .number(let number): String(number)
    case .bool(let bool): bool ? "true" : "false"
    case .array(let values): "[" + values.map(\.line).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { Self.quoted($0.0) + ":" + $0.1.line }.joined(separator: ",") + "}"
    }
  }

  /// Quotes a string; escapes characters that are unsafe on a terminal in addition to those of RFC
  /// 8259 §7.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case _ where scalar.steersDisplay:
        result += escape(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

/// Escapes characters that could move the cursor of a terminal or reorder its text.
///
/// These are control characters, line and paragraph separators, and format characters such as the
/// marks that change the direction of writing (UAX #9 §2), but not joiners, which are part of
/// emoji. Newlines count as control characters: this is for values and single lines.
///
/// - Returns: The text with those characters replaced by `\n`, `\r`, `\t`, `\x1b`, `\u{202e}`.
package func printable(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: \.steersDisplay) else { return text }
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    case _ where !scalar.steersDisplay: result.unicodeScalars.append(scalar)
    case _ where scalar.value < 0x10: result += "\\x0" + String(scalar.value, radix: 16)
    case _ where scalar.value < 0x100: result += "\\x" + String(scalar.value, radix: 16)
    default: result += "\\u{" + String(scalar.value, radix: 16) + "}"
    }
  }
  return result
}
