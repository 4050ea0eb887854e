// SPDX-License-Identifier: Apache-2.0

/// The index that a member leaves and the index that it gets.
///
/// Which lists the two count in depends on who gives the move; see `FetchResultChangeDetails`.
public struct Move: Hashable, Sendable, Codable {
  /// The index that the member leaves.
  public let from: Int
  /// The index that the member gets.
  public let to: Int

  /// Makes a move.
  public init(from: Int, to: Int) {
    self.from = from
    self.to = to
  }
}
