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
