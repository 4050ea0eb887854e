// SPDX-License-Identifier: Apache-2.0

/// The rule for pixels outside the edge of an image.
enum EdgeMode: Sendable {
  /// The edge pixels are repeated.
  case replicate
  /// The image is mirrored, with the edge pixels repeated.
  case mirror
  /// The image is mirrored, without repeating the edge pixels.
  case mirrorWithoutEdge

  /// Maps an index that may be outside the image to an index inside it.
  func position(_ index: Int, count: Int) -> Int {
    if index >= 0 && index < count { return index }
    switch self {
    case .replicate: return min(max(index, 0), count - 1)
    case .mirror:
      let folded = remainder(index, 2 * count)
      return folded < count ? folded : 2 * count - 1 - folded
    case .mirrorWithoutEdge:
      if count == 1 { return 0 }
      let folded = remainder(index, 2 * count - 2)
      return folded < count ? folded : 2 * count - 2 - folded
    }
  }

  private func remainder(_ value: Int, _ modulus: Int) -> Int {
    let rest = value % modulus
    return rest < 0 ? rest + modulus : rest
  }
}
