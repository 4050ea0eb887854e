// SPDX-License-Identifier: Apache-2.0

/// Formats help text: usage, examples, arguments, options.
struct HelpText {
  enum Length: Sendable { case short, long }

  private(set) var text = ""
  let columns: Int

  /// - Parameter columns: The line width, at least 40.
  init(columns: Int) {
    self.columns = columns
  }

  /// Appends a line without wrapping it.
  mutating func line(_ line: String) {
    text += line + "\n"
  }

  /// Appends paragraphs separated by empty lines, wrapped and preceded by an empty line.
  mutating func paragraphs(_ paragraphs: String) {
    for paragraph in paragraphs.split(separator: "\n\n") {
      text += "\n"
      for filled in Self.fill(String(paragraph), columns) { line(filled) }
    }
  }

  /// Appends a heading and rows of labels and texts, aligned and wrapped.
  mutating func table(_ heading: String, _ rows: [(label: String, text: String)]) {
    guard !rows.isEmpty else { return }
    text += "\n\(heading):\n"
    // An unusually wide label gets a line of its own instead of widening the gap for all rows.
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

  /// Appends the examples, each with its command line and description.
  ///
  /// - Parameter isCompact: Indicates whether both are on one line if all of them fit.
  mutating func examples(
    _ examples: [CommandExample], program: String, isCompact: Bool = false
  ) {
    guard !examples.isEmpty else { return }
    text += "\nExamples:\n"
    let width = examples.map { $0.line.count }.max() ?? 0
    let gap = 2 + program.count + 1 + width + 2
    if isCompact, examples.allSatisfy({ gap + $0.text.count <= columns }) {
      for example in examples {
        let padding = String(repeating: " ", count: width - example.line.count + 2)
        line("  \(program) \(example.line)\(padding)\(example.text)")
      }
      return
    }
    for example in examples {
      line("  \(program) \(example.line)")
      for filled in Self.fill(example.text, columns - 6) { line("      " + filled) }
    }
  }

  /// Wraps text to lines of at most `columns` characters; a longer word is not broken.
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

  /// Returns the help of one command; the common options are listed by
  /// `help options`, and the short form omits the discussion and all but two examples.
  static func command(
    _ info: CommandInfo, program: String, length: Length, columns: Int
  ) -> String {
    var help = HelpText(columns: columns)
    help.line("Usage: " + info.usage(program: program))
    help.paragraphs(info.abstract)
    help.examples(
      length == .long ? info.examples : Array(info.examples.prefix(2)), program: program)
    if length == .long { help.paragraphs(info.discussion) }

    let shown = info.arguments.filter { !$0.isHidden }
    help.table("Arguments", shown.filter { $0.kind == .positional }.map(\.row))
    let options = shown.filter { $0.kind != .positional }
    var sections: [String] = []
    for option in options where !sections.contains(option.heading) {
      sections.append(option.heading)
    }
    for section in sections where section != CommonOptions.section {
      help.table(section, options.filter { $0.heading == section }.map(\.row))
    }
    let pointer =
      length == .long
      ? "Common options: '\(program) help options'.\n\nExit codes: '\(program) help exit-codes'."
      : "More: '\(program) help \(info.name)'."
    help.paragraphs(pointer)
    return help.text
  }
}

extension CommandInfo {
  /// Returns the usage line of the command: `photoedit render [options] INPUT`.
  func usage(program: String) -> String {
    let shown = arguments.filter { !$0.isHidden }
    let required = shown.filter { $0.isRequired && $0.kind == .option }
    let positional = shown.filter { $0.kind == .positional }
    let parts =
      [program, name, "[options]"] + required.map { "\($0.spelling) \($0.value)" }
      + positional.map(\.shape)
    return parts.joined(separator: " ")
  }
}

extension ArgumentInfo {
  /// The help without its full stop, for use within a sentence.
  var helpClause: String { help.hasSuffix(".") ? String(help.dropLast()) : help }

  fileprivate var heading: String { section ?? "Options" }

  /// The usage of a positional argument: `INPUT`, `[INPUT]`, `INPUT...`.
  fileprivate var shape: String {
    let placeholder = isRepeatable ? name + "..." : name
    return isRequired ? placeholder : "[\(placeholder)]"
  }

  /// The argument's row in the help.
  var row: (label: String, text: String) {
    var text = helpClause
    if let last = choices.last {
      let others = choices.dropLast().joined(separator: ", ")
      text += ": " + (others.isEmpty ? last : "\(others) or \(last)")
    }
    if let defaultText { text += " (default: \(defaultText))" }
    text += "."
    if isRepeatable, kind == .option { text += " Repeatable." }
    guard kind != .positional else { return (shape, text) }
    return ((short.map { "-\($0), " } ?? "    ") + spellingWithValue, text)
  }
}
