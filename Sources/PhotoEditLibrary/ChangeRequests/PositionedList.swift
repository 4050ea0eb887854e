// SPDX-License-Identifier: Apache-2.0

/// The order of an album's assets or of a folder's children while a block changes it.
///
/// Every entry has a position, a number with a gap to its neighbors, so that an insertion usually
/// changes no other entry. Trashed assets are invisible to callers and not counted by indexes, but
/// keep their position for when they are restored.
///
/// Indexes refer to the order that the caller has *seen*, which may be older than the list. An
/// inserted entry is placed next to its neighbor in the seen order: directly after the nearest one
/// on its left that is still in the list, otherwise directly before the nearest one on its right,
/// otherwise at the end.
struct PositionedList: Sendable {
  struct Entry: Hashable, Sendable {
    var row: Int64
    /// The position in the database; nil if the entry is not in this list there.
    var stored: Int64?
    /// The position to write; nil until `assignPositions` finds one.
    var position: Int64?
    var isTrashed = false
  }

  /// The distance between appended neighbors.
  static let gap: Int64 = 1 << 20

  private(set) var entries: [Entry]

  /// Creates a list of entries in ascending order of their positions.
  ///
  /// Duplicate positions, which this library never writes, are resolved at the next change.
  init(_ entries: [Entry]) {
    self.entries = entries
    var last: Int64?
    for i in entries.indices {
      guard let position = entries[i].position else { continue }
      if let last, position <= last { self.entries[i].position = nil } else { last = position }
    }
  }

  /// The rows that are visible to callers.
  var rows: [Int64] { entries.compactMap { $0.isTrashed ? nil : $0.row } }

  // MARK: Operations

  /// Appends rows after all entries, including trashed ones.
  mutating func append(_ rows: [Int64]) {
    entries += rows.map { Entry(row: $0) }
  }

  /// Inserts rows so that the i-th is at the i-th index of the seen order; indexes are ascending.
  mutating func insert(_ rows: [Int64], at indexes: [Int], seen: inout [Int64]) {
    seen = seen.inserting(rows, at: indexes)
    place(Dictionary(uniqueKeysWithValues: rows.map { ($0, Entry(row: $0)) }), in: seen)
  }

  /// Removes rows; those that are not in the list are ignored.
  ///
  /// - Returns: The removed entries.
  mutating func remove(_ rows: Set<Int64>) -> [Entry] {
    var removed: [Entry] = []
    entries.removeAll { entry in
      guard !entry.isTrashed, rows.contains(entry.row) else { return false }
      removed.append(entry)
      return true
    }
    return removed
  }

  /// Replaces rows by others at the same positions.
  ///
  /// A row that replaces a missing one is placed like an insertion.
  ///
  /// - Returns: The replaced entries.
  mutating func replace(
    at indexes: [Int], with rows: [Int64], seen: inout [Int64]
  ) -> [Entry] {
    var replacements: [Int64: Int64] = [:]
    for (index, row) in zip(indexes, rows) {
      replacements[seen[index]] = row
      seen[index] = row
    }
    var missing = Dictionary(uniqueKeysWithValues: rows.map { ($0, Entry(row: $0)) })
    var replaced: [Entry] = []
    for i in entries.indices where !entries[i].isTrashed {
      guard let row = replacements[entries[i].row] else { continue }
      missing[row] = nil
      guard row != entries[i].row else { continue }
      replaced.append(entries[i])
      entries[i] = Entry(row: row, position: entries[i].position)
    }
    place(missing, in: seen)
    return replaced
  }

  /// Moves the entries at the given indexes as one block; `target` is counted without them.
  mutating func move(at indexes: [Int], to target: Int, seen: inout [Int64]) {
    let moved = indexes.map { seen[$0] }
    let chosen = Set(indexes)
    let rest = seen.indices.filter { !chosen.contains($0) }.map { seen[$0] }
    let order = Array(rest[..<target]) + moved + rest[target...]
    // A move that changes nothing must not move the entries next to other neighbors.
    guard order != seen else { return }
    let before = entries
    let removed = remove(Set(moved))
    seen = order
    place(Dictionary(uniqueKeysWithValues: removed.map { ($0.row, Entry(moving: $0)) }), in: seen)
    if entries.elementsEqual(before, by: { $0.row == $1.row }) { entries = before }
  }

  /// Places entries next to their neighbors in the seen order, which already contains them.
  private mutating func place(_ new: [Int64: Entry], in seen: [Int64]) {
    guard !new.isEmpty else { return }
    let current = rows
    let others = seen.lazy.filter { new[$0] == nil }
    let present = others.elementsEqual(current) ? nil : Set(current)
    var left: Int64?
    var right: Int64?
    var first: [Entry] = []
    var following: [Int64: [Entry]] = [:]
    for row in seen {
      if let entry = new[row] {
        if let left { following[left, default: []].append(entry) } else { first.append(entry) }
      } else if present?.contains(row) != false {
        if left == nil { right = row }
        left = row
      }
    }
    var result: [Entry] = []
    result.reserveCapacity(entries.count + new.count)
    for entry in entries {
      if !entry.isTrashed, entry.row == right { result += first }
      result.append(entry)
      if !entry.isTrashed, let followers = following[entry.row] { result += followers }
    }
    if right == nil { result += first }
    entries = result
  }

  // MARK: Positions

  /// Gives every entry a position; existing positions change only around an exhausted gap.
  mutating func assignPositions() {
    var i = 0
    while i < entries.count {
      guard entries[i].position == nil else {
        i += 1
        continue
      }
      i = fillGap(at: i)
    }
  }

  /// Fills the gap that starts at an index; returns the index after it.
  private mutating func fillGap(at start: Int) -> Int {
    var (low, high) = (start, start)
    var reach = 0
    while true {
      low = max(0, low - reach)
      high = min(entries.count, high + reach)
      while high < entries.count, entries[high].position == nil { high += 1 }
      let left = low > 0 ? entries[low - 1].position : nil
      let right = high < entries.count ? entries[high].position : nil
      // A widened gap leaves space for later insertions.
      let least = reach == 0 ? 1 : Self.gap >> 8
      if let positions = Self.spread(high - low, between: left, and: right, least: least) {
        for (i, position) in zip(low..<high, positions) { entries[i].position = position }
        return high
      }
      reach = max(1, reach * 2)
    }
  }

  /// Returns evenly spaced positions between two others; nil if there is not enough space.
  static func spread(
    _ count: Int, between left: Int64?, and right: Int64?, least: Int64
  ) -> [Int64]? {
    let number = Int64(count)
    let (span, isTooWide) = number.multipliedReportingOverflow(by: gap)
    switch (left, right) {
    case (nil, nil): return (1...max(1, number)).prefix(count).map { $0 * gap }
    case (let left?, nil):
      guard !isTooWide, !left.addingReportingOverflow(span).overflow else { return nil }
      return (0..<number).map { left + ($0 + 1) * gap }
    case (nil, let right?):
      guard !isTooWide, !right.subtractingReportingOverflow(span).overflow else { return nil }
      return (0..<number).map { right - (number - $0) * gap }
    case (let left?, let right?):
      guard left < right else { return nil }
      let (distance, isHuge) = right.subtractingReportingOverflow(left)
      let step = (isHuge ? Int64.max : distance) / (number + 1)
      guard step >= least else { return nil }
      return (0..<number).map { left + ($0 + 1) * step }
    }
  }

  mutating func markStored() {
    for i in entries.indices { entries[i].stored = entries[i].position }
  }
}

extension PositionedList.Entry {
  /// Creates a copy of an entry that needs a new position.
  fileprivate init(moving entry: Self) {
    self = entry
    position = nil
  }
}
