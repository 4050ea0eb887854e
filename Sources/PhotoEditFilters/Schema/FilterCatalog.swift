// SPDX-License-Identifier: Apache-2.0

/// A catalog of filters: those of this package, and those that a program adds.
///
/// A catalog is a value that is passed to what reads stored edits, such as `FilterGraph(json:)` and
/// `PhotoEditor`; nothing is registered for the whole process. The static members refer to the
/// filters of this package.
public struct FilterCatalog: Sendable {
  /// The catalog with the filters of this package alone.
  public static let builtIn = FilterCatalog()

  /// The added filters by their names; the newest version of each.
  private let added: [String: any Filter.Type]

  private init() { added = [:] }

  /// Creates a catalog with the filters of this package and others.
  ///
  /// The name of an added filter has at least three parts, such as "com.example.glow", so that it
  /// differs from the names of all present and future filters of this package. It is stored in
  /// edits, which other programs cannot continue unless their catalogs contain the filter as well.
  ///
  /// - Parameter filters: The newest version of each filter; its `previous` ones follow from it.
  /// - Throws: `ParameterError.conflict` for another name, a name that occurs twice, and a filter
  ///   for videos.
  public init(adding filters: [any Filter.Type]) throws(ParameterError) {
    var added: [String: any Filter.Type] = [:]
    for filter in filters {
      let name = filter.description.name
      guard Self.isNameOfAddedFilter(name) else {
        throw .conflict(
          filter: name,
          reason: "the name of an added filter has three parts or more, such as com.example.glow")
      }
      guard filter.dependency != .movie else {
        throw .conflict(filter: name, reason: "operations on videos cannot be added")
      }
      guard added.updateValue(filter, forKey: name) == nil else {
        throw .conflict(filter: name, reason: "two added filters have this name")
      }
    }
    self.added = added
  }

  /// The filters that were added to those of this package, sorted by name.
  public var addedFilters: [any Filter.Type] {
    added.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Returns a filter by its name; one of this package also by an alias.
  ///
  /// - Throws: `ParameterError.unknownFilter` with the closest name.
  public func filter(named name: String) throws(ParameterError) -> any Filter.Type {
    if let filter = added[name] { return filter }
    return try Self.filter(named: name)
  }

  /// Reads a filter in command-line notation: `name` or `name:key=value,key=value`.
  ///
  /// - Throws: `ParameterError` with the argument and the allowed values.
  public func filter(argument: String) throws(ParameterError) -> any Filter {
    try Self.filter(FilterArgument(argument), in: self)
  }

  /// Returns whether stored edits with a filter can be read with this catalog.
  public func contains(_ filter: any Filter.Type) -> Bool {
    let description = filter.description
    guard let newest = type(named: description.name),
      let version = newest.version(description.version)
    else { return false }
    return version == filter
  }

  /// Returns a filter by its exact name, as written in stored edits.
  func type(named name: String) -> (any Filter.Type)? { Self.types[name] ?? added[name] }

  private static func isNameOfAddedFilter(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count >= 3 && name.utf8.count <= 200
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
              || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
              || byte == UInt8(ascii: "-")
          }
      }
  }

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

  /// Returns the filter of a name if a type is one of its versions, otherwise that type.
  static func type(named name: String, like type: any Filter.Type) -> any Filter.Type {
    guard let newest = types[name], let version = newest.version(type.description.version),
      version == type
    else { return type }
    return newest
  }

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
  package static func filter(
    _ argument: FilterArgument, in catalog: FilterCatalog = .builtIn
  ) throws(ParameterError) -> any Filter {
    var keys: Set<String> = []
    for (key, _) in argument.pairs where !keys.insert(key).inserted {
      throw .repeated(name: key, "\(argument)")
    }
    return try make(catalog.filter(named: argument.name), pairs: argument.pairs)
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
    case .choice, .flag, .numbers, .color, .stops, .strokes, .members, .asset: nil
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
