// SPDX-License-Identifier: Apache-2.0

extension ProgramDescription {
  /// The help on a command, a noun or a topic; on the program when no word is left.
  ///
  /// - Throws: A usage failure when the words name nothing.
  func help(
    on words: ArraySlice<String>, _ length: HelpText.Length, _ columns: Int
  ) throws(CommandFailure) -> String {
    guard let first = words.first, first != "help" else { return help(columns: columns) }
    if first == "exit-codes" { return exitCodes(columns: columns) }
    let second = words.dropFirst().first
    let verbs = commands(of: first)
    if !verbs.isEmpty, second == nil || second?.utf8.first == UInt8(ascii: "-") {
      var help = HelpText(columns: columns)
      help.line("Usage: \(name) \(first) COMMAND [options]")
      help.table("Commands", verbs.map(Self.row))
      return help.text
    }
    var rest = words
    let command = try command(in: &rest)
    return HelpText.command(command.info, program: name, length: length, columns: columns)
  }

  /// The help on the whole program.
  func help(columns: Int) -> String {
    var help = HelpText(columns: columns)
    help.line("Usage: \(name) COMMAND [options]")
    help.paragraphs(abstract)
    help.examples(examples, program: name)
    help.table("Commands", commands.map(Self.row))
    help.table(
      "Help",
      [
        ("help COMMAND", "Shows the help of a command."),
        ("help exit-codes", "Shows what the exit codes mean."),
        ("--version", "Shows the version and those of the components."),
      ])
    return help.text
  }

  /// The table of exit codes.
  private func exitCodes(columns: Int) -> String {
    var help = HelpText(columns: columns)
    help.line("How \(name) ends, as '$?' of the shell shows it.")
    help.table("Exit codes", ExitCode.allCases.map { (String($0.rawValue), $0.meaning) })
    return help.text
  }

  private static func row(_ command: any Command.Type) -> (label: String, text: String) {
    let info = command.info
    return (info.name, info.abstract)
  }
}
