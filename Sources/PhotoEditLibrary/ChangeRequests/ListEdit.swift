// SPDX-License-Identifier: Apache-2.0

/// A recorded change to the contents of an album or folder.
enum ListEdit: Hashable, Sendable {
  case append([LocalIdentifier])
  case insert([LocalIdentifier], at: [Int])
  case remove([LocalIdentifier])
  case removeAt([Int])
  case replace(at: [Int], with: [LocalIdentifier])
  case move([Int], to: Int)

  var insertions: [LocalIdentifier] {
    switch self {
    case .append(let all), .insert(let all, _), .replace(_, let all): all
    case .remove, .removeAt, .move: []
    }
  }

  /// Throws an error for arguments that are wrong for any list: counts, order of indexes, repeated
  /// objects.
  func checkShape(of list: String) throws(LibraryError) {
    switch self {
    case .append, .remove: return
    case .removeAt(let indexes), .move(let indexes, _): try Self.checkAscending(indexes, list)
    case .insert(let objects, let indexes), .replace(let indexes, let objects):
      guard objects.count == indexes.count else {
        throw .unequalCounts(objects: objects.count, indexes: indexes.count, list: list)
      }
      try Self.checkAscending(indexes, list)
      var seen: Set<LocalIdentifier> = []
      let repeated = objects.filter { !seen.insert($0).inserted }
      guard repeated.isEmpty else { throw .repeated(repeated.map(\.description), list: list) }
    }
  }

  private static func checkAscending(_ indexes: [Int], _ list: String) throws(LibraryError) {
    for (index, next) in zip(indexes, indexes.dropFirst()) where next <= index {
      throw .unorderedIndexes(index, next, list: list)
    }
  }

  /// Throws an error for indexes that are out of range in a list of the given length.
  func checkRange(count: Int, list: String) throws(LibraryError) {
    switch self {
    case .append, .remove: return
    case .insert(_, let indexes):
      for (rank, index) in indexes.enumerated() where !(0...count + rank).contains(index) {
        throw .indexOutOfRange(index, allowed: 0...count + rank, list: list)
      }
    case .removeAt(let indexes), .replace(let indexes, _):
      try Self.checkMembers(indexes, count, list)
    case .move(let indexes, let target):
      try Self.checkMembers(indexes, count, list)
      let last = count - indexes.count
      guard (0...last).contains(target) else {
        throw .indexOutOfRange(target, allowed: 0...last, list: list)
      }
    }
  }

  private static func checkMembers(
    _ indexes: [Int], _ count: Int, _ list: String
  ) throws(LibraryError) {
    for index in indexes where !(0..<count).contains(index) {
      throw .indexOutOfRange(index, allowed: count == 0 ? nil : 0...count - 1, list: list)
    }
  }

  /// Returns the rows that the new members replace, by the rows of those; none for insertions.
  func replacedRows(by rows: [Int64], in seen: [Int64]) -> [Int64: Int64] {
    guard case .replace(let indexes, _) = self else { return [:] }
    return Dictionary(uniqueKeysWithValues: zip(rows, indexes.map { seen[$0] }))
  }

  /// Changes a list at indexes of the order that the caller has seen; returns the entries that
  /// leave it.
  ///
  /// - Parameter rows: The rows of the insertions.
  func rearrange(
    _ list: inout PositionedList, seen: inout [Int64], with rows: [Int64]
  ) -> [PositionedList.Entry] {
    switch self {
    case .append, .remove: break
    case .insert(_, let indexes): list.insert(rows, at: indexes, seen: &seen)
    case .removeAt(let indexes):
      let removed = Set(indexes.map { seen[$0] })
      seen.removeAll { removed.contains($0) }
      return list.remove(removed)
    case .replace(let indexes, _): return list.replace(at: indexes, with: rows, seen: &seen)
    case .move(let indexes, let target): list.move(at: indexes, to: target, seen: &seen)
    }
    return []
  }
}

/// The order that the indexes of a request refer to.
///
/// Without a fetch result, this is the order of the list at the time of each change. With a fetch
/// result, it is the order of the result, updated by the changes of the same request only.
final class MirroredOrder {
  private enum Change {
    case append([Int64])
    case remove(Set<Int64>)
  }

  private var rows: ChunkedRowList?
  // A result may be long; appending does not need to iterate over it.
  private var pending: [Change] = []

  init(_ rows: ChunkedRowList? = nil) { self.rows = rows }

  /// Indicates whether the order may be older than the list.
  var isTracked: Bool { rows != nil }

  /// Returns the order that indexes currently refer to.
  func seen(of list: PositionedList) -> [Int64] {
    guard let order = self.rows else { return list.rows }
    var rows = Array(order)
    for change in pending {
      switch change {
      case .append(let new):
        let known = Set(rows)
        rows += new.filter { !known.contains($0) }
      case .remove(let removed): rows.removeAll { removed.contains($0) }
      }
    }
    pending = []
    self.rows = ChunkedRowList(rows)
    return rows
  }

  func set(_ seen: [Int64]) {
    if isTracked { rows = ChunkedRowList(seen) }
  }

  func append(_ new: [Int64]) {
    if isTracked { pending.append(.append(new)) }
  }

  func remove(_ removed: Set<Int64>) {
    if isTracked { pending.append(.remove(removed)) }
  }
}
