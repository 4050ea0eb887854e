// SPDX-License-Identifier: Apache-2.0

/// Returns text from a file for use in an error message: quoted, short, and safe for a terminal.
func quoted(_ text: String) -> String {
  let longest = 64
  var shown = "\""
  for scalar in text.unicodeScalars.prefix(longest) {
    switch scalar {
    case "\"", "\\": shown += "\\\(scalar)"
    default: shown += isUnsafeForTerminal(scalar) ? escape(scalar) : String(scalar)
    }
  }
  return shown + (text.unicodeScalars.dropFirst(longest).isEmpty ? "\"" : "…\"")
}

/// Returns whether a scalar could move the cursor, reorder the line or be invisible.
func isUnsafeForTerminal(_ scalar: Unicode.Scalar) -> Bool {
  let category = scalar.properties.generalCategory
  return scalar.steersDisplay || category == .unassigned || category == .privateUse
}

/// Returns the JSON escape of a scalar: one `\uxxxx`, or two above U+FFFF.
package func escape(_ scalar: Unicode.Scalar) -> String {
  UTF16.encode(scalar).map { $0.map { "\\u" + hexadecimal(UInt32($0)) }.joined() } ?? ""
}

/// Returns at least four lowercase hexadecimal digits.
func hexadecimal(_ value: UInt32) -> String {
  let digits = String(value, radix: 16)
  return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}
