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

  /// A heading of the program's help and the commands under it.
  package struct Group: Sendable {
    let title: String
    let commands: [any Command.Type]

    package init(_ title: String, _ commands: [any Command.Type]) {
      self.title = title
      self.commands = commands
    }
  }

  let name: String
  let abstract: String
  let version: String
  let examples: [CommandExample]
  let components: @Sendable () -> [Component]
  let check: @Sendable () throws(CommandFailure) -> Void
  let finish: @Sendable (CommandEnvironment) -> Void
  let complete: @Sendable (CompletionRequest, CommandEnvironment) -> Completion
  let groups: [Group]
  /// The commands of all groups, in the order of the help.
  let commands: [any Command.Type]

  /// Describes a program.
  ///
  /// - Parameters:
  ///   - components: Returns the components for `--version`; called only for that option.
  ///   - check: Called before a command runs; throws if no command can work in the environment.
  ///   - finish: Called when a command has ended or failed; its environment indicates whether the
  ///     command was canceled and the user is waiting.
  ///   - complete: Returns the completions of a value, on request of a shell.
  ///   - groups: The commands in the order of the help.
  package init(
    name: String, abstract: String, version: String, examples: [CommandExample] = [],
    components: @escaping @Sendable () -> [Component] = { [] },
    check: @escaping @Sendable () throws(CommandFailure) -> Void = {},
    finish: @escaping @Sendable (CommandEnvironment) -> Void = { _ in },
    complete: @escaping @Sendable (CompletionRequest, CommandEnvironment) -> Completion = {
      _, _ in Completion()
    },
    groups: [Group]
  ) {
    self.name = name
    self.abstract = abstract
    self.version = version
    self.examples = examples
    self.components = components
    self.check = check
    self.finish = finish
    self.complete = complete
    self.groups = groups
    commands = groups.flatMap(\.commands)
  }

  /// Returns the command at the start of the arguments and removes its name from them.
  ///
  /// - Throws: A usage failure with the most similar name.
  func command(in tokens: inout ArraySlice<String>) throws(CommandFailure) -> any Command.Type {
    let first = tokens.first ?? ""
    let two = tokens.prefix(2).joined(separator: " ")
    for command in commands {
      switch command.name {
      case first: tokens = tokens.dropFirst()
      case two: tokens = tokens.dropFirst(2)
      default: continue
      }
      return command
    }
    let names = commands.map { $0.name }
    let subcommands = commands(of: first).map { $0.name }
    guard subcommands.isEmpty else {
      let isAlone = tokens.count == 1 || tokens.dropFirst().first?.utf8.first == UInt8(ascii: "-")
      throw .usage(
        isAlone ? "\(first): missing subcommand" : "\(two): unknown command",
        hint: nearestMatch(to: two, among: subcommands).map(didYouMean)
          ?? "one of: " + subcommands.joined(separator: ", "))
    }
    let hint = nearestMatch(to: two, among: names) ?? nearestMatch(to: first, among: names)
    throw .usage("\(first): unknown command", hint: hint.map(didYouMean))
  }

  /// Returns the commands whose names start with this noun.
  func commands(of noun: String) -> [any Command.Type] {
    commands.filter { $0.name.utf8.starts(with: "\(noun) ".utf8) }
  }

  /// Returns the help for a command, a noun or a topic; for the program if no arguments are left.
  ///
  /// - Throws: A usage failure if the arguments match nothing.
  func help(
    on tokens: ArraySlice<String>, _ length: HelpText.Length, _ columns: Int
  ) throws(CommandFailure) -> String {
    guard let first = tokens.first, first != "help" else { return help(columns: columns) }
    if first == "exit-codes" { return exitCodes(columns: columns) }
    if first == "options" { return commonOptions(columns: columns) }
    let second = tokens.dropFirst().first
    let subcommands = commands(of: first)
    if !subcommands.isEmpty, second == nil || second?.utf8.first == UInt8(ascii: "-") {
      var help = HelpText(columns: columns)
      help.line("Usage: \(name) \(first) COMMAND [options]")
      help.examples(subcommands.prefix(3).compactMap { $0.info.examples.first }, program: name)
      help.table("Commands", subcommands.map(Self.row))
      return help.text
    }
    var rest = tokens
    let command = try command(in: &rest)
    return HelpText.command(command.info, program: name, length: length, columns: columns)
  }

  /// Returns the help for the whole program.
  func help(columns: Int) -> String {
    var help = HelpText(columns: columns)
    help.line("Usage: \(name) COMMAND [options]")
    help.paragraphs(abstract)
    help.examples(examples, program: name, isCompact: true)
    for group in groups { help.table(group.title, rows(of: group)) }
    help.paragraphs(
      "See also '\(name) help COMMAND', 'help options' and 'help exit-codes'.")
    return help.text
  }

  /// The rows of a group: a noun with its subcommands, or a command with its abstract.
  private func rows(of group: Group) -> [(label: String, text: String)] {
    var rows: [(label: String, text: String)] = []
    for command in group.commands {
      let tokens = command.name.split(separator: " ").map(String.init)
      if tokens.count == 1 {
        rows.append(Self.row(command))
      } else if rows.last?.label == tokens[0] {
        rows[rows.count - 1].text += ", " + tokens[1]
      } else {
        rows.append((tokens[0], tokens[1]))
      }
    }
    return rows
  }

  /// Returns the table of the options that every command accepts.
  private func commonOptions(columns: Int) -> String {
    var help = HelpText(columns: columns)
    help.line("Every command accepts these options; '\(name) --version' shows the version.")
    let slot = Slot(CommonOptions())
    help.table("Options", CommonOptions.arguments(writesJSON: true, in: slot).map(\.info.row))
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
