// SPDX-License-Identifier: Apache-2.0

/// Lays out help for people: usage, examples, arguments, options.
struct HelpText {
  enum Length: Sendable { case short, long }

  private(set) var text = ""
  let columns: Int

  /// - Parameter columns: At least 40.
  init(columns: Int) {
    self.columns = columns
  }

  /// Adds a line as it is.
  mutating func line(_ line: String) {
    text += line + "\n"
  }

  /// Adds paragraphs parted by empty lines, filled anew, with an empty line in front.
  mutating func paragraphs(_ paragraphs: String) {
    for paragraph in paragraphs.split(separator: "\n\n") {
      text += "\n"
      for filled in Self.fill(String(paragraph), columns) { line(filled) }
    }
  }

  /// Adds a heading and rows of a label and its text, aligned and filled.
  mutating func table(_ heading: String, _ rows: [(label: String, text: String)]) {
    guard !rows.isEmpty else { return }
    text += "\n\(heading):\n"
    // A label that is wider than most gets a line of its own rather than a wide gap for all.
    let longest = rows.map(\.label.count).filter { $0 <= min(24, columns / 3) }.max() ?? 0
    let gap = String(repeating: " ", count: longest + 4)
    for row in rows {
      let label = "  " + row.label
      let filled = Self.fill(row.text, columns - gap.count)
      if row.label.count > longest {
        line(label)
        filled.forEach { line(gap + $0) }
      } else {
        let padding = gap.dropFirst(label.count)
        line(filled.isEmpty ? label : label + padding + filled[0])
        filled.dropFirst().forEach { line(gap + $0) }
      }
    }
  }

  /// Adds the examples, each as a line to type and what it does.
  mutating func examples(_ examples: [CommandExample], program: String) {
    guard !examples.isEmpty else { return }
    text += "\nExamples:\n"
    for example in examples {
      line("  \(program) \(example.line)")
      for filled in Self.fill(example.text, columns - 6) { line("      " + filled) }
    }
  }

  /// Breaks text into lines of at most `columns` characters; a longer word stays whole.
  private static func fill(_ text: String, _ columns: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(whereSeparator: \.isWhitespace) {
      if let last = lines.last, last.count + 1 + word.count <= columns {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
