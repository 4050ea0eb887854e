// SPDX-License-Identifier: Apache-2.0

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
      name: name, nearest: nearestName(to: name, in: listed.flatMap { [$0.name] + $0.aliases }))
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

/// The candidate that differs least from a misspelt word; nil when none is near.
package func nearestName(to word: String, in candidates: [String]) -> String? {
  let word = word.lowercased()
  guard word.count <= 64 else { return nil }
  let ranked = candidates.map { ($0, editDistance(word, $0.lowercased())) }
  guard let best = ranked.min(by: { $0.1 < $1.1 }), best.1 <= max(1, word.count / 3) else {
    return nil
  }
  return best.0
}

private func editDistance(_ a: String, _ b: String) -> Int {
  let b = Array(b)
  var row = Array(0...b.count)
  for (i, character) in a.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for j in b.indices {
      let replaced = diagonal + (character == b[j] ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
    }
  }
  return row[b.count]
}
