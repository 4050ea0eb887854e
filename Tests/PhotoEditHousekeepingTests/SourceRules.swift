// SPDX-License-Identifier: Apache-2.0

/// Rules that a line of source can break by itself or together with the line before.
enum SourceRules {
  private static let licence = "SPDX-License-Identifier: Apache-2.0"

  /// What starts a comment, by file type; other types need no licence line.
  private static let commentMarks = [
    "swift": "//", "c": "//", "h": "//", "modulemap": "//", "sh": "#", "py": "#",
  ]

  /// The licence line is the first, or the second after an interpreter or tools-version line.
  static func licenceFindings(in file: TextFile) -> [String] {
    guard let mark = commentMarks[file.type] else { return [] }
    let first = file.lines.first ?? ""
    let isTaken = first.hasPrefix("#!") || first.hasPrefix("// swift-tools-version:")
    let line = file.lines.dropFirst(isTaken ? 1 : 0).first
    return line == "\(mark) \(licence)" ? [] : ["\(file.path): no licence line at the top"]
  }

  /// Words that turn bad input into a crash, or that promise work for later.
  static func wordFindings(in file: TextFile) -> [String] {
    file.findings { line in
      let found = ["try!", "as!", "fatalError(", "TODO", "FIXME", "unsafeFlags"]
        .filter(line.contains)
      return found.isEmpty ? nil : found.joined(separator: ", ")
    }
  }

  /// Marks that switch off the checks of concurrency without a comment that says why.
  static func unsafeFindings(in file: TextFile) -> [String] {
    var previous: Substring = ""
    return file.findings { line in
      defer { previous = line }
      let marks = ["@unchecked Sendable", "nonisolated(unsafe)"].filter(line.contains)
      let isExplained = line.contains("//") || isComment(previous)
      return marks.isEmpty || isExplained ? nil : marks.joined(separator: ", ") + " without reason"
    }
  }

  private static func isComment(_ line: Substring) -> Bool {
    let text = line.drop { $0 == " " }
    // A blank line of a comment explains nothing, and neither does the licence.
    return text.hasPrefix("//") && text.contains { $0.isLetter } && !text.contains(licence)
  }
}
