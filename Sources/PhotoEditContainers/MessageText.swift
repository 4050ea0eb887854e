// SPDX-License-Identifier: Apache-2.0

extension Unicode.Scalar {
  /// Indicates whether text with this scalar could control a terminal: move the cursor or change
  /// the text direction.
  ///
  /// Joiners belong to words and emoji; the other format characters do not.
  package var steersDisplay: Bool {
    // The category is looked up in a table; nearly all characters of a listing are ASCII.
    if isASCII { return value < 0x20 || value == 0x7F }
    return switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: value != 0x200C && value != 0x200D
    default: false
    }
  }
}

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

/// Finds the most likely intended word, ignoring case.
///
/// - Returns: The first of the nearest words, or nil if none is near: more than a third of the
///   letters would have to change, and it is not a prefix of exactly one of them.
package func nearestMatch(to word: String, among words: some Sequence<String>) -> String? {
  let typed = Array(word.lowercased().utf8)
  // The cost is the product of both lengths; words this long are not typing errors.
  guard typed.count > 1, typed.count <= 64 else { return nil }
  var best: (word: String, distance: Int)?
  var completions: [String] = []
  for candidate in words {
    let letters = Array(candidate.lowercased().utf8)
    if letters.starts(with: typed) { completions.append(candidate) }
    let distance = editDistance(typed, letters)
    if distance <= max(1, typed.count / 3), distance < best?.distance ?? .max {
      best = (candidate, distance)
    }
  }
  return best?.word ?? (completions.count == 1 ? completions.first : nil)
}

/// Returns the number of insertions, deletions, replacements and swaps of adjacent letters between
/// two words.
///
/// - Source: optimal string alignment, Damerau (1964) restricted to one edit per substring.
private func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in 1...a.count {
    var row = [i]
    for j in 1...b.count {
      var cost = min(last[j], row[j - 1]) + 1
      cost = min(cost, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
      if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
        cost = min(cost, beforeLast[j - 2] + 1)
      }
      row.append(cost)
    }
    (beforeLast, last) = (last, row)
  }
  return last[b.count]
}
