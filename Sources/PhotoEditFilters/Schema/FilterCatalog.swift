// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers

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
