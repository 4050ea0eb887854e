// SPDX-License-Identifier: Apache-2.0

/// The text of a module or a style sheet as the page receives it: without comments and indentation.
///
/// Lines keep their numbers, so that an error in the browser names the line of the source file.
struct PageSource {
  private let source: [UInt8]
  private var output: [UInt8] = []
  private var index = 0
  private var isLineStart = true
  /// The open braces in each substitution of a template that contains the position.
  private var substitutions: [Int] = []

  private init(_ source: [UInt8]) {
    self.source = source
    output.reserveCapacity(source.count)
  }

  /// Returns the contents of a file without what only its readers need.
  static func stripped(_ bytes: [UInt8], of path: String) -> [UInt8] {
    var page = Self(bytes)
    if path.hasSuffix(".js") {
      page.strip(isScript: true)
    } else if path.hasSuffix(".css") {
      page.strip(isScript: false)
    } else {
      return bytes
    }
    return page.output
  }

  private mutating func strip(isScript: Bool) {
    while index < source.count {
      let byte = source[index]
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"):
        if !isLineStart { output.append(byte) }
        index += 1
      case UInt8(ascii: "\n"):
        removeTrailingSpaces()
        output.append(byte)
        index += 1
        isLineStart = true
      case UInt8(ascii: "/") where next == UInt8(ascii: "*"): skipBlockComment()
      case UInt8(ascii: "/") where isScript && next == UInt8(ascii: "/"):
        while index < source.count, source[index] != UInt8(ascii: "\n") { index += 1 }
      default:
        isLineStart = false
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
          copy(through: byte)
        } else if isScript {
          copyOfScript(byte)
        } else {
          copy()
        }
      }
    }
  }

  private var next: UInt8? { index + 1 < source.count ? source[index + 1] : nil }

  private mutating func copy() {
    output.append(source[index])
    index += 1
  }

  private mutating func copyOfScript(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "`"):
      copy()
      copyTemplate()
    case UInt8(ascii: "{"):
      copy()
      if let last = substitutions.indices.last { substitutions[last] += 1 }
    case UInt8(ascii: "}"):
      copy()
      guard let last = substitutions.indices.last else { return }
      substitutions[last] -= 1
      guard substitutions[last] < 0 else { return }
      substitutions.removeLast()
      copyTemplate()
    case UInt8(ascii: "/") where canBeginExpression && !endOfExpression().isEmpty:
      for _ in endOfExpression() { copy() }
    default: copy()
    }
  }

  /// Copies a string that begins here.
  private mutating func copy(through quote: UInt8) {
    copy()
    while index < source.count {
      let byte = source[index]
      if byte == UInt8(ascii: "\\") { copy() }
      if index < source.count { copy() }
      if byte == quote { return }
    }
  }

  /// Copies the text of a template up to its end or to a substitution.
  private mutating func copyTemplate() {
    while index < source.count {
      let byte = source[index]
      let isSubstitution = byte == UInt8(ascii: "$") && next == UInt8(ascii: "{")
      if byte == UInt8(ascii: "\\") || isSubstitution { copy() }
      if index < source.count { copy() }
      if isSubstitution {
        substitutions.append(0)
        return
      }
      if byte == UInt8(ascii: "`") { return }
    }
  }

  /// Skips a comment; what is before it and after it stays apart.
  private mutating func skipBlockComment() {
    index += 2
    var hasLines = false
    while index < source.count {
      if source[index] == UInt8(ascii: "*"), next == UInt8(ascii: "/") { break }
      if source[index] == UInt8(ascii: "\n") {
        removeTrailingSpaces()
        output.append(UInt8(ascii: "\n"))
        (hasLines, isLineStart) = (true, true)
      }
      index += 1
    }
    index = min(source.count, index + 2)
    if !hasLines, !isLineStart { output.append(UInt8(ascii: " ")) }
  }

  private mutating func removeTrailingSpaces() {
    while let last = output.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") {
      output.removeLast()
    }
  }

  // MARK: Regular expressions

  /// Indicates whether a slash after what was copied begins a regular expression, and does not
  /// divide.
  private var canBeginExpression: Bool {
    let isSpace: (UInt8) -> Bool = { " \t\n".utf8.contains($0) }
    guard let end = output.lastIndex(where: { !isSpace($0) }) else { return true }
    let last = output[end]
    if Self.isWord(last) {
      let start = output[...end].lastIndex { !Self.isWord($0) }.map { $0 + 1 } ?? 0
      return Self.keywords.contains(String(decoding: output[start...end], as: UTF8.self))
    }
    // After an increment, as after a value, it divides.
    if end > 0, output[end - 1] == last, "+-".utf8.contains(last) { return false }
    return !")]}\"'`/".utf8.contains(last)
  }

  /// Returns the range of a regular expression that begins here, without its flags; empty if it does
  /// not end in its line.
  private func endOfExpression() -> Range<Int> {
    var (end, isClass) = (index + 1, false)
    while end < source.count, source[end] != UInt8(ascii: "\n") {
      switch source[end] {
      case UInt8(ascii: "\\"): end += 1
      case UInt8(ascii: "["): isClass = true
      case UInt8(ascii: "]"): isClass = false
      case UInt8(ascii: "/") where !isClass: return index..<(end + 1)
      default: break
      }
      end += 1
    }
    return index..<index
  }

  /// The words after which an expression begins.
  private static let keywords: Set = [
    "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do", "await",
    "yield", "instanceof",
  ]

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }
}
