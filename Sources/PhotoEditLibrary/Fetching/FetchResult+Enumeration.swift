// SPDX-License-Identifier: Apache-2.0

extension FetchResult {
  /// Which way an enumeration goes.
  public enum Direction: Sendable, Hashable {
    /// From the first member to the last.
    case forward
    /// From the last member to the first.
    case reverse
  }

  /// Hands every member and its index to a closure, which may set the third argument to stop.
  public func enumerateObjects<Failure: Error>(
    _ direction: Direction = .forward,
    _ body: (_ object: Object, _ index: Int, _ stop: inout Bool) throws(Failure) -> Void
  ) throws(Failure) {
    var stop = false
    switch direction {
    case .forward:
      var index = 0
      for object in self {
        try body(object, index, &stop)
        if stop { return }
        index += 1
      }
    case .reverse:
      for index in indices.reversed() {
        try body(self[index], index, &stop)
        if stop { return }
      }
    }
  }

  /// Hands the members at some indexes to a closure, which may set the third argument to stop.
  ///
  /// Each index counts once, and they are gone through by size, as those of an index set. Indexes
  /// that are not there are a programmer's error, as in an array.
  public func enumerateObjects<Failure: Error>(
    at indexes: some Sequence<Int>, _ direction: Direction = .forward,
    _ body: (_ object: Object, _ index: Int, _ stop: inout Bool) throws(Failure) -> Void
  ) throws(Failure) {
    var stop = false
    let ascending = Set(indexes).sorted()
    for index in direction == .forward ? ascending : ascending.reversed() {
      try body(self[index], index, &stop)
      if stop { return }
    }
  }
}
