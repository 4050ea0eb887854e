// SPDX-License-Identifier: Apache-2.0

/// Makes text safe to show on a terminal: what could move the cursor or reorder it is spelled out.
///
/// Escaped are the control characters of C0 and C1 with ESC and DEL, line and paragraph
/// separators, and the marks that change the direction of writing (UAX #9 §2). Newlines count as
/// control characters: this is for values and single lines. All other text is kept as it is.
///
/// - Returns: `\n`, `\r`, `\t`, `\x1b`, `\u{202e}` in place of those characters.
package func printable(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: \.isUnsafeToShow) else { return text }
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\n": result += "\\n"
    case "\r": result += "\\r"
    case "\t": result += "\\t"
    case _ where !scalar.isUnsafeToShow: result.unicodeScalars.append(scalar)
    case _ where scalar.value < 0x10: result += "\\x0" + String(scalar.value, radix: 16)
    case _ where scalar.value < 0x100: result += "\\x" + String(scalar.value, radix: 16)
    default: result += "\\u{" + String(scalar.value, radix: 16) + "}"
    }
  }
  return result
}

extension Unicode.Scalar {
  /// Whether the scalar can change how the text around it is shown.
  var isUnsafeToShow: Bool {
    switch value {
    case 0...0x1f, 0x7f...0x9f: true
    case 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
