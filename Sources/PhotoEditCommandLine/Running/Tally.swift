// SPDX-License-Identifier: Apache-2.0
internal import PhotoEditStorage

/// The numbers of inputs of a batch by their outcomes.
package final class Tally: Sendable {
  private let counts = LockedValue<[String: Int]>([:])

  /// Counts one input with an outcome, such as "rendered".
  package func add(_ outcome: String) { counts.withLock { $0[outcome, default: 0] += 1 } }

  /// The numbers by outcome.
  package var outcomes: [String: Int] { counts.withLock { $0 } }
}
