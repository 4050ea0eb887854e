// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSQLite
import PhotoEditPlatform

/// The most that reading the database of another program may take.
///
/// A database of a few megabytes can require years: by joins, by pages that occur repeatedly in its
/// trees, or by rows that share their contents. Every limit is far above what a large library
/// requires.
package struct ReadingLimits: Sendable {
  /// The rows of one query.
  package var rows = 10_000_000
  /// The bytes of text and data in the rows of all queries.
  package var bytes = 4 << 30
  /// The bytes of one value.
  package var valueBytes = 16 << 20
  /// The steps of SQLite's virtual machine in all queries, in units of 1000.
  package var kilosteps = 10_000_000
  /// The time from the opening of the database, in seconds.
  package var seconds = 1200

  package init() {}
}

/// The consumption of a connection with limits, used by the thread of the connection.
final class ReadingBudget {
  private let limits: ReadingLimits
  private let deadline: Int
  private var kilosteps = 0
  private var bytes = 0
  /// The limit by which a query was interrupted, if any.
  private(set) var exceeded: String?

  init(_ limits: ReadingLimits, of handle: OpaquePointer) {
    self.limits = limits
    deadline = Self.now + limits.seconds
    pe_sqlite_limit(
      handle, Int32(clamping: limits.valueBytes), 1000,
      { context in
        context.map { Unmanaged<ReadingBudget>.fromOpaque($0).takeUnretainedValue().isExceeded() }
          == true ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private static var now: Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec
  }

  private func isExceeded() -> Bool {
    kilosteps += 1
    if kilosteps > limits.kilosteps {
      exceeded = "takes more than \(limits.kilosteps) thousand steps"
    } else if Self.now > deadline {
      exceeded = "takes more than \(limits.seconds) seconds"
    }
    return exceeded != nil
  }

  /// Counts a row of a query.
  ///
  /// - Parameter number: The number of the row, from 1.
  /// - Throws: `DatabaseError` of the code `tooBig` if a limit is exceeded.
  func count(_ row: Row, number: Int, _ sql: String) throws(DatabaseError) {
    guard number <= limits.rows else {
      throw DatabaseError(.tooBig, "has more than \(limits.rows) rows", sql: sql)
    }
    bytes += row.byteCount
    guard bytes <= limits.bytes else {
      throw DatabaseError(.tooBig, "contains more than \(limits.bytes) bytes of text", sql: sql)
    }
  }
}
