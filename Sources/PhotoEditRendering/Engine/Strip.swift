// SPDX-License-Identifier: Apache-2.0

/// Neighboring rows in memory, written by one task and read by later ones.
final class Strip: @unchecked Sendable {
  // Safe: the scheduler admits readers only after the writer is done, under its lock.
  let rows: Range<Int>
  let bytesPerRow: Int
  let memory: UnsafeMutableRawPointer
  private let pool: StripPool

  init(rows: Range<Int>, bytesPerRow: Int, pool: StripPool) {
    self.rows = rows
    self.pool = pool
    self.bytesPerRow = bytesPerRow
    memory = pool.allocate(max(1, rows.count * bytesPerRow))
  }

  deinit { pool.recycle(memory, max(1, rows.count * bytesPerRow)) }

  func row(_ y: Int) -> UnsafeMutableRawPointer {
    memory + (y - rows.lowerBound) * bytesPerRow
  }
}

/// The rows that a task may read: those of neighboring strips, or of a ring buffer.
struct StripWindow {
  /// The strips; empty if the rows are those of a ring buffer.
  let strips: [Strip]
  private let stripHeight: Int
  private let firstRow: Int
  private let ring: UnsafeRawPointer?
  private let bytesPerRow: Int
  private var offset = 0
  /// The column of the first sample, in rows of a JPEG's components; those are not shifted.
  private(set) var firstColumn = 0

  init(_ strips: [Strip], stripHeight: Int) {
    self.strips = strips
    self.stripHeight = stripHeight
    firstRow = strips.first?.rows.lowerBound ?? 0
    ring = nil
    bytesPerRow = 0
  }

  /// Creates a window of a ring buffer; row y is stored at index y modulo the capacity.
  init(ring: UnsafeMutableRawPointer, capacity: Int, bytesPerRow: Int) {
    strips = []
    stripHeight = capacity
    firstRow = 0
    self.ring = UnsafeRawPointer(ring)
    self.bytesPerRow = bytesPerRow
  }

  func row(_ y: Int) -> UnsafeRawPointer {
    if let ring { return ring + y % stripHeight * bytesPerRow + offset }
    return UnsafeRawPointer(strips[(y - firstRow) / stripHeight].row(y)) + offset
  }

  /// Returns the same rows without their first bytes, or from a column on.
  func shifted(by byteCount: Int, firstColumn: Int = 0) -> StripWindow {
    var window = self
    window.offset += byteCount
    window.firstColumn = firstColumn
    return window
  }
}
