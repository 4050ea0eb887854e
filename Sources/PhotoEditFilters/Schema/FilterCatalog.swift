// SPDX-License-Identifier: Apache-2.0

/// The catalog of all filters.
public enum FilterCatalog {
  /// The filters, sorted by group.
  public static let all: [any Filter.Type] = groups.flatMap { $0.entries.map(\.type) }

  /// The names of the groups, in display order.
  public static let groupNames: [String] = groups.map(\.name)

  /// Operations on videos that leave frames unchanged; images are rejected.
  ///
  /// `rotate90` and `flip` also apply to videos without changing frames.
  public static let movieOperations: [any Filter.Type] = movies.map(\.type)

  /// The name of the group of `movieOperations`, which follows `groupNames`.
  public static let movieGroupName = "Movies"

  /// Returns the name of the group that a filter belongs to; nil for one that is not in the
  /// catalog.
  public static func group(of type: any Filter.Type) -> String? {
    if movies.contains(where: { $0.type == type }) { return movieGroupName }
    return groups.first { $0.entries.contains { $0.type == type } }?.name
  }

  /// The descriptions of the filters, in the order of `all`.
  public static let descriptions: [FilterDescription] = all.map { $0.description }

  /// Returns a filter by its name or one of its aliases.
  ///
  /// Aliases are compared without hyphens, underscores and case.
  ///
  /// - Throws: `ParameterError.unknownFilter` with the closest name.
  public static func filter(named name: String) throws(ParameterError) -> any Filter.Type {
    if let type = type(named: name) { return type }
    let folded = fold(name)
    let listed = descriptions + movieOperations.map { $0.description }
    if let index = listed.firstIndex(where: { entry in
      fold(entry.name) == folded || entry.aliases.contains { fold($0) == folded }
    }) {
      return index < all.count ? all[index] : movieOperations[index - all.count]
    }
    throw .unknownFilter(
      name: name, nearest: nearestMatch(to: name, among: listed.flatMap { [$0.name] + $0.aliases }))
  }

  /// Returns a filter by its exact name, as written in stored edits.
  static func type(named name: String) -> (any Filter.Type)? { types[name] }

  private static let types: [String: any Filter.Type] = Dictionary(
    uniqueKeysWithValues: (groups.flatMap(\.entries) + movies).map { ($0.name, $0.type) })

  private static func fold(_ name: String) -> String {
    String(name.lowercased().filter { $0 != "-" && $0 != "_" })
  }

  /// Reads a filter in command-line notation: `name` or `name:key=value,key=value`.
  ///
  /// A filter given by name alone uses its default arguments. A filter that would change nothing is
  /// rejected as a likely error.
  ///
  /// - Throws: `ParameterError` with the argument and the allowed values.
  public static func filter(argument: String) throws(ParameterError) -> any Filter {
    try filter(FilterArgument(argument))
  }

  /// Creates a filter from a parsed argument, as `filter(argument:)`.
  package static func filter(_ argument: FilterArgument) throws(ParameterError) -> any Filter {
    var keys: Set<String> = []
    for (key, _) in argument.pairs where !keys.insert(key).inserted {
      throw .repeated(name: key, "\(argument)")
    }
    return try make(filter(named: argument.name), pairs: argument.pairs)
  }

  private static func make<F: Filter>(
    _ type: F.Type, pairs: [(key: String, value: String)]
  ) throws(ParameterError) -> any Filter {
    var filter = F()
    let given = Set(pairs.map(\.key))
    for parameter in F.schema.parameters where !given.contains(parameter.name) {
      if let value = parameter.argument { try filter.set(parameter.name, to: value) }
    }
    for (key, value) in pairs { try filter.set(key, argument: value) }
    filter.complete(given: given)
    try filter.check()
    if given.isEmpty && filter.isIdentity {
      throw .missingValue(filter: F.schema.name, example: example(F.self))
    }
    return filter
  }

  /// Returns the first parameter with a value that the filter accepts alongside its defaults.
  private static func example<F: Filter>(_ type: F.Type) -> String {
    for parameter in F.schema.parameters {
      guard parameter.identity != nil, let value = exampleValue(of: parameter.type) else {
        continue
      }
      let pair = (key: parameter.name, value: value)
      if (try? make(type, pairs: [pair])) != nil {
        return "\(F.schema.name):\(pair.key)=\(pair.value)"
      }
    }
    return "\(F.schema.name):…"
  }

  private static func exampleValue(of type: ParameterType) -> String? {
    switch type {
    case .number(_, let ui): jsonNumber((ui.upperBound / 2).rounded(significantDigits: 2))
    case .integer(let range): "\(min(range.upperBound, 640))"
    case .points: "0:0/0.5:0.6/1:1"
    case .vector(let count, let range):
      (0..<count).map { jsonNumber($0 == 0 ? min(range.upperBound, 0.5) : 0) }
        .joined(separator: ":")
    case .text: "Lisbon"
    case .choice, .flag, .numbers, .color, .stops, .strokes, .asset: nil
    }
  }
}

extension Filter {
  /// Indicates whether every parameter with an identity value is set to that value.
  ///
  /// A filter without any such parameter always has an effect.
  package var isIdentity: Bool {
    let knobs = Self.schema.parameters.filter { $0.identity != nil }
    return !knobs.isEmpty && knobs.allSatisfy { $0.read(self) == $0.identity }
  }
}
