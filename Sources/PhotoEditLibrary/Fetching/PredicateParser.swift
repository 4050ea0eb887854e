// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite

extension FetchPredicate {
  /// Creates a predicate from a format string, as in PhotoKit.
  ///
  ///     mediaType == %d AND creationDate > %@ AND NOT (favorite == YES)
  ///     (mediaSubtypes & %d) != 0
  ///     title CONTAINS[c] "holiday" OR estimatedAssetCount BETWEEN {1, 10}
  ///
  /// Supported are the keys of the type and their aliases (`isFavorite`, `isHidden`, `identifier`,
  /// `SELF`); `==`, `=`, `!=`, `<>`, `<`, `<=`, `>`, `>=`, `IN`, `BETWEEN`; for strings also
  /// `CONTAINS`, `BEGINSWITH`, `ENDSWITH` and `LIKE`, each with `[c]` to treat A to Z as a to z, or
  /// `[cd]` to ignore case and diacritics; `ANY` before keywords, people and albums;
  /// `text MATCHES-WORDS "harbor boat*"`; `location IN BOX(south, west, north, east)`;
  /// `AND`, `OR`, `NOT`, `&&`, `||`, `!`, parentheses; `TRUEPREDICATE`, `FALSEPREDICATE`, `NULL`,
  /// `NIL`, `YES`, `NO`, numbers, quoted strings, `{…}`, `CAST(seconds since 2001, "NSDate")`,
  /// dates as ISO 8601 strings, and one argument for each `%@`, `%d`, `%f`, `%K` or similar.
  ///
  /// - Throws: `LibraryError` with `changeNotSupported` that contains the position, the text found
  ///   and the text allowed; the limits are 64 levels and 1 MiB.
  public init(format: String, _ arguments: [FetchArgument] = []) throws(LibraryError) {
    var parser = try PredicateParser(format, arguments, Object.source)
    node = try parser.predicate()
    try node.check()
  }

  /// Creates a predicate from a format string and its arguments one by one, as in PhotoKit.
  ///
  /// ```swift
  /// try FetchPredicate<Asset>(format: "mediaType == %d AND title == %@", MediaType.video, title)
  /// ```
  ///
  /// - Parameters:
  ///   - format: The format, as in `init(format:_:)` for a list of arguments.
  ///   - first: The value of the first `%` placeholder: a number, text, date, Boolean or an
  ///     enumeration of the library; a `FetchArgument` for a list or the null value.
  ///   - others: The values of the other placeholders.
  /// - Throws: `LibraryError`, as for a list of arguments.
  public init(
    format: String, _ first: any PredicateArgument, _ others: any PredicateArgument...
  ) throws(LibraryError) {
    var arguments = [first.fetchArgument]
    arguments.append(contentsOf: others.map { $0.fetchArgument })
    try self.init(format: format, arguments)
  }
}

/// Parses a predicate format string from left to right.
struct PredicateParser<Object: Sendable> {
  private let source: FetchSource<Object>
  private let tokens: [PredicateToken]
  private let arguments: [FetchArgument]
  private var at = 0
  private var argumentsUsed = 0
  private var depth = 0

  /// One side of a comparison.
  private enum Operand {
    case key(FetchColumn)
    case masked(FetchColumn, Int64)
    case value(FetchArgument)
  }

  init(
    _ text: String, _ arguments: [FetchArgument], _ source: FetchSource<Object>
  ) throws(LibraryError) {
    guard text.utf8.count <= PredicateLimits.length else {
      throw .predicateTooLong(text.utf8.count)
    }
    self.source = source
    self.arguments = arguments
    var scanner = PredicateScanner(text)
    tokens = try scanner.tokens()
    let needed = tokens.count { if case .placeholder = $0.kind { true } else { false } }
    guard needed == arguments.count else {
      throw .wrongArguments(given: arguments.count, needed: needed)
    }
  }

  mutating func predicate() throws(LibraryError) -> PredicateNode {
    let node = try alternatives()
    guard current.kind == .end else { throw unexpected("AND, OR or the end") }
    return node
  }

  // MARK: Tokens

  private var current: PredicateToken { tokens[min(at, tokens.count - 1)] }

  private func token(_ distance: Int) -> PredicateToken.Kind {
    tokens[min(at + distance, tokens.count - 1)].kind
  }

  private func isWord(_ distance: Int, _ word: String) -> Bool {
    if case .word(let text) = token(distance) { text.uppercased() == word } else { false }
  }

  private var position: Int { current.position }

  /// The current token, with a word in uppercase.
  private var uppercased: PredicateToken.Kind {
    if case .word(let text) = current.kind { .word(text.uppercased()) } else { current.kind }
  }

  private func unexpected(_ expected: String) -> LibraryError {
    .unexpected("unexpected \(current.shown)", expected: expected, position: position)
  }

  /// Consumes a keyword, ignoring case, or a symbol; returns whether it was there.
  private mutating func accept(_ keywords: String...) -> Bool {
    switch current.kind {
    case .word(let text) where keywords.contains(text.uppercased()): break
    case .symbol(let text) where keywords.contains(text): break
    default: return false
    }
    at += 1
    return true
  }

  private mutating func expect(_ symbol: String) throws(LibraryError) {
    guard accept(symbol) else { throw unexpected("\"\(symbol)\"") }
  }

  private mutating func argument() throws(LibraryError) -> FetchArgument {
    guard arguments.indices.contains(argumentsUsed) else {
      throw .wrongArguments(given: arguments.count, needed: argumentsUsed + 1)
    }
    at += 1
    argumentsUsed += 1
    return arguments[argumentsUsed - 1]
  }

  // MARK: AND, OR, NOT

  private mutating func alternatives() throws(LibraryError) -> PredicateNode {
    var parts = try conjunction().disjuncts
    while accept("OR", "||") { parts += try conjunction().disjuncts }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func conjunction() throws(LibraryError) -> PredicateNode {
    var parts = try negation().conjuncts
    while accept("AND", "&&") { parts += try negation().conjuncts }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func negation() throws(LibraryError) -> PredicateNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= PredicateLimits.depth else { throw .predicateTooDeep }
    if accept("NOT", "!") { return .not(try negation()) }
    if accept("TRUEPREDICATE") { return .constant(true) }
    if accept("FALSEPREDICATE") { return .constant(false) }
    if current.kind == .symbol("("), !isMaskAhead {
      at += 1
      let node = try alternatives()
      try expect(")")
      return node
    }
    return try comparison()
  }

  /// Indicates whether "(" starts `(key & bits)` and not a condition in parentheses.
  private var isMaskAhead: Bool { token(2) == .symbol("&") }

  // MARK: Operands

  private mutating func operand() throws(LibraryError) -> Operand {
    if accept("(") {
      // Nested parentheses are rejected, because each level would be a recursion.
      guard current.kind != .symbol("(") else { throw unexpected("(mediaSubtypes & bits)") }
      let masked = try operand()
      guard case .masked = masked else { throw unexpected("(mediaSubtypes & bits)") }
      try expect(")")
      return masked
    }
    guard let column = try key() else { return .value(try value()) }
    guard accept("&") else { return .key(column) }
    guard column.kind == .bits else {
      throw .wrongOperator(
        "&", column.name, allowed: PredicateOperators.of(column.kind), position: position)
    }
    let start = position
    guard case .integer(let bits) = try value() else {
      throw .wrongValue(column.name, allowed: "bits as an integer", position: start)
    }
    return .masked(column, bits)
  }

  private static var reserved: Set<String> {
    ["YES", "NO", "TRUE", "FALSE", "NULL", "NIL", "CAST"]
  }

  /// Consumes a key; nil if there is a value instead.
  private mutating func key() throws(LibraryError) -> FetchColumn? {
    let start = position
    switch current.kind {
    case .placeholder("K"):
      guard case .text(let name) = try argument() else {
        throw .wrongValue("%K", allowed: "a key as a string", position: start)
      }
      return try source.column(name, position: start)
    case .word(let text) where !Self.reserved.contains(text.uppercased()):
      let name = text.hasPrefix("SELF.") ? String(text.dropFirst(5)) : text
      let column = try source.column(name.uppercased() == "SELF" ? "SELF" : name, position: start)
      at += 1
      return column
    default: return nil
    }
  }

  private mutating func value() throws(LibraryError) -> FetchArgument {
    let start = position
    switch current.kind {
    case .placeholder(let letter) where letter != "K": return try argument()
    case .string(let text):
      at += 1
      return .text(text)
    case .number(let text):
      at += 1
      return try number(text, start)
    default: break
    }
    if accept("-") {
      guard case .number(let text) = current.kind else { throw unexpected("a number") }
      at += 1
      return try number("-" + text, start)
    }
    if accept("YES", "TRUE") { return true }
    if accept("NO", "FALSE") { return false }
    if accept("NULL", "NIL") { return .null }
    if accept("CAST") { return .date(try castDate()) }
    if accept("{") { return .list(try list()) }
    throw unexpected("a key or a value")
  }

  private func number(_ text: String, _ start: Int) throws(LibraryError) -> FetchArgument {
    if let whole = Int64(text) { return .integer(whole) }
    guard let real = Double(text) else {
      throw .unexpected(
        "invalid number \"\(text.prefix(40))\"", expected: "a number", position: start)
    }
    return .real(real)
  }

  private mutating func castDate() throws(LibraryError) -> Date {
    try expect("(")
    let start = position
    guard let seconds = try number() else {
      throw .wrongValue("CAST", allowed: "seconds since 2001", position: start)
    }
    try expect(",")
    guard case .string("NSDate") = current.kind else { throw unexpected("\"NSDate\"") }
    at += 1
    try expect(")")
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  /// Consumes a value, without recursion; nil if it is not a number.
  private mutating func number() throws(LibraryError) -> Double? {
    guard ![.word("CAST"), .symbol("{")].contains(uppercased) else { throw unexpected("a number") }
    return switch try value() {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }

  private mutating func list() throws(LibraryError) -> [FetchArgument] {
    var values: [FetchArgument] = []
    if accept("}") { return values }
    repeat {
      guard current.kind != .symbol("{") else { throw unexpected("a value, not a nested list") }
      values.append(try value())
    } while accept(",")
    try expect("}")
    return values
  }

  // MARK: Comparisons

  private mutating func comparison() throws(LibraryError) -> PredicateNode {
    let isAny = accept("ANY")
    let first = try operand()
    let start = position
    let name = try operatorName()
    let folding = try modifiers()
    let valueStart = position
    let builder = ComparisonBuilder(
      source: source, name: name, folding: folding, isAny: isAny, operatorPosition: start,
      valuePosition: valueStart)
    if case .key(let column) = first, accept("BOX") {
      return try builder.box(column, try numbers())
    }
    let second = try operand()
    switch (first, second) {
    case (.key(let column), .value(let value)): return try builder.compare(column, value)
    case (.masked(let column, let mask), .value(let value)):
      return try builder.masked(column, mask, value)
    case (.key(let first), .key(let second)): return try builder.compare(first, second)
    case (.value(let value), .key(let column)): return try builder.flipped(column, value)
    case (.value(let value), .masked(let column, let mask)):
      return try builder.masked(column, mask, value)
    default:
      throw .unexpected(
        "comparison of two values", expected: "a key on one side of the comparison",
        position: valueStart)
    }
  }

  private mutating func operatorName() throws(LibraryError) -> String {
    let name: String
    switch current.kind {
    case .symbol(let text) where ["==", "!=", "<", "<=", ">", ">="].contains(text): name = text
    case .symbol("="): name = "=="
    case .symbol("<>"): name = "!="
    case .symbol("=<"): name = "<="
    case .symbol("=>"): name = ">="
    case .word(let text)
    where text.uppercased() == "MATCHES" && token(1) == .symbol("-") && isWord(2, "WORDS"):
      name = "MATCHES-WORDS"
      at += 2
    case .word(let text) where PredicateOperators.keywords.contains(text.uppercased()):
      name = text.uppercased()
    default:
      throw unexpected(
        "==, !=, <, <=, >, >=, \(PredicateOperators.keywords.joined(separator: ", "))")
    }
    at += 1
    return name
  }

  /// Consumes `[c]` or `[cd]` if present.
  private mutating func modifiers() throws(LibraryError) -> TextFolding {
    guard accept("[") else { return .exact }
    let folding: TextFolding
    if accept("CD") {
      folding = .ignoringAccents
    } else if accept("C") {
      folding = .ignoringCase
    } else {
      throw unexpected("c, which ignores the case of A to Z only, or cd")
    }
    try expect("]")
    return folding
  }

  /// Consumes `(1, -2.5, …)`.
  private mutating func numbers() throws(LibraryError) -> [Double] {
    try expect("(")
    var numbers: [Double] = []
    repeat {
      let start = position
      guard let number = try number() else {
        throw .wrongValue("BOX", allowed: "numbers", position: start)
      }
      numbers.append(number)
    } while accept(",")
    try expect(")")
    return numbers
  }
}
