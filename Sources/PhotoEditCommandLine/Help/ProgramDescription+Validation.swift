// SPDX-License-Identifier: Apache-2.0

extension ProgramDescription {
  /// Returns the errors in the declarations of the commands, one sentence each; for tests.
  package func problems() -> [String] {
    var problems: [String] = []
    var names: Set<String> = ["help"]
    for command in commands {
      let info = command.info
      if !names.insert(info.name).inserted {
        problems.append("The command name '\(info.name)' is already in use.")
      }
      if !commands(of: info.name).isEmpty {
        problems.append("'\(info.name)' is both a command and a group of commands.")
      }
      problems += info.problems().map { "\(info.name): \($0)" }
      problems += Self.exampleProblems(command).map { "\(info.name): \($0)" }
    }
    return problems
  }

  /// Parses every example that does not need a shell.
  private static func exampleProblems<Root: Command>(_: Root.Type) -> [String] {
    let configuration = Root.configuration
    return configuration.examples.compactMap { example in
      let tokens = example.line.split(separator: " ").map(String.init)
      let name = configuration.name.split(separator: " ").map(String.init)
      guard tokens.starts(with: name) else {
        return "The example '\(example.line)' does not start with the command name."
      }
      guard !example.line.contains(where: { "|<>'\"$".contains($0) }) else { return nil }
      do throws(CommandFailure) {
        _ = try Root.parse(Array(tokens.dropFirst(name.count)))
        return nil
      } catch {
        return "The example '\(example.line)' is invalid: \(error.message)."
      }
    }
  }
}

extension CommandInfo {
  /// Returns the errors in one command.
  fileprivate func problems() -> [String] {
    var problems: [String] = []
    let tokens = name.split(separator: " ", omittingEmptySubsequences: false)
    if !(1...2).contains(tokens.count) || !tokens.allSatisfy({ isOptionName($0) }) {
      problems.append("The name is not one or two lowercase words.")
    }
    if !abstract.hasSuffix(".") { problems.append("The abstract is not a sentence.") }

    var spellings: Set<String> = []
    for argument in arguments {
      for spelling in argument.spellings where !spellings.insert(spelling).inserted {
        problems.append("\(spelling) is declared twice.")
      }
      problems += argument.problems().map { "\(argument.spelling) \($0)." }
    }

    let positional = arguments.filter { $0.kind == .positional }
    for (earlier, later) in zip(positional, positional.dropFirst()) {
      if earlier.isRepeatable {
        problems.append("\(earlier.name) takes all arguments, so \(later.name) is never set.")
      } else if later.isRequired, !earlier.isRequired {
        problems.append("\(later.name) is required, but follows optional \(earlier.name).")
      }
    }
    return problems
  }
}

extension ArgumentInfo {
  fileprivate var spellings: [String] {
    [spelling] + aliases.map { "--" + $0 } + (short.map { ["-\($0)"] } ?? [])
  }

  fileprivate func problems() -> [String] {
    var problems: [String] = []
    let isNamed =
      kind == .positional ? name.lowercased() != name && isPlain(name) : isOptionName(name)
    if !isNamed { problems.append("has an invalid name") }
    if !help.hasSuffix(".") { problems.append("has no help sentence") }
    if kind == .option, value.isEmpty { problems.append("has no name for its value") }
    if let short, !(short.isASCII && short.isLetter) {
      problems.append("has a short form that is not a letter")
    }
    return problems
  }
}

private func isPlain(_ name: some StringProtocol) -> Bool {
  name.first?.isLetter == true && name.utf8.allSatisfy { $0 < 0x7f && $0 > 0x20 && $0 != 0x3d }
}

private func isOptionName(_ name: some StringProtocol) -> Bool {
  isPlain(name) && name.lowercased() == name
}
