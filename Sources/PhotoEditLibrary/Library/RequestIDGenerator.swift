// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The numbers of requests of any kind.
enum RequestIDGenerator {
  private static let last = Atomic(0)

  /// Returns a nonzero number that is unique within this process.
  static func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
