// SPDX-License-Identifier: Apache-2.0
internal import PhotoEditContainers
import PhotoEditStorage

/// Parses command-line arguments into bound values according to POSIX and GNU conventions.
///
/// `--name value`, `--name=value`, `-n value`, `-nvalue`, `-n=value`, bundled flags such as `-qf`;
/// options may follow positional arguments; `--` ends the options, and `-` is a positional
/// argument.
struct ArgumentParser {
  let arguments: [BoundArgument]
  /// Indicates whether parsing ends before the first positional argument, which is then a command.
  var stopsAtCommand = false

  /// Parses the arguments and returns those that were not parsed.
  func parse(_ tokens: ArraySlice<String>) throws(CommandFailure) -> ArraySlice<String> {
    var leftOut: [DamagedArgument] = []
    return try parse(tokens, &leftOut)
  }

  /// Parses the arguments and returns those that were not parsed.
  ///
  /// - Parameter leftOut: Receives the inputs that are not valid UTF-8, if there are others.
  func parse(
    _ tokens: ArraySlice<String>, _ leftOut: inout [DamagedArgument]
  ) throws(CommandFailure) -> ArraySlice<String> {
    var rest = tokens
    var operands: ArraySlice<String> = []
    var specified: Set<String> = []
    while let token = rest.first {
      if token == "--" {
        if stopsAtCommand { return rest.dropFirst() }
        operands += rest.dropFirst()
        break
      } else if token.utf8.starts(with: "--".utf8) {
        rest.removeFirst()
        specified.insert(try readLong(token, &rest))
      } else if token.utf8.first == UInt8(ascii: "-"), token.utf8.count > 1, !isOperand(token) {
        rest.removeFirst()
        specified.formUnion(try readShort(token, &rest))
      } else if stopsAtCommand {
        return rest
      } else {
        operands.append(rest.removeFirst())
      }
    }
    for argument in arguments where argument.info.isRequired && argument.info.kind == .option {
      guard specified.contains(argument.info.name) else {
        throw .usage("\(argument.info.spelling): missing required option")
      }
    }
    try assign(operands, &leftOut)
    return []
  }

  /// Returns whether a token that begins with a hyphen is a positional argument: an excluded word
  /// that is neither flags, such as `-qv`, nor an option with its value, such as `-LPhotos`.
  private func isOperand(_ token: String) -> Bool {
    guard arguments.contains(where: { $0.info.kind == .positional && $0.info.allowsHyphens })
    else { return false }
    let kinds = token.utf8.dropFirst().map { argument(short: $0)?.info.kind }
    return kinds.first != .option && !kinds.allSatisfy { $0 == .flag }
  }

  /// Parses `--name`, `--name value` or `--name=value`.
  private func readLong(
    _ token: String, _ rest: inout ArraySlice<String>
  ) throws(CommandFailure) -> String {
    // Searches bytes, because a combining mark after '=' would hide it from a search by character.
    let body = token.utf8.dropFirst(2)
    let equals = body.firstIndex(of: UInt8(ascii: "="))
    let name = String(Substring(body[..<(equals ?? body.endIndex)]))
    guard let argument = arguments.first(where: { $0.info.isOption(named: name) }) else {
      throw unknown("--" + name)
    }
    let inline = equals.map { String(Substring(body[body.index(after: $0)...])) }
    if argument.info.kind == .flag {
      guard inline == nil else { throw .usage("--\(name): does not take a value") }
      try store("", in: argument, as: "--" + name)
    } else {
      let value =
        if let inline = inline ?? argument.info.impliedValue {
          inline
        } else {
          try nextValue(for: argument, as: "--" + name, &rest)
        }
      try store(value, in: argument, as: "--" + name)
    }
    return argument.info.name
  }

  /// Parses `-n value`, `-nvalue` or a bundle of flags that may end with an option.
  private func readShort(
    _ token: String, _ rest: inout ArraySlice<String>
  ) throws(CommandFailure) -> [String] {
    var names: [String] = []
    var body = token.utf8.dropFirst()
    while let byte = body.popFirst() {
      guard let argument = argument(short: byte) else { throw unknown(token) }
      names.append(argument.info.name)
      let spelling = "-" + String(UnicodeScalar(byte))
      if argument.info.kind == .flag {
        try store("", in: argument, as: spelling)
        continue
      }
      if body.isEmpty {
        try store(nextValue(for: argument, as: spelling, &rest), in: argument, as: spelling)
      } else {
        if body.first == UInt8(ascii: "=") { body.removeFirst() }
        try store(String(Substring(body)), in: argument, as: spelling)
      }
      break
    }
    return names
  }

  /// Returns the next argument as a value unless it is clearly another option: `-1` is a value.
  private func nextValue(
    for argument: BoundArgument, as spelling: String, _ rest: inout ArraySlice<String>
  ) throws(CommandFailure) -> String {
    guard let token = rest.first else {
      throw .usage("\(spelling): missing value \(argument.info.value)")
    }
    guard token != "--", !isDeclared(token) else {
      throw .usage(
        "\(spelling): missing value \(argument.info.value) (found option '\(token)')",
        hint: "use '--\(argument.info.name)=\(token)' to pass it as the value")
    }
    rest.removeFirst()
    return token
  }

  /// Assigns the operands to the positional arguments in order.
  private func assign(
    _ operands: ArraySlice<String>, _ leftOut: inout [DamagedArgument]
  ) throws(CommandFailure) {
    var operands = operands
    for argument in arguments where argument.info.kind == .positional {
      let legible = operands.filter { DamagedArgument(word: $0) == nil }
      if argument.info.isRepeatable, !legible.isEmpty {
        leftOut = operands.compactMap { DamagedArgument(word: $0) }
        operands = legible[...]
      }
      guard !operands.isEmpty else {
        if argument.info.isRequired {
          throw .usage("missing \(argument.info.name): \(argument.info.helpClause)")
        }
        continue
      }
      repeat {
        try store(operands.removeFirst(), in: argument, as: argument.info.name)
      } while argument.info.isRepeatable && !operands.isEmpty
    }
    if let token = operands.first {
      if let damaged = DamagedArgument(word: token) { throw damaged.usageError }
      throw .usage("'\(token)': unexpected argument")
    }
  }

  private func store(
    _ text: String, in argument: BoundArgument, as spelling: String
  ) throws(CommandFailure) {
    if let damaged = DamagedArgument(word: text) { throw damaged.usageError }
    try translating(
      { (error: ArgumentError) in
        CommandFailure.usage("\(spelling): \(error.message)", hint: error.hint)
      }, argument.store(text))
  }

  private func argument(short byte: UInt8) -> BoundArgument? {
    arguments.first { $0.info.short?.asciiValue == byte }
  }

  private func isDeclared(_ token: String) -> Bool {
    let bytes = token.utf8
    if bytes.count == 2, bytes.first == UInt8(ascii: "-"), let short = bytes.last {
      return argument(short: short) != nil
    }
    guard bytes.starts(with: "--".utf8) else { return false }
    let name = String(token.dropFirst(2).prefix { $0 != "=" })
    return arguments.contains { $0.info.isOption(named: name) }
  }

  private func unknown(_ token: String) -> CommandFailure {
    let known = arguments.filter { $0.info.kind != .positional }.map(\.info.spelling)
    return .usage(
      "\(token): unknown option",
      hint: nearestMatch(to: token, among: known).map(didYouMean)
        ?? "for a file name that starts with '-', use './\(token)' or put it after '--'")
  }
}
