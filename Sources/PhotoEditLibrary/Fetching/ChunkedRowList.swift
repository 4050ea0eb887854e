// SPDX-License-Identifier: Apache-2.0

/// The rows of a result: an ordered list whose edited copies share their common parts.
///
/// The list is stored in pieces of about a thousand rows. An edit copies the table of pieces, one
/// entry per thousand rows, and the pieces that it changes: a list of a million rows follows a
/// commit in microseconds, and its copies share all but a few kilobytes.
struct ChunkedRowList: Sendable, RandomAccessCollection, ExpressibleByArrayLiteral {
  private var chunks: [ArraySlice<Int64>]
  /// The end index of each piece.
  private var ends: [Int]

  /// The number of rows in an unedited piece.
  static let chunkLength = 1024

  init(_ rows: [Int64]) {
    chunks = stride(from: 0, to: rows.count, by: Self.chunkLength).map {
      rows[$0..<Swift.min(rows.count, $0 + Self.chunkLength)]
    }
    ends = chunks.map(\.endIndex)
  }

  init(arrayLiteral rows: Int64...) { self.init(rows) }

  private init(chunks: [ArraySlice<Int64>]) {
    self.chunks = chunks
    ends = []
    ends.reserveCapacity(chunks.count)
    var end = 0
    for chunk in chunks {
      end += chunk.count
      ends.append(end)
    }
  }

  var startIndex: Int { 0 }
  var endIndex: Int { ends.last ?? 0 }

  subscript(index: Int) -> Int64 {
    let number = chunk(of: index)
    let chunk = chunks[number]
    return chunk[chunk.startIndex + index - start(of: number)]
  }

  private func chunk(of index: Int) -> Int {
    // Most lists were never edited, and pieces of edited lists are of nearly equal length.
    let guess = index / Self.chunkLength
    if guess < ends.count, index < ends[guess], index >= start(of: guess) { return guess }
    let number = ends.partitionPoint { $0 > index }
    precondition(index >= 0 && number < ends.count, "the list has no row \(index)")
    return number
  }

  private func start(of chunk: Int) -> Int { chunk == 0 ? 0 : ends[chunk - 1] }

  /// Calls a closure with the rows of each piece and the index of the first one.
  func forEachChunk(_ body: (_ start: Int, _ rows: ArraySlice<Int64>) -> Void) {
    for number in chunks.indices { body(start(of: number), chunks[number]) }
  }

  /// Returns the indexes of rows; rows that are not in the list are omitted.
  ///
  /// Reads every row once.
  func indexes(of requested: some Collection<Int64>) -> [Int64: Int] {
    guard let least = requested.min(), let greatest = requested.max() else { return [:] }
    // Rows are dense, except in a library that was modified externally.
    let (distance, isTooFar) = greatest.subtractingReportingOverflow(least)
    guard !isTooFar, distance < 1 << 32 else { return indexesBySearch(of: Set(requested)) }
    var found: [Int64: Int] = [:]
    // One bit for each row between the smallest and the greatest, for a test without hashing.
    let span = Int(distance) + 1
    var bits = [UInt64](repeating: 0, count: (span + 63) / 64)
    for row in requested { bits[Int(row - least) / 64] |= 1 << UInt64((row - least) % 64) }
    forEachChunk { start, rows in
      rows.withUnsafeBufferPointer { rows in
        for i in rows.indices {
          let offset = rows[i] &- least
          guard offset >= 0, offset < span,
            bits[Int(offset) / 64] & (1 << UInt64(offset % 64)) != 0
          else { continue }
          found[rows[i]] = start + i
        }
      }
    }
    return found
  }

  private func indexesBySearch(of requested: Set<Int64>) -> [Int64: Int] {
    var found: [Int64: Int] = [:]
    for (index, row) in enumerated() where requested.contains(row) { found[row] = index }
    return found
  }

  // MARK: Editing

  /// A row to insert before an index of the original list.
  struct Insertion {
    var index: Int
    var row: Int64
  }

  /// Returns the list without some of its rows and with others inserted.
  ///
  /// - Parameters:
  ///   - removed: Indexes, ascending.
  ///   - inserted: Insertions by ascending index; those at the same index in their own order. The
  ///     number of rows is also a valid index.
  func editing(removing removed: [Int], inserting inserted: [Insertion]) -> ChunkedRowList {
    var result: [ArraySlice<Int64>] = []
    result.reserveCapacity(chunks.count + 1)
    var (nextRemoved, nextInserted) = (0, 0)
    for number in chunks.indices {
      let (start, end) = (start(of: number), ends[number])
      let isLast = number == chunks.count - 1
      let removedEnd = removed[nextRemoved...].firstIndex { $0 >= end } ?? removed.count
      let insertedEnd =
        isLast
        ? inserted.count
        : inserted[nextInserted...].firstIndex { $0.index >= end } ?? inserted.count
      if removedEnd == nextRemoved, insertedEnd == nextInserted {
        result.append(chunks[number])
        continue
      }
      let chunk = Self.edit(
        chunks[number], startingAt: start, removing: removed[nextRemoved..<removedEnd],
        inserting: inserted[nextInserted..<insertedEnd])
      (nextRemoved, nextInserted) = (removedEnd, insertedEnd)
      result += Self.chunked(chunk)
    }
    if chunks.isEmpty { result = Self.chunked(inserted.map(\.row)) }
    return ChunkedRowList(chunks: result)
  }

  private static func edit(
    _ chunk: ArraySlice<Int64>, startingAt start: Int, removing removed: ArraySlice<Int>,
    inserting inserted: ArraySlice<Insertion>
  ) -> [Int64] {
    var (removed, inserted) = (removed, inserted)
    var rows: [Int64] = []
    rows.reserveCapacity(chunk.count + inserted.count)
    for (index, row) in zip(start..., chunk) {
      while let first = inserted.first, first.index <= index {
        rows.append(first.row)
        inserted = inserted.dropFirst()
      }
      if removed.first == index { removed = removed.dropFirst() } else { rows.append(row) }
    }
    return rows + inserted.map(\.row)
  }

  /// Splits rows into pieces, each shorter than twice the usual length.
  private static func chunked(_ rows: [Int64]) -> [ArraySlice<Int64>] {
    if rows.isEmpty { return [] }
    if rows.count < 2 * chunkLength { return [rows[...]] }
    return stride(from: 0, to: rows.count, by: chunkLength).map {
      rows[$0..<Swift.min(rows.count, $0 + chunkLength)]
    }
  }
}

extension ChunkedRowList: Equatable {
  static func == (first: ChunkedRowList, second: ChunkedRowList) -> Bool {
    first.elementsEqual(second)
  }
}
