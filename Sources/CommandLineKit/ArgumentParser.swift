// SPDX-License-Identifier: Apache-2.0

/// Reads words into a value, the POSIX and GNU way.
///
/// `--name value`, `--name=value`, `-n value`, `-nvalue`, `-n=value`, flags bundled as `-qf`;
/// options may follow positional arguments; `--` ends the options and `-` is a plain word.
struct ArgumentParser<Root> {
  let parts: [ArgumentPart<Root>]
  /// Whether reading ends before the first plain word, which is then a command.
  var stopsAtCommand = false

  /// Reads the words into `root` and gives back those that were not read.
  func parse(
    _ words: ArraySlice<String>, into root: inout Root
  ) throws(CommandFailure) -> ArraySlice<String> {
    var rest = words
    var operands: ArraySlice<String> = []
    var given: Set<String> = []
    while let word = rest.first {
      if word == "--" {
        operands += rest.dropFirst()
        break
      } else if word.utf8.starts(with: "--".utf8) {
        rest.removeFirst()
        given.insert(try readLong(word, &rest, &root))
      } else if word.utf8.first == UInt8(ascii: "-"), word.utf8.count > 1 {
        rest.removeFirst()
        given.formUnion(try readShort(word, &rest, &root))
      } else if stopsAtCommand {
        return rest
      } else {
        operands.append(rest.removeFirst())
      }
    }
    for part in parts where part.info.isRequired && part.info.kind == .option {
      guard given.contains(part.info.name) else {
        throw .usage("\(part.info.spelling): missing, and this command needs it")
      }
    }
    try assign(operands, &root)
    return []
  }

  /// Reads `--name`, `--name value` or `--name=value`.
  private func readLong(
    _ word: String, _ rest: inout ArraySlice<String>, _ root: inout Root
  ) throws(CommandFailure) -> String {
    // Bytes, because a combining mark after '=' would hide it from a search by character.
    let body = word.utf8.dropFirst(2)
    let equals = body.firstIndex(of: UInt8(ascii: "="))
    let name = String(Substring(body[..<(equals ?? body.endIndex)]))
    guard let part = parts.first(where: { $0.info.name == name && $0.info.kind != .positional })
    else { throw unknown("--" + name) }
    let inline = equals.map { String(Substring(body[body.index(after: $0)...])) }
    if part.info.kind == .flag {
      guard inline == nil else { throw .usage("--\(name): takes no value") }
      try store("", in: part, as: "--" + name, &root)
    } else {
      let value =
        if let inline { inline } else { try nextValue(for: part, as: "--" + name, &rest) }
      try store(value, in: part, as: "--" + name, &root)
    }
    return name
  }

  /// Reads `-n value`, `-nvalue` or a bundle of flags that may end with an option.
  private func readShort(
    _ word: String, _ rest: inout ArraySlice<String>, _ root: inout Root
  ) throws(CommandFailure) -> [String] {
    var names: [String] = []
    var body = word.utf8.dropFirst()
    while let byte = body.popFirst() {
      guard let part = part(short: byte) else { throw unknown(word) }
      names.append(part.info.name)
      let spelling = "-" + String(UnicodeScalar(byte))
      if part.info.kind == .flag {
        try store("", in: part, as: spelling, &root)
        continue
      }
      if body.isEmpty {
        try store(nextValue(for: part, as: spelling, &rest), in: part, as: spelling, &root)
      } else {
        if body.first == UInt8(ascii: "=") { body.removeFirst() }
        try store(String(Substring(body)), in: part, as: spelling, &root)
      }
      break
    }
    return names
  }

  /// Takes the next word as a value, unless it is plainly another option: `-1` is a value.
  private func nextValue(
    for part: ArgumentPart<Root>, as spelling: String, _ rest: inout ArraySlice<String>
  ) throws(CommandFailure) -> String {
    guard let word = rest.first else {
      throw .usage("\(spelling): needs a value, \(part.info.value)")
    }
    guard word != "--", !isDeclared(word) else {
      throw .usage(
        "\(spelling): needs a value, \(part.info.value), but '\(word)' follows",
        hint: "write '--\(part.info.name)=\(word)' if that is the value")
    }
    rest.removeFirst()
    return word
  }

  /// Gives the plain words to the positional arguments in their order.
  private func assign(
    _ operands: ArraySlice<String>, _ root: inout Root
  ) throws(CommandFailure) {
    var operands = operands
    for part in parts where part.info.kind == .positional {
      guard !operands.isEmpty else {
        if part.info.isRequired { throw .usage("missing \(part.info.name): \(part.info.help)") }
        continue
      }
      repeat {
        try store(operands.removeFirst(), in: part, as: part.info.name, &root)
      } while part.info.isRepeatable && !operands.isEmpty
    }
    if let word = operands.first { throw .usage("'\(word)': one argument too many") }
  }

  private func store(
    _ text: String, in part: ArgumentPart<Root>, as spelling: String, _ root: inout Root
  ) throws(CommandFailure) {
    do {
      try part.store(&root, text)
    } catch {
      throw .usage("\(spelling): \(error.message)", hint: error.hint)
    }
  }

  private func part(short byte: UInt8) -> ArgumentPart<Root>? {
    parts.first { $0.info.short?.asciiValue == byte }
  }

  private func isDeclared(_ word: String) -> Bool {
    let bytes = word.utf8
    if bytes.count == 2, bytes.first == UInt8(ascii: "-"), let short = bytes.last {
      return part(short: short) != nil
    }
    let spelling = word.prefix { $0 != "=" }
    return parts.contains { $0.info.kind != .positional && $0.info.spelling == spelling }
  }

  private func unknown(_ word: String) -> CommandFailure {
    let known = parts.filter { $0.info.kind != .positional }.map(\.info.spelling)
    return .usage(
      "\(word): unknown option",
      hint: nearestWord(to: word, among: known).map(didYouMean)
        ?? "a file whose name begins with '-' is written './\(word)' or after '--'")
  }
}
