// SPDX-License-Identifier: Apache-2.0

/// What lies beyond the edge of a picture.
enum EdgeRule: Sendable {
  /// The outermost pixels go on.
  case replicate
  /// The picture mirrored, its outermost pixels twice.
  case mirror
  /// The picture mirrored, its outermost pixels once.
  case mirrorWithoutEdge

  /// The place of the picture that stands for one that may lie beyond it.
  func place(_ index: Int, count: Int) -> Int {
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
