// SPDX-License-Identifier: Apache-2.0

extension FetchResult {
  /// The direction of an enumeration.
  public enum Direction: Sendable, Hashable {
    /// From the first member to the last.
    case forward
    /// From the last member to the first.
    case reverse
  }

  /// Calls a closure with every member and its index; set the third argument to stop.
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

  /// Calls a closure with the members at the given indexes; set the third argument to stop.
  ///
  /// Indexes are sorted and deduplicated, like those of an index set. An index out of range is a
  /// programming error, as in an array.
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
