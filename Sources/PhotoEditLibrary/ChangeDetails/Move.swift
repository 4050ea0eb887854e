// SPDX-License-Identifier: Apache-2.0

/// The indexes of a member before and after a move.
///
/// The lists that the indexes refer to depend on the source of the move; see
/// `FetchResultChangeDetails`.
public struct Move: Hashable, Sendable, Codable {
  /// The previous index of the member.
  public let from: Int
  /// The new index of the member.
  public let to: Int

  /// Creates a move.
  public init(from: Int, to: Int) {
    self.from = from
    self.to = to
  }
}
