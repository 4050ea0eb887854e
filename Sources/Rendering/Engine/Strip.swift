// SPDX-License-Identifier: Apache-2.0

/// Some neighbouring rows in memory, written by one task and read by later ones.
final class Strip: @unchecked Sendable {
  // Safe: the scheduler lets readers in only after the writer is done, under its lock.
  let rows: Range<Int>
  let bytesPerRow: Int
  let memory: UnsafeMutableRawPointer
  private let pool: StripPool

  init(rows: Range<Int>, bytesPerRow: Int, pool: StripPool) {
    self.rows = rows
    self.pool = pool
    self.bytesPerRow = bytesPerRow
    memory = pool.take(max(1, rows.count * bytesPerRow))
  }

  deinit { pool.giveBack(memory, max(1, rows.count * bytesPerRow)) }

  func row(_ y: Int) -> UnsafeMutableRawPointer {
    memory + (y - rows.lowerBound) * bytesPerRow
  }
}

/// The neighbouring strips that hold the rows a task may read.
struct StripWindow {
  let strips: [Strip]
  let stripHeight: Int
  let firstRow: Int

  init(_ strips: [Strip], stripHeight: Int) {
    self.strips = strips
    self.stripHeight = stripHeight
    firstRow = strips.first?.rows.lowerBound ?? 0
  }

  func row(_ y: Int) -> UnsafeRawPointer {
    UnsafeRawPointer(strips[(y - firstRow) / stripHeight].row(y))
  }
}
