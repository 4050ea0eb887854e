// SPDX-License-Identifier: Apache-2.0
internal import PhotoEditContainers

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
  func parse(_ words: ArraySlice<String>) throws(CommandFailure) -> ArraySlice<String> {
    var rest = words
    var operands: ArraySlice<String> = []
    var given: Set<String> = []
    while let word = rest.first {
      if word == "--" {
        if stopsAtCommand { return rest.dropFirst() }
        operands += rest.dropFirst()
        break
      } else if word.utf8.starts(with: "--".utf8) {
        rest.removeFirst()
        given.insert(try readLong(word, &rest))
      } else if word.utf8.first == UInt8(ascii: "-"), word.utf8.count > 1 {
        rest.removeFirst()
        given.formUnion(try readShort(word, &rest))
      } else if stopsAtCommand {
        return rest
      } else {
        operands.append(rest.removeFirst())
      }
    }
    for argument in arguments where argument.info.isRequired && argument.info.kind == .option {
      guard given.contains(argument.info.name) else {
        throw .usage("\(argument.info.spelling): missing required option")
      }
    }
    try assign(operands)
    return []
  }

  /// Parses `--name`, `--name value` or `--name=value`.
  private func readLong(
    _ word: String, _ rest: inout ArraySlice<String>
  ) throws(CommandFailure) -> String {
    // Searches bytes, because a combining mark after '=' would hide it from a search by character.
    let body = word.utf8.dropFirst(2)
    let equals = body.firstIndex(of: UInt8(ascii: "="))
    let name = String(Substring(body[..<(equals ?? body.endIndex)]))
    guard
      let argument = arguments.first(where: { $0.info.name == name && $0.info.kind != .positional })
    else { throw unknown("--" + name) }
    let inline = equals.map { String(Substring(body[body.index(after: $0)...])) }
    if argument.info.kind == .flag {
      guard inline == nil else { throw .usage("--\(name): does not take a value") }
      try store("", in: argument, as: "--" + name)
    } else {
      let value =
        if let inline { inline } else { try nextValue(for: argument, as: "--" + name, &rest) }
      try store(value, in: argument, as: "--" + name)
    }
    return name
  }

  /// Parses `-n value`, `-nvalue` or a bundle of flags that may end with an option.
  private func readShort(
    _ word: String, _ rest: inout ArraySlice<String>
  ) throws(CommandFailure) -> [String] {
    var names: [String] = []
    var body = word.utf8.dropFirst()
    while let byte = body.popFirst() {
      guard let argument = argument(short: byte) else { throw unknown(word) }
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
    guard let word = rest.first else {
      throw .usage("\(spelling): missing value \(argument.info.value)")
    }
    guard word != "--", !isDeclared(word) else {
      throw .usage(
        "\(spelling): missing value \(argument.info.value) (found option '\(word)')",
        hint: "use '--\(argument.info.name)=\(word)' to pass it as the value")
    }
    rest.removeFirst()
    return word
  }

  /// Assigns the operands to the positional arguments in order.
  private func assign(
    _ operands: ArraySlice<String>
  ) throws(CommandFailure) {
    var operands = operands
    for argument in arguments where argument.info.kind == .positional {
      guard !operands.isEmpty else {
        if argument.info.isRequired {
          throw .usage("missing \(argument.info.name): \(argument.info.help)")
        }
        continue
      }
      repeat {
        try store(operands.removeFirst(), in: argument, as: argument.info.name)
      } while argument.info.isRepeatable && !operands.isEmpty
    }
    if let word = operands.first { throw .usage("'\(word)': unexpected argument") }
  }

  private func store(
    _ text: String, in argument: BoundArgument, as spelling: String
  ) throws(CommandFailure) {
    do {
      try argument.store(text)
    } catch {
      throw .usage("\(spelling): \(error.message)", hint: error.hint)
    }
  }

  private func argument(short byte: UInt8) -> BoundArgument? {
    arguments.first { $0.info.short?.asciiValue == byte }
  }

  private func isDeclared(_ word: String) -> Bool {
    let bytes = word.utf8
    if bytes.count == 2, bytes.first == UInt8(ascii: "-"), let short = bytes.last {
      return argument(short: short) != nil
    }
    let spelling = word.prefix { $0 != "=" }
    return arguments.contains { $0.info.kind != .positional && $0.info.spelling == spelling }
  }

  private func unknown(_ word: String) -> CommandFailure {
    let known = arguments.filter { $0.info.kind != .positional }.map(\.info.spelling)
    return .usage(
      "\(word): unknown option",
      hint: nearestWord(to: word, among: known).map(didYouMean)
        ?? "for a file name that starts with '-', use './\(word)' or put it after '--'")
  }
}
