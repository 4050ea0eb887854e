// SPDX-License-Identifier: Apache-2.0
internal import PhotoEditContainers

/// A program: its name, its version and its commands.
package struct ProgramDescription: Sendable {
  /// A part of the program with a version of its own.
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
  ///   - components: Shown by `--version`, and only then asked for.
  ///   - check: Asked before a command runs; refuses an environment that no command can work in.
  ///   - finish: Called when a command has ended, also one that failed; told whether somebody stopped
  ///     it and waits.
  ///   - commands: In the order of the help.
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

  /// Finds the command that the words begin with, and takes its name off.
  ///
  /// - Throws: A usage failure with the nearest name.
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
        isAlone ? "\(first): needs a second word" : "\(two): unknown command",
        hint: nearestWord(to: two, among: verbs).map(didYouMean)
          ?? "one of: " + verbs.joined(separator: ", "))
    }
    let hint = nearestWord(to: two, among: names) ?? nearestWord(to: first, among: names)
    throw .usage("\(first): unknown command", hint: hint.map(didYouMean))
  }

  /// The commands whose first of two words is this noun.
  func commands(of noun: String) -> [any Command.Type] {
    commands.filter { $0.name.utf8.starts(with: "\(noun) ".utf8) }
  }
}
