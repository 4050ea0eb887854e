// SPDX-License-Identifier: Apache-2.0

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
    if option.kind == .option, value == nil {
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
