// SPDX-License-Identifier: Apache-2.0

/// Rules that apply to single source lines, or to a line and the one before it.
enum SourceRules {
  private static let license = "SPDX-License-Identifier: Apache-2.0"

  /// The comment marker by file type; other types need no license line.
  private static let commentMarks = [
    "swift": "//", "c": "//", "h": "//", "modulemap": "//", "sh": "#", "py": "#",
  ]

  /// Finds files whose first line, after an interpreter or tools-version line, is not the license.
  static func licenseFindings(in file: TextFile) -> [String] {
    guard let mark = commentMarks[file.type] else { return [] }
    let first = file.lines.first ?? ""
    let isTaken = first.hasPrefix("#!") || first.hasPrefix("// swift-tools-version:")
    let line = file.lines.dropFirst(isTaken ? 1 : 0).first
    return line == "\(mark) \(license)" ? [] : ["\(file.path): no licence line at the top"]
  }

  /// Finds words that turn bad input into a crash or mark unfinished work.
  static func wordFindings(in file: TextFile) -> [String] {
    file.findings { line in
      let found = ["try!", "as!", "fatalError(", "TODO", "FIXME", "unsafeFlags"]
        .filter(line.containsBytes)
      return found.isEmpty ? nil : found.joined(separator: ", ")
    }
  }

  /// Finds concurrency opt-outs without a comment that gives the reason.
  static func unsafeFindings(in file: TextFile) -> [String] {
    var previous: Substring = ""
    return file.findings { line in
      defer { previous = line }
      let marks = ["@unchecked Sendable", "nonisolated(unsafe)"].filter(line.containsBytes)
      let isExplained = line.contains("//") || isComment(previous)
      return marks.isEmpty || isExplained ? nil : marks.joined(separator: ", ") + " without reason"
    }
  }

  private static func isComment(_ line: Substring) -> Bool {
    let text = line.drop { $0 == " " }
    // Empty comment lines and the license line give no reason.
    return text.hasPrefix("//") && text.contains { $0.isLetter } && !text.contains(license)
  }
}
