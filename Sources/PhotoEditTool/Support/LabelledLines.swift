// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine

/// Lines with a label and a text, aligned for display.
struct LabelledLines {
  private var lines: [(label: String, text: String)] = []

  /// Adds a line if the text is not nil.
  mutating func add(_ label: String, _ text: String?) {
    if let text { lines.append((label, text)) }
  }

  /// Adds one line for each text, with the label before the first one.
  mutating func add(_ label: String, each texts: [String]) {
    for (index, text) in texts.enumerated() { lines.append((index == 0 ? label : "", text)) }
  }

  /// Writes the lines to standard output with control characters escaped.
  func print(in environment: CommandEnvironment) {
    let width = lines.map { printable($0.label).count }.max() ?? 0
    for line in lines {
      let padding = String(repeating: " ", count: width - printable(line.label).count)
      environment.print(line.label + padding + "  " + line.text)
    }
  }
}
