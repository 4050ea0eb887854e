// SPDX-License-Identifier: Apache-2.0

/// Finds arithmetic on numbers that come from outside of the program (decision record 0067).
///
/// Conversions, negation and absolute values saturate in every module that sees `PhotoEditNumbers`.
/// Sums, differences, products and quotients do not; neither does memory that is reserved for a
/// count. So the modules that read JSON, databases, records and arguments are scanned for them.
/// Readers of images and videos check every number themselves and are fuzzed.
struct NumberRules {
  static let module = "PhotoEditNumbers"
  static let scannedModules = [
    "PhotoEdit", "PhotoEditCommandLine", "PhotoEditLibrary", "PhotoEditServer", "PhotoEditSQLite",
    "PhotoEditTool",
  ]

  /// What reads a number of any size from a value, a row, a property list or a text.
  private static let readers = [
    ".integerValue", ".numberValue", ".int(", ".optionalInt(", ".real(", ".optionalReal(",
    ".integer(\"", "Int($0)", "Double($0)", "Int(parts", "Int(words", "Int(clock", "Int(argument",
    "Int(text",
  ]

  /// Names that also denote counts and positions in memory, so that those of another file mean
  /// nothing.
  private static let ambiguous: Set = [
    "count", "index", "first", "last", "start", "end", "text", "rawValue", "bytes", "name", "found",
    "item", "library", "value", "row", "rows", "columns", "number", "x", "y", "position", "length",
    "type", "selection", "total",
  ]

  /// The names of numbers from outside in one file.
  private let local: Set<String>
  /// The names of their properties in the other files of the module.
  private let shared: Set<String>

  private init(_ file: TextFile, shared: Set<String>) {
    local = Self.names(in: file)
    self.shared = shared
  }

  /// The lines with arithmetic on such numbers, as "Sources/A/B.swift:12: a + b".
  static func findings(in files: [TextFile]) -> [String] {
    let shared = files.reduce(into: Set<String>()) { $0.formUnion(names(in: $1)) }
      .subtracting(ambiguous)
    return files.flatMap { file in
      let rules = NumberRules(file, shared: shared)
      return file.findings { line in rules.isFinding(code(line)) ? String(line) : nil }
    }
  }

  /// The files in which conversions trap, because no module that they see re-exports the saturating
  /// ones.
  static func filesWithoutNumbers(_ files: [TextFile]) -> [String] {
    var exports: [String: Set<String>] = [:]
    for file in files {
      guard let own = file.module else { continue }
      exports[own, default: []].formUnion(
        file.lines.filter { $0.containsBytes(of: "@_exported") }
          .compactMap { ImportRules.imported(by: $0) })
    }
    func sees(_ name: String) -> Bool {
      name == module || exports[name]?.contains { $0 != name && sees($0) } == true
    }
    return files.filter { file in
      let imports = file.lines.compactMap { ImportRules.imported(by: $0) }
      return !sees(file.module ?? "") && !imports.contains(where: sees)
    }.map(\.path)
  }

  // MARK: Names

  private static func names(in file: TextFile) -> Set<String> {
    var names: Set<String> = []
    for line in file.lines {
      let text = code(line, keepsStrings: true)
      for reader in readers where text.containsBytes(of: reader) {
        var pieces = text.ranges(of: reader).map { text[..<$0.lowerBound] }
        if let tuple = text.firstRange(of: ") = (") { pieces.append(text[..<tuple.upperBound]) }
        for piece in pieces { names.formUnion(boundNames(before: piece)) }
      }
    }
    return names.subtracting(["self", "default", "nil"])
  }

  /// The names to which the value after a text is bound: by "=", as an argument, or as a property.
  private static func boundNames(before text: Substring) -> [String] {
    let words = text.split(separator: " ").map(String.init)
    if text.hasSuffix(") = ("), let open = text.dropLast(5).lastIndex(of: "(") {
      return text[open...].split { !isPart($0) }.map { String($0) }
    }
    // The type of "let name: Int = …" and of "var name: Int { … }" is between name and mark.
    func hasType(_ place: Int) -> Bool { place > 1 && words[place - 2].hasSuffix(":") }
    guard
      let place = words.indices.last(where: { place in
        words[place] == "=" || words[place].hasSuffix(":") || words[place] == "{" && hasType(place)
      })
    else { return [] }
    let isMark = words[place].count == 1
    let index = isMark ? place - (hasType(place) ? 2 : 1) : place
    let name = words.indices.contains(index) ? words[index].split { !isPart($0) }.last : nil
    return name.map { [String($0)] } ?? []
  }

  // MARK: Sizes

  /// The arguments of calls that make a size of differences: a negative one would end the process.
  static func sizesOfDifferences(in file: TextFile) -> [String] {
    let text = file.lines.map { code($0) }.joined(separator: " ")
    return text.ranges(of: "PixelSize(").compactMap { name in
      var depth = 1
      let call = text[name.upperBound...].prefix { character in
        depth += character == "(" ? 1 : character == ")" ? -1 : 0
        return depth > 0
      }
      let words = call.split(separator: " ")
      // Rounding up subtracts 1.
      let isDifference = words.indices.dropLast().contains { index in
        words[index] == "-" && words[index + 1].filter { isPart($0) } != "1"
      }
      return isDifference ? file.path + ": " + words.joined(separator: " ") : nil
    }
  }

  // MARK: Lines

  private func isFinding(_ text: Substring) -> Bool {
    guard !text.containsBytes(of: "Saturated("), !text.containsBytes(of: "ReportingOverflow") else {
      return false
    }
    for mark in ["reserveCapacity(", "repeating: ", ".allocate(", "Capacity: "] {
      if let call = text.firstRange(of: mark), isOutside(in: text[call.upperBound...]) {
        return true
      }
    }
    let words = text.split(separator: " ")
    return words.indices.dropFirst().dropLast().contains { index in
      switch words[index] {
      case "+", "-", "*", "+=", "-=", "*=":
        isOutside(left: words[index - 1]) || isOutside(right: words[index + 1])
      case "/", "%", "/=", "%=": isOutside(right: words[index + 1])
      default: false
      }
    }
  }

  /// Returns whether an argument names a number from outside.
  private func isOutside(in text: Substring) -> Bool {
    text.split { !Self.isPart($0) && $0 != "." && $0 != "?" }.contains { isOutside(chain: $0) }
  }

  private func isOutside(left word: Substring) -> Bool {
    if word.contains("Double(") { return false }
    let end = word.lastIndex { !")]?!".contains($0) }.map { word[...$0] } ?? ""
    let start = end.lastIndex { !Self.isPart($0) && !".?!".contains($0) }
    return isOutside(chain: start.map { end[end.index(after: $0)...] } ?? end)
  }

  private func isOutside(right word: Substring) -> Bool {
    let start = word.drop { "([!-".contains($0) }
    let chain = start.prefix { Self.isPart($0) || ".?!".contains($0) }
    // A call, or the label of an argument.
    if let next = start.dropFirst(chain.count).first, "(:".contains(next) { return false }
    return isOutside(chain: chain)
  }

  /// Returns whether "a.b?.c" is such a number, or "c" in the file that read it.
  private func isOutside(chain: Substring) -> Bool {
    let parts = chain.split { ".?!".contains($0) }
    guard let last = parts.last.map(String.init) else { return false }
    return local.contains(last) || (parts.count > 1 && shared.contains(last))
  }

  private static func isPart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_" || character == "$"
  }

  /// A line without its comment and, by default, without the contents of its texts.
  private static func code(_ line: Substring, keepsStrings: Bool = false) -> Substring {
    guard line.contains(where: { "\"/".contains($0) }) else { return line }
    var (text, isText, isEscaped) = ("", false, false)
    for character in line {
      if isText {
        if keepsStrings || (character == "\"" && !isEscaped) { text.append(character) }
        if character == "\"", !isEscaped { isText = false }
        isEscaped = character == "\\" && !isEscaped
      } else {
        if character == "/", text.last == "/" { return text.dropLast() }
        text.append(character)
        isText = character == "\""
      }
    }
    return text[...]
  }
}
