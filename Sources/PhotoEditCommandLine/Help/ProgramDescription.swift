// SPDX-License-Identifier: Apache-2.0
internal import PhotoEditContainers

/// A program: its name, version and commands.
package struct ProgramDescription: Sendable {
  /// A component of the program with its own version.
  package struct Component: Sendable {
    let name: String
    let version: String

    package init(_ name: String, _ version: String) {
      self.name = name
      self.version = version
    }
  }

  let name: String
  let abstract: String
  let version: String
  let examples: [CommandExample]
  let components: @Sendable () -> [Component]
  let check: @Sendable () throws(CommandFailure) -> Void
  let finish: @Sendable (_ isStopped: Bool) -> Void
  let commands: [any Command.Type]

  /// Describes a program.
  ///
  /// - Parameters:
  ///   - components: Returns the components for `--version`; called only for that option.
  ///   - check: Called before a command runs; throws if no command can work in the environment.
  ///   - finish: Called when a command has ended or failed; its argument indicates whether the
  ///     command was canceled and the user is waiting.
  ///   - commands: The commands in the order of the help.
  package init(
    name: String, abstract: String, version: String, examples: [CommandExample] = [],
    components: @escaping @Sendable () -> [Component] = { [] },
    check: @escaping @Sendable () throws(CommandFailure) -> Void = {},
    finish: @escaping @Sendable (_ isStopped: Bool) -> Void = { _ in },
    commands: [any Command.Type]
  ) {
    self.name = name
    self.abstract = abstract
    self.version = version
    self.examples = examples
    self.components = components
    self.check = check
    self.finish = finish
    self.commands = commands
  }

  /// Returns the command at the start of the arguments and removes its name from them.
  ///
  /// - Throws: A usage failure with the most similar name.
  func command(in words: inout ArraySlice<String>) throws(CommandFailure) -> any Command.Type {
    let first = words.first ?? ""
    let two = words.prefix(2).joined(separator: " ")
    for command in commands {
      switch command.name {
      case first: words = words.dropFirst()
      case two: words = words.dropFirst(2)
      default: continue
      }
      return command
    }
    let names = commands.map { $0.name }
    let verbs = commands(of: first).map { $0.name }
    guard verbs.isEmpty else {
      let isAlone = words.count == 1 || words.dropFirst().first?.utf8.first == UInt8(ascii: "-")
      throw .usage(
        isAlone ? "\(first): missing subcommand" : "\(two): unknown command",
        hint: nearestWord(to: two, among: verbs).map(didYouMean)
          ?? "one of: " + verbs.joined(separator: ", "))
    }
    let hint = nearestWord(to: two, among: names) ?? nearestWord(to: first, among: names)
    throw .usage("\(first): unknown command", hint: hint.map(didYouMean))
  }

  /// Returns the commands whose names start with this noun.
  func commands(of noun: String) -> [any Command.Type] {
    commands.filter { $0.name.utf8.starts(with: "\(noun) ".utf8) }
  }
}

extension ProgramDescription {
  /// Returns the help for a command, a noun or a topic; for the program if no arguments are left.
  ///
  /// - Throws: A usage failure if the arguments match nothing.
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

  /// Returns the help for the whole program.
  func help(columns: Int) -> String {
    var help = HelpText(columns: columns)
    help.line("Usage: \(name) COMMAND [options]")
    help.paragraphs(abstract)
    help.examples(examples, program: name)
    help.table("Commands", commands.map(Self.row))
    help.table(
      "Help",
      [
        ("help COMMAND", "Show help for a command."),
        ("help exit-codes", "List the exit codes."),
        ("--version", "Show the version of the program and its components."),
      ])
    return help.text
  }

  /// Returns the table of exit codes.
  private func exitCodes(columns: Int) -> String {
    var help = HelpText(columns: columns)
    help.line("Exit status of \(name) ('$?' in the shell).")
    help.table("Exit codes", ExitCode.allCases.map { (String($0.rawValue), $0.meaning) })
    return help.text
  }

  private static func row(_ command: any Command.Type) -> (label: String, text: String) {
    let info = command.info
    return (info.name, info.abstract)
  }
}
