// SPDX-License-Identifier: Apache-2.0

extension ProgramDescription {
  /// The hidden command that the scripts of the shells call.
  static let completionCommand = "__complete"

  /// Returns the completions of the last word of a command line.
  ///
  /// - Parameter words: The words after the program's name; the last one may be empty.
  func completion(of words: [String], in environment: CommandEnvironment) -> Completion {
    let word = words.last ?? ""
    var root = CommandLineScan(
      RootOptions.arguments.flatMap(\.parts).map(\.info)
        + CommonOptions.arguments(writesJSON: true, in: Slot(CommonOptions())).map(\.info))
    var rest = words.dropLast()
    while root.operands.isEmpty, let next = rest.popFirst() { root.read(next) }
    guard let first = root.operands.first else {
      return completion(of: word, after: root, command: "", environment, operands: names(after: []))
    }
    if first == "help" {
      let topics = [("options", "list the options of all commands"), ("exit-codes", "")]
      return Completion(
        names(after: Array(rest)) + (rest.isEmpty ? topics.map { .init($0.0, $0.1) } : []))
    }
    var tokens = ([first] + rest)[...]
    guard let command = try? self.command(in: &tokens) else {
      return Completion(rest.isEmpty ? names(after: [first]) : [])
    }
    let info = command.info
    var scan = CommandLineScan(info.arguments)
    for token in tokens { scan.read(token) }
    return completion(of: word, after: scan, command: info.name, environment, operands: nil)
  }

  /// The next words of the commands that begin with the given words.
  private func names(after words: [String]) -> [Completion.Candidate] {
    var names: [Completion.Candidate] = []
    for command in commands {
      let tokens = command.name.split(separator: " ").map(String.init)
      guard tokens.count > words.count, tokens.starts(with: words) else { continue }
      let next = tokens[words.count]
      guard names.last?.text != next else { continue }
      let isGroup = tokens.count > words.count + 1
      names.append(
        .init(
          next,
          isGroup
            ? commands(of: next).map { $0.name.dropFirst(next.count + 1) }.joined(separator: ", ")
            : command.info.abstract))
    }
    return names + (words.isEmpty ? [.init("help", "Show help for a command.")] : [])
  }

  /// Returns the completions of a word after the arguments before it.
  ///
  /// - Parameter operands: The candidates for an operand; nil for those of the command.
  private func completion(
    of word: String, after scan: CommandLineScan, command: String,
    _ environment: CommandEnvironment, operands: [Completion.Candidate]?
  ) -> Completion {
    func value(of argument: ArgumentInfo, from prefix: String) -> Completion {
      guard argument.choices.isEmpty else {
        return Completion(argument.choices.map { .init($0) })
      }
      return complete(
        CompletionRequest(
          command: command,
          placeholder: argument.kind == .positional ? argument.name : argument.value,
          prefix: prefix, options: scan.options, operands: scan.operands), environment)
    }
    if let option = scan.pending { return value(of: option, from: word) }
    if !scan.isPastOptions {
      if case let (option, prefix?)? = CommandLineScan.long(word, among: scan.arguments) {
        guard option.kind == .option else { return Completion() }
        let lead = String(word.dropLast(prefix.count))
        return value(of: option, from: prefix).prefixed(by: lead)
      }
      if word.utf8.starts(with: "-".utf8) {
        let options = scan.arguments.filter { argument in
          argument.kind != .positional && !argument.isHidden
            && (argument.isRepeatable || scan.options[argument.name] == nil)
        }
        return Completion(options.map { .init($0.spelling, $0.help) })
      }
    }
    if let operands { return Completion(operands) }
    return scan.nextOperand.map { value(of: $0, from: word) } ?? Completion()
  }
}

/// The words before the one to complete, sorted by the rules of `ArgumentParser`.
///
/// Unknown options are skipped: a completion has no errors.
struct CommandLineScan {
  let arguments: [ArgumentInfo]
  private(set) var operands: [String] = []
  private(set) var options: [String: [String]] = [:]
  /// The option whose value is missing.
  private(set) var pending: ArgumentInfo?
  /// Indicates whether "--" has ended the options.
  private(set) var isPastOptions = false

  init(_ arguments: [ArgumentInfo]) { self.arguments = arguments }

  mutating func read(_ word: String) {
    if let option = pending {
      pending = nil
      options[option.name, default: []].append(word)
    } else if isPastOptions || word == "-" || !word.utf8.starts(with: "-".utf8) {
      operands.append(word)
    } else if word == "--" {
      isPastOptions = true
    } else if let (option, value) = Self.long(word, among: arguments) {
      store(option, value)
    } else if !word.utf8.starts(with: "--".utf8) {
      readShort(word.dropFirst())
    }
  }

  /// Returns the option of `--name` or `--name=value`.
  static func long(
    _ word: String, among arguments: [ArgumentInfo]
  ) -> (option: ArgumentInfo, value: String?)? {
    guard word.hasPrefix("--") else { return nil }
    let parts = word.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let option = arguments.first(where: { $0.isOption(named: String(parts[0])) }) else {
      return nil
    }
    return (option, parts.count > 1 ? String(parts[1]) : nil)
  }

  private mutating func readShort(_ letters: Substring) {
    var letters = letters
    while let letter = letters.popFirst() {
      guard let option = arguments.first(where: { $0.short == letter }) else { return }
      guard option.kind == .flag else {
        if letters.first == "=" { letters.removeFirst() }
        return store(option, letters.isEmpty ? nil : String(letters))
      }
      store(option, nil)
    }
  }

  private mutating func store(_ option: ArgumentInfo, _ value: String?) {
    if option.kind == .option, value == nil, option.impliedValue == nil {
      pending = option
    } else {
      options[option.name, default: []].append(value ?? "")
    }
  }

  /// The positional argument that the next operand belongs to.
  var nextOperand: ArgumentInfo? {
    let positional = arguments.filter { $0.kind == .positional }
    if operands.count < positional.count { return positional[operands.count] }
    return positional.last.flatMap { $0.isRepeatable ? $0 : nil }
  }
}
