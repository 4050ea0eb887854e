// SPDX-License-Identifier: Apache-2.0

/// A manual page in mdoc, the macros of mdoc(7).
package struct ManualPage: Sendable {
  /// The name of the page, such as "photoedit-apply".
  package let name: String
  /// The section of the manual: 1 for commands, 7 for other topics.
  package let section: Int
  private var lines: [String]

  /// The file name: "photoedit-apply.1".
  package var fileName: String { "\(name).\(section)" }

  /// The source of the page.
  package var text: String { lines.map { $0 + "\n" }.joined() }

  /// Begins a page.
  ///
  /// - Parameters:
  ///   - summary: One sentence; the page shows it without its capital and its full stop.
  ///   - date: The date as mdoc expects it: "November 22, 2026".
  package init(_ name: String, section: Int, _ summary: String, date: String) {
    self.name = name
    self.section = section
    let start = summary.prefix(1)
    let isWord = summary.dropFirst().first?.isUppercase != true
    let phrase = (isWord ? start.lowercased() : String(start)) + summary.dropFirst()
    lines = [
      ".\\\" SPDX-License-Identifier: Apache-2.0",
      ".Dd \(date)", ".Dt \(Self.argument(name.uppercased())) \(section)", ".Os",
      ".Sh NAME", ".Nm \(Self.argument(name))",
      ".Nd \(Self.escaped(phrase.hasSuffix(".") ? String(phrase.dropLast()) : phrase))",
    ]
  }

  /// Begins a section.
  package mutating func heading(_ title: String) { lines.append(".Sh \(Self.escaped(title))") }

  /// Begins a subsection.
  package mutating func subheading(_ title: String) { lines.append(".Ss \(Self.escaped(title))") }

  /// Appends paragraphs that are separated by empty lines; text in quotation marks stays as it is.
  package mutating func paragraphs(_ text: String) {
    for paragraph in text.split(separator: "\n\n") {
      if lines.last?.hasPrefix(".S") != true { lines.append(".Pp") }
      lines += Self.sentences(paragraph)
    }
  }

  /// Appends a list of terms with their descriptions.
  package mutating func list(_ rows: [(label: ManualLabel, text: String)]) {
    guard !rows.isEmpty else { return }
    lines.append(".Bl -tag -width Ds")
    for row in rows {
      lines.append(".It " + row.label.macros)
      lines += Self.sentences(row.text)
    }
    lines.append(".El")
  }

  /// Appends lines that are shown as they are.
  package mutating func literal(_ text: [String]) {
    lines.append(".Bd -literal -offset indent")
    lines += text.map(Self.line)
    lines.append(".Ed")
  }

  /// Appends a line of macros.
  mutating func macros(_ line: String) { lines.append(line) }

  /// Appends the references to other pages, in the order of mdoc: by section, then by name.
  package mutating func seeAlso(_ pages: [(name: String, section: Int)]) {
    guard !pages.isEmpty else { return }
    heading("SEE ALSO")
    let sorted = pages.sorted { ($0.section, $0.name) < ($1.section, $1.name) }
    for (index, page) in sorted.enumerated() {
      let comma = index + 1 < sorted.count ? " ," : ""
      lines.append(".Xr \(Self.argument(page.name)) \(page.section)\(comma)")
    }
  }

  // MARK: Escaping

  /// Splits text so that each sentence begins a line, as mdoc requires for its spacing.
  static func sentences(_ text: some StringProtocol) -> [String] {
    var lines: [String] = []
    var line: [Substring] = []
    for word in text.split(whereSeparator: \.isWhitespace).map({ Substring($0) }) {
      line.append(word)
      if word.hasSuffix("."), word.count > 2 {
        lines.append(self.line(line.joined(separator: " ")))
        line = []
      }
    }
    if !line.isEmpty { lines.append(self.line(line.joined(separator: " "))) }
    return lines
  }

  /// Returns a line of text that begins with no macro.
  static func line(_ text: String) -> String {
    let escaped = escaped(text)
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }

  /// Returns text with backslashes, and hyphens that are part of options and names, escaped.
  static func escaped(_ text: String) -> String {
    var result = ""
    var previous: Character = " "
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-" where !previous.isLetter && !previous.isNumber: result += "\\-"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      default: result.append(character)
      }
      previous = character
    }
    return result
  }

  /// Returns one argument of a macro.
  static func argument(_ text: String) -> String {
    let escaped = escaped(text).replacing("\"", with: "\\(dq")
    // A word that is a macro, or punctuation, is an argument only if something precedes it.
    let isPlain = text.count > 3 && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
    return isPlain ? escaped : "\"\\&\(escaped)\""
  }
}

/// The term of a list in a manual page.
package struct ManualLabel: Sendable {
  let macros: String

  /// A name or a value.
  package static func name(_ text: String) -> Self {
    Self(macros: "Cm " + ManualPage.argument(text))
  }

  /// Text.
  package static func text(_ text: String) -> Self {
    Self(macros: ManualPage.argument(text))
  }

  /// An environment variable.
  package static func variable(_ text: String) -> Self {
    Self(macros: "Ev " + ManualPage.argument(text))
  }

  /// A reference to another page.
  static func page(_ name: String, section: Int) -> Self {
    Self(macros: "Xr \(ManualPage.argument(name)) \(section)")
  }

  /// An option or an operand.
  static func argument(_ argument: ArgumentInfo) -> Self {
    let lead = argument.impliedValue == nil ? " Ar " : " Ns Op = Ns Ar "
    let value = argument.value.isEmpty ? "" : lead + ManualPage.argument(argument.value)
    switch argument.kind {
    case .positional:
      return Self(
        macros: "Ar " + ManualPage.argument(argument.name) + (argument.isRepeatable ? " ..." : ""))
    case .option, .flag:
      let short = argument.short.map { "Fl \($0) , " } ?? ""
      return Self(macros: short + "Fl \\-" + argument.name + value)
    }
  }
}
