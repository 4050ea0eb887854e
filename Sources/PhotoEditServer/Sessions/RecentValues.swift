// SPDX-License-Identifier: Apache-2.0

/// The last values that requests have made for later ones, such as plans, by identifier.
final class RecentValues<Value: Sendable>: Sendable {
  private let prefix: String
  private let maximumCount: Int
  private let missing: Problem
  private let discard: @Sendable (Value) -> Void
  private let state = LockedValue<(made: Int, kept: [(id: String, value: Value)])>((0, []))

  /// - Parameters:
  ///   - prefix: The beginning of identifiers.
  ///   - maximumCount: The number of values from which the oldest one is discarded.
  ///   - missing: The problem with an identifier that has no value.
  ///   - discard: Called with a value that was not taken.
  init(
    _ prefix: String, maximumCount: Int, missing: Problem,
    discard: @escaping @Sendable (Value) -> Void = { _ in }
  ) {
    (self.prefix, self.maximumCount) = (prefix, maximumCount)
    (self.missing, self.discard) = (missing, discard)
  }

  /// Keeps a value and returns its identifier.
  func add(_ value: Value) -> String {
    state.withLock { state in
      state.made += 1
      state.kept.append(("\(prefix)\(state.made)", value))
      if state.kept.count > maximumCount { discard(state.kept.removeFirst().value) }
      return "\(prefix)\(state.made)"
    }
  }

  subscript(id: String) -> Value {
    get throws(Problem) {
      guard let found = state.withLock({ $0.kept.first { $0.id == id }?.value }) else {
        throw missing
      }
      return found
    }
  }

  /// Removes a value, which is used once.
  func take(_ id: String) throws(Problem) -> Value {
    let found = state.withLock { state in
      state.kept.firstIndex { $0.id == id }.map { state.kept.remove(at: $0).value }
    }
    guard let found else { throw missing }
    return found
  }

  /// Discards all values.
  func close() {
    state.withLock { state in
      for (_, value) in state.kept { discard(value) }
      state.kept = []
    }
  }
}
