// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers

/// Every filter there is.
public enum FilterCatalog {
  /// The filters, grouped as people look for them.
  public static let all: [any Filter.Type] = groups.flatMap { $0.entries.map(\.type) }

  /// The names of the groups, in the order in which people meet them.
  public static let groupNames: [String] = groups.map(\.name)

  /// Operations on movies that leave frames as they are; pictures refuse them.
  ///
  /// `rotate90` and `flip` are done to movies without touching frames as well.
  public static let movieOperations: [any Filter.Type] = movies.map(\.type)

  /// The name of the group of `movieOperations`, which comes behind `groupNames`.
  public static let movieGroupName = "Movies"

  /// The name of the group that a filter belongs to; nil for one that is not in the catalogue.
  public static func group(of type: any Filter.Type) -> String? {
    if movies.contains(where: { $0.type == type }) { return movieGroupName }
    return groups.first { $0.entries.contains { $0.type == type } }?.name
  }

  /// What is known about each filter, in the order of `all`.
  public static let descriptions: [FilterDescription] = all.map { $0.description }

  /// Finds a filter by its name or one of its aliases.
  ///
  /// Aliases are compared without hyphens, underscores and case.
  ///
  /// - Throws: `ParameterError.unknownFilter` with the nearest name.
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
      name: name, nearest: nearestWord(to: name, among: listed.flatMap { [$0.name] + $0.aliases }))
  }

  /// Finds a filter by exactly its name, as stored edits spell it.
  static func type(named name: String) -> (any Filter.Type)? {
    for group in groups {
      if let entry = group.entries.first(where: { $0.name == name }) { return entry.type }
    }
    return movies.first { $0.name == name }?.type
  }

  private static func fold(_ name: String) -> String {
    String(name.lowercased().filter { $0 != "-" && $0 != "_" })
  }
}
