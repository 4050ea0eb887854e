// SPDX-License-Identifier: Apache-2.0

/// The order of an album's assets or of a folder's children while a block changes it.
///
/// Every entry has a position, a number with gaps to its neighbours, so that an insertion touches
/// nothing else. Ghosts are assets in the trash: callers do not see them and their indexes do not
/// count them, but they keep their place for their return.
///
/// Indexes are those of the order that a caller has *seen*, which may be older than the list.
/// Whatever is put in goes next to the neighbour that it has in the seen order: directly behind the
/// nearest one on its left that is still in the list, else directly before the nearest one on its
/// right, else to the end.
struct PositionedList: Sendable {
  struct Entry: Hashable, Sendable {
    var row: Int64
    /// The position in the database; nil when it is not in this list there.
    var stored: Int64?
    /// The position that it shall have; nil until `fillGaps` finds one.
    var position: Int64?
    var isGhost = false
  }

  /// The distance between neighbours that were appended.
  static let gap: Int64 = 1 << 20

  private(set) var entries: [Entry]

  /// Takes entries in ascending order of their positions.
  ///
  /// Two that share a position, which this library never writes, are told apart at the next change.
  init(_ entries: [Entry]) {
    self.entries = entries
    var last: Int64?
    for i in entries.indices {
      guard let position = entries[i].position else { continue }
      if let last, position <= last { self.entries[i].position = nil } else { last = position }
    }
  }

  /// What callers see.
  var rows: [Int64] { entries.compactMap { $0.isGhost ? nil : $0.row } }

  // MARK: The six operations

  /// Puts rows behind everything, ghosts too.
  mutating func append(_ rows: [Int64]) {
    entries += rows.map { Entry(row: $0) }
  }

  /// Puts rows in so that the i-th is at the i-th index of the seen order; indexes ascend.
  mutating func insert(_ rows: [Int64], at indexes: [Int], seen: inout [Int64]) {
    seen = seen.inserting(rows, at: indexes)
    place(Dictionary(uniqueKeysWithValues: rows.map { ($0, Entry(row: $0)) }), in: seen)
  }

  /// Takes rows out; those that are not there are ignored.
  ///
  /// - Returns: The entries that were there.
  mutating func remove(_ rows: Set<Int64>) -> [Entry] {
    var taken: [Entry] = []
    entries.removeAll { entry in
      guard !entry.isGhost, rows.contains(entry.row) else { return false }
      taken.append(entry)
      return true
    }
    return taken
  }

  /// Puts rows into the slots of others.
  ///
  /// One whose slot is gone is placed like an inserted one.
  ///
  /// - Returns: The entries that lost their slots.
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
    for i in entries.indices where !entries[i].isGhost {
      guard let row = replacements[entries[i].row] else { continue }
      missing[row] = nil
      guard row != entries[i].row else { continue }
      replaced.append(entries[i])
      entries[i] = Entry(row: row, position: entries[i].position)
    }
    place(missing, in: seen)
    return replaced
  }

  /// Takes the entries at indexes out and puts them back as one block; `target` counts without them.
  mutating func move(at indexes: [Int], to target: Int, seen: inout [Int64]) {
    let moved = indexes.map { seen[$0] }
    let chosen = Set(indexes)
    let rest = seen.indices.filter { !chosen.contains($0) }.map { seen[$0] }
    let order = Array(rest[..<target]) + moved + rest[target...]
    // Who moves nothing must not move it to other neighbours either.
    guard order != seen else { return }
    let before = entries
    let taken = remove(Set(moved))
    seen = order
    place(Dictionary(uniqueKeysWithValues: taken.map { ($0.row, Entry(moving: $0)) }), in: seen)
    if entries.elementsEqual(before, by: { $0.row == $1.row }) { entries = before }
  }

  /// Puts entries next to their neighbours in the seen order, which holds them already.
  private mutating func place(_ new: [Int64: Entry], in seen: [Int64]) {
    guard !new.isEmpty else { return }
    let current = rows
    let others = seen.lazy.filter { new[$0] == nil }
    let present = others.elementsEqual(current) ? nil : Set(current)
    var left: Int64?
    var right: Int64?
    var first: [Entry] = []
    var behind: [Int64: [Entry]] = [:]
    for row in seen {
      if let entry = new[row] {
        if let left { behind[left, default: []].append(entry) } else { first.append(entry) }
      } else if present?.contains(row) != false {
        if left == nil { right = row }
        left = row
      }
    }
    var placed: [Entry] = []
    placed.reserveCapacity(entries.count + new.count)
    for entry in entries {
      if !entry.isGhost, entry.row == right { placed += first }
      placed.append(entry)
      if !entry.isGhost, let followers = behind[entry.row] { placed += followers }
    }
    if right == nil { placed += first }
    entries = placed
  }

  // MARK: Positions

  /// Gives every entry a position; only entries around a gap that is used up get another one.
  mutating func fillGaps() {
    var i = 0
    while i < entries.count {
      guard entries[i].position == nil else {
        i += 1
        continue
      }
      i = fillGap(at: i)
    }
  }

  /// Fills the gap that begins at an index; gives the index behind it.
  private mutating func fillGap(at start: Int) -> Int {
    var (low, high) = (start, start)
    var reach = 0
    while true {
      low = max(0, low - reach)
      high = min(entries.count, high + reach)
      while high < entries.count, entries[high].position == nil { high += 1 }
      let left = low > 0 ? entries[low - 1].position : nil
      let right = high < entries.count ? entries[high].position : nil
      // Whoever has to widen the gap leaves room for those who come next.
      let least = reach == 0 ? 1 : Self.gap >> 8
      if let positions = Self.spread(high - low, between: left, and: right, least: least) {
        for (i, position) in zip(low..<high, positions) { entries[i].position = position }
        return high
      }
      reach = max(1, reach * 2)
    }
  }

  /// Positions with equal distances between two others; nil where there is no room.
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

  /// Notes that the database holds what the list says.
  mutating func markStored() {
    for i in entries.indices { entries[i].stored = entries[i].position }
  }
}

extension PositionedList.Entry {
  /// An entry that is looking for another place.
  fileprivate init(moving entry: Self) {
    self = entry
    position = nil
  }
}
