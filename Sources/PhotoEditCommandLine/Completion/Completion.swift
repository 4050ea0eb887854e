// SPDX-License-Identifier: Apache-2.0
internal import PhotoEditContainers

/// The possible completions of the last word of an incomplete command line.
package struct Completion: Sendable, Hashable {
  /// A word that may take the place of the incomplete one.
  package struct Candidate: Sendable, Hashable {
    /// The whole word, without quotation.
    package var text: String
    /// A description for shells that show one.
    package var summary: String

    package init(_ text: String, _ summary: String = "") {
      self.text = text
      self.summary = summary
    }
  }

  /// The files that the shell adds to the candidates.
  package enum Files: String, Sendable {
    case none = "words"
    case files
    case folders
  }

  package var candidates: [Candidate]
  package var files: Files
  /// The beginning of the word that is not part of the path of a file.
  package var pathPrefix = ""
  /// Indicates whether a candidate is only the beginning of a word, so that no space follows.
  package var isPartial: Bool

  package init(
    _ candidates: [Candidate] = [], files: Files = .none, pathPrefix: String = "",
    isPartial: Bool = false
  ) {
    self.candidates = candidates
    self.files = files
    self.pathPrefix = pathPrefix
    self.isPartial = isPartial
  }

  /// Returns the lines for the scripts of the shells.
  ///
  /// The first one has the kind of files, `partial` or `whole`, and the path prefix; each further
  /// one a candidate with its description. Fields are separated by tabs.
  ///
  /// - Parameter word: The incomplete word, with which each candidate must begin.
  func lines(for word: String) -> String {
    let shown = candidates.filter { candidate in
      candidate.text.utf8.starts(with: word.utf8)
        && !candidate.text.unicodeScalars.contains(where: \.steersDisplay)
    }
    let head = [files.rawValue, isPartial ? "partial" : "whole", pathPrefix]
    let lines = [head] + shown.map { [$0.text, printable($0.summary)] }
    return lines.map { $0.joined(separator: "\t") + "\n" }.joined()
  }

  /// The same completions for a value that follows other text in the same word.
  package func prefixed(by text: String) -> Completion {
    var copy = self
    copy.candidates = candidates.map { Candidate(text + $0.text, $0.summary) }
    copy.pathPrefix = text + pathPrefix
    return copy
  }
}

/// A value that a program completes itself, with the part of the command line before it.
package struct CompletionRequest: Sendable {
  /// The command, such as "album add".
  package let command: String
  /// The name of the value in the help, such as "ALBUM".
  package let placeholder: String
  /// The typed beginning of the value.
  package let prefix: String
  /// The values of the preceding options, by their names without hyphens.
  package let options: [String: [String]]
  /// The preceding operands.
  package let operands: [String]
}
