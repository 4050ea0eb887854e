// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// A fenced block of the documentation.
package struct Fence: Sendable, CustomStringConvertible {
  /// The document, relative to the package folder.
  package let file: String
  /// The number of the line that opens the block.
  package let line: Int
  /// The language of the block: "swift", "sh", "console", or empty for a figure.
  package let kind: String
  package let lines: [String]

  /// The location, so that a failing test case names it.
  package var description: String { "\(file):\(line)" }

  /// The blocks of a document.
  package static func blocks(of text: String, in file: String) -> [Fence] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var blocks: [Fence] = []
    var start: Int?
    for (index, line) in lines.enumerated() where line.drop(while: { $0 == " " }).hasPrefix("```") {
      if let opening = start {
        blocks.append(
          Fence(
            file: file, line: opening + 1,
            kind: String(lines[opening].drop { $0 == " " }.dropFirst(3)),
            lines: lines[(opening + 1)..<index].map(String.init)))
        start = nil
      } else {
        start = index
      }
    }
    return blocks
  }

  /// The blocks of README, CONTRIBUTING and the documentation catalogs, sorted by file.
  package static let all: [Fence] = {
    let root = TestImages.packageRoot
    let sources = (try? FileManager.default.subpathsOfDirectory(atPath: root + "/Sources")) ?? []
    let pages = sources.filter { $0.contains(".docc/") && $0.hasSuffix(".md") }.sorted()
    return (["README.md", "CONTRIBUTING.md"] + pages.map { "Sources/" + $0 }).flatMap { file in
      let text = (try? String(contentsOfFile: "\(root)/\(file)", encoding: .utf8)) ?? ""
      return blocks(of: text, in: file)
    }
  }()
}
