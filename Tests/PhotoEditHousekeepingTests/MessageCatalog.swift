// SPDX-License-Identifier: Apache-2.0

/// The error messages in the sources, with each interpolation as `{expression}`.
enum MessageCatalog {
  /// The catalog of all modules: a heading for each file, then a line for each message.
  static func text(of files: [TextFile]) -> String {
    files.sorted { $0.path < $1.path }.compactMap { file in
      let messages = messages(in: file)
      return messages.isEmpty
        ? nil : (["# " + file.path.dropFirst("Sources/".count)] + messages).joined(separator: "\n")
    }.joined(separator: "\n\n") + "\n"
  }

  /// The messages of a file, in order: `message → hint`.
  static func messages(in file: TextFile) -> [String] {
    let code = file.lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
    // Descriptions and hints of errors are switches over their cases, not calls.
    let name = file.path.split(separator: "/").last ?? ""
    let isDescription = name.contains("Error") || name == "Failures.swift"
    var messages: [String] = []
    var rest = code[...]
    let start =
      isDescription
      ? #/(?:\b[A-Za-z]*(?:Error|Failure)|\bpathConflict|\bthrow [\w.]*|self\.init)\(|"/#
      : #/(?:\b(?:[A-Za-z]*(?:Error|Failure)|Problem)(?:\.\w+)?|\bthrow [\w.]*)\(/#
    while let match = rest.firstMatch(of: start) {
      let isLiteral = match.0.last == "\""
      let range = match.range
      var scanner = Scanner(rest: rest[(isLiteral ? range.lowerBound : range.upperBound)...])
      let found = isLiteral ? scanner.expression() : scanner.arguments()
      let message = found?.split(whereSeparator: \.isWhitespace).joined(separator: " ") ?? ""
      if message.contains(" "), message.contains(where: \.isLetter), messages.last != message {
        messages.append(message)
      }
      rest = scanner.rest
    }
    return messages
  }

  /// Reads string literals from source text.
  private struct Scanner {
    var rest: Substring

    /// Reads the arguments of a call, after its opening parenthesis.
    mutating func arguments() -> String? {
      var (parts, hints): ([String], [String]) = ([], [])
      var label = nextLabel
      var depth = 1
      while depth > 0, let next = rest.first {
        if next == "\"" {
          guard let text = expression() else { return nil }
          if label == "hint" {
            hints.append(text)
          } else if text.contains(" "), text.contains(where: \.isLetter) {
            parts.append(text)
          }
          continue
        }
        rest.removeFirst()
        switch next {
        case "(", "[", "{": depth += 1
        case ")", "]", "}": depth -= 1
        case "," where depth == 1: label = nextLabel
        default: break
        }
      }
      let message = parts.joined(separator: " | ")
      return hints.isEmpty ? message : message + " → " + hints.joined(separator: " | ")
    }

    /// The label of the argument that follows; empty if it has none.
    private var nextLabel: String {
      rest.prefixMatch(of: #/\s*(\w+):/#).map { String($0.1) } ?? ""
    }

    /// Reads a literal and those that are added to it.
    mutating func expression() -> String? {
      var text = ""
      while rest.first == "\"" {
        guard let piece = literal() else { return nil }
        text += piece
        guard let plus = rest.prefixMatch(of: #/\s*\+\s*(?=")/#) else { break }
        rest = rest[plus.range.upperBound...]
      }
      return text
    }

    /// Reads one literal; nil if it does not end.
    private mutating func literal() -> String? {
      let isLong = rest.hasPrefix("\"\"\"")
      rest.removeFirst(isLong ? 3 : 1)
      var text = ""
      while let next = rest.popFirst() {
        if next == "\"", !isLong { return text }
        if next == "\"", rest.hasPrefix("\"\"") {
          rest.removeFirst(2)
          return text
        }
        guard next == "\\", let escaped = rest.popFirst() else {
          text.append(next)
          continue
        }
        if escaped == "(" { text += "{\(interpolation())}" } else { text.append(escaped) }
      }
      return nil
    }

    /// Reads an interpolation, after its opening parenthesis.
    private mutating func interpolation() -> String {
      var text = ""
      var depth = 1
      while let next = rest.popFirst() {
        if next == "(" { depth += 1 }
        if next == ")" {
          depth -= 1
          if depth == 0 { break }
        }
        text.append(next)
      }
      return text
    }
  }
}
