// SPDX-License-Identifier: Apache-2.0

extension HelpText {
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
    let label = (short.map { "-\($0), " } ?? "    ") + spelling
    return (value.isEmpty ? label : "\(label) \(value)", text)
  }
}
