// SPDX-License-Identifier: Apache-2.0

/// Turns failures into what people and scripts read; all such wording is here.
extension CommandFailure {
  /// The lines for standard error: what and why, the way out, and for usage errors the usage.
  ///
  /// - Parameters:
  ///   - command: The command that was meant, nil when it is not known.
  ///   - isColored: Whether the word "error" is shown in red.
  func text(program: String, command: CommandInfo?, isColored: Bool) -> String {
    let error = isColored ? "\u{1b}[1;31merror:\u{1b}[0m" : "error:"
    var lines = ["\(program): \(error) \(printable(message))"]
    if let hint { lines.append("  " + printable(hint)) }
    if exitCode == .usage {
      if let command { lines.append("  usage: " + command.usage(program: program)) }
      let topic = command.map { "help " + $0.name } ?? "help"
      lines.append("  try '\(program) \(topic)'")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// One line of JSON for standard output.
  ///
  /// - Parameter input: What the failure is about, nil when it is about the command line.
  func json(input: String?) -> String {
    var error: [(String, JSONText)] = [
      ("code", .string(code)), ("message", .string(message)),
      ("exit", .number(Int(exitCode.rawValue))),
    ]
    if let hint { error.append(("hint", .string(hint))) }
    var object: [(String, JSONText)] = [("schemaVersion", .number(1))]
    if let input { object.append(("input", .string(input))) }
    object.append(("error", .object(error)))
    return JSONText.object(object).line + "\n"
  }
}
