// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditFilters

/// The completion of `NAME:KEY=VALUE,KEY=VALUE`.
enum FilterCompletion {
  /// The names of all filters.
  static var names: [Completion.Candidate] {
    (FilterCatalog.descriptions + FilterCatalog.movieOperations.map { $0.description })
      .map { .init($0.name, $0.summary) }
  }

  static func completion(of word: String) -> Completion {
    guard let colon = word.firstIndex(of: ":") else {
      // Parameters may follow after ":".
      return Completion(names, isPartial: true)
    }
    let name = String(word[..<colon])
    guard let filter = try? FilterCatalog.filter(named: name).description else {
      return Completion()
    }
    let start = word.lastIndex(of: ",") ?? colon
    let lead = String(word[...start])
    let part = word[word.index(after: start)...]
    if let equals = part.firstIndex(of: "=") {
      return values(of: String(part[..<equals]), filter).prefixed(by: lead + part[...equals])
    }
    let used = Set(
      lead.dropFirst(name.count + 1).split(separator: ",").map { $0.prefix { $0 != "=" } })
    let keys = parameters(of: filter).filter { !used.contains(Substring($0.text.dropLast())) }
    return Completion(keys, isPartial: true).prefixed(by: lead)
  }

  /// The keys of a filter and of its node, each with "=".
  static func parameters(of filter: FilterDescription) -> [Completion.Candidate] {
    let own = filter.parameters.map { parameter in
      if case .asset = parameter.type { return Completion.Candidate("file=", parameter.summary) }
      return Completion.Candidate(
        parameter.name + "=",
        parameter.summary + " (\(parameter.type.allowed(unit: parameter.unit)))")
    }
    return own + NodeWiring.keys.sorted().map { .init($0 + "=", "option of the node") }
  }

  /// The values of one key.
  static func values(of key: String, _ filter: FilterDescription) -> Completion {
    switch key {
    case "file": return Completion(files: .files)
    case "blend": return Completion(BlendMode.allCases.map { .init($0.rawValue) })
    default: break
    }
    switch filter.parameters.first(where: { $0.name == key })?.type {
    case .choice(let names)?: return Completion(names.map { .init($0) })
    case .flag?: return Completion(["true", "false"].map { .init($0) })
    default: return Completion()
    }
  }
}
