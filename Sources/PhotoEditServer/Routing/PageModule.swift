// SPDX-License-Identifier: Apache-2.0

/// A module of the page, with what it imports and exports.
///
/// Statements that import or export begin their lines, and exports are declarations.
struct PageModule: Sendable {
  struct Import: Sendable {
    let path: String
    let names: [(imported: String, local: String)]
    /// The lines of the statement.
    let lines: Range<Int>
  }

  let path: String
  /// The imports at the beginning of lines; those by calls are loaded later.
  private(set) var imports: [Import] = []
  private(set) var exports: [String] = []
  private let lines: [Substring]
  private var linesOfExports: [Int] = []

  init(_ text: String, path: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var index = 0
    while index < lines.count {
      let first = index
      index += 1
      if lines[first].hasPrefix("import ") {
        while !lines[index - 1].hasSuffix("';"), index < lines.count { index += 1 }
        addImport(first..<index)
      } else if lines[first].hasPrefix("export ") {
        let words = lines[first].split(separator: " ").dropFirst()
        let name = words.drop { ["async", "function", "class", "const"].contains($0) }.first
        exports.append(String(name?.prefix { $0.isLetter || $0.isNumber || $0 == "_" } ?? ""))
        linesOfExports.append(first)
      }
    }
  }

  private mutating func addImport(_ range: Range<Int>) {
    let statement = lines[range].joined(separator: " ")
    let parts = statement.split(separator: "'")
    guard parts.count >= 2 else { return }
    let list = statement.split { "{}".contains($0) }.dropFirst().first ?? ""
    let names = list.split(separator: ",").map { $0.split(separator: " ").map { String($0) } }
    imports.append(
      Import(
        path: resolved(parts[1]),
        names: statement.contains("{")
          ? names.compactMap { words in words.first.map { ($0, words.last ?? $0) } } : [],
        lines: range))
  }

  /// Returns the path that a specifier in this module names.
  private func resolved(_ specifier: Substring) -> String {
    var parts = path.split(separator: "/").dropLast()
    for part in specifier.split(separator: "/") where part != "." {
      if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }

  /// The variable of a bundle that has what a module exports.
  static func variable(_ name: String, of path: String) -> String {
    let module = path.dropFirst("js/".count).dropLast(".js".count)
    return module.split(separator: "/").joined(separator: "_") + "$" + name
  }

  /// The names of the exports as variables of a bundle.
  var variables: [String] { exports.map { Self.variable($0, of: path) } }

  /// The specifier by which this module imports a bundle.
  private func specifier(of bundle: String) -> String {
    let depth = path.split(separator: "/").count - 2
    return (depth == 0 ? "./" : String(repeating: "../", count: depth))
      + bundle.dropFirst("js/".count)
  }

  /// The text of the block of a bundle: imports are other variables of it.
  ///
  /// Paths of calls that import are relative to the folder of the bundles.
  var block: String {
    var body = lines
    for item in imports { for line in item.lines { body[line] = "" } }
    for line in linesOfExports { body[line] = body[line].dropFirst("export ".count) }
    var rest = body.joined(separator: "\n")[...]
    var text = "{\n"
    let names = imports.flatMap { item in
      item.names.map { "\($0.local) = \(Self.variable($0.imported, of: item.path))" }
    }
    if !names.isEmpty { text += "const \(names.joined(separator: ", "));\n" }
    while let call = rest.firstRange(of: "import('") {
      text += rest[..<call.upperBound]
      let specifier = rest[call.upperBound...].prefix { $0 != "'" }
      text += "./" + resolved(specifier).dropFirst("js/".count)
      rest = rest[specifier.endIndex...]
    }
    text += rest
    for name in exports { text += "\(Self.variable(name, of: path)) = \(name);\n" }
    return text + "}\n"
  }

  /// The text of a module whose contents are in a bundle.
  func exports(from bundle: String) -> String {
    let names = zip(variables, exports).map { "\($0) as \($1)" }
    return "export { \(names.joined(separator: ", ")) } from '\(specifier(of: bundle))';\n"
  }

  /// The text with imports from bundles instead of bundled modules; lines keep their numbers.
  ///
  /// - Parameter bundles: The bundles by the paths of their modules.
  func importing(from bundles: [String: String]) -> String {
    var body = lines
    for item in imports {
      guard let bundle = bundles[item.path] else { continue }
      for line in item.lines { body[line] = "" }
      let names = item.names.map { "\(Self.variable($0.imported, of: item.path)) as \($0.local)" }
      body[item.lines.lowerBound] =
        "import { \(names.joined(separator: ", ")) } from '\(specifier(of: bundle))';"
    }
    return body.joined(separator: "\n")
  }
}
