// SPDX-License-Identifier: Apache-2.0

/// Every filter there is.
public enum FilterCatalog {
  /// The filters, grouped as people look for them.
  public static let all: [any Filter.Type] = entries.map(\.type)

  /// The names beside the types: asking every schema for its name takes longer than a small edit.
  private static let entries: [(name: String, type: any Filter.Type)] = [
    ("orient", Orient.self), ("rotate90", Rotate90.self), ("flip", Flip.self),
    ("crop", Crop.self), ("resize", Resize.self),
    ("exposure", Exposure.self), ("brightness", Brightness.self), ("contrast", Contrast.self),
    ("gamma", Gamma.self), ("levels", Levels.self), ("curve", Curve.self),
    ("grayscale", Grayscale.self), ("sepia", Sepia.self), ("invert", Invert.self),
    ("saturate", Saturate.self), ("hueRotate", HueRotate.self),
    ("colorMatrix", ColorMatrix.self),
    ("gaussianBlur", GaussianBlur.self), ("unsharpMask", UnsharpMask.self),
    ("vignette", Vignette.self),
  ]

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
    if let index = descriptions.firstIndex(where: { entry in
      fold(entry.name) == folded || entry.aliases.contains { fold($0) == folded }
    }) {
      return all[index]
    }
    throw .unknownFilter(
      name: name,
      nearest: nearestName(to: name, in: descriptions.flatMap { [$0.name] + $0.aliases }))
  }

  /// Finds a filter by exactly its name, as stored edits spell it.
  static func type(named name: String) -> (any Filter.Type)? {
    entries.first { $0.name == name }?.type
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
