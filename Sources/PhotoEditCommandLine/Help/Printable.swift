// SPDX-License-Identifier: Apache-2.0
internal import PhotoEditContainers

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
