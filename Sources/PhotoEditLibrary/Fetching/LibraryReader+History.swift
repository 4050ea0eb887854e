// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite

extension LibraryReader {
  /// Runs a closure that sees the library as of a commit, at the time of that commit.
  ///
  /// - Throws: `persistentChangeDetailsUnavailable` if the history does not reach back to it.
  func read<Value>(
    asOf version: Int64, _ body: (FetchSession) throws(LibraryError) -> Value
  ) throws(LibraryError) -> Value {
    let answer: Value? = try read { database throws(LibraryError) in
      guard try database.version() == version else { return nil }
      return try body(
        FetchSession(
          self, database, version: version, isNewest: true,
          date: try date(of: version, database)))
    }
    if let answer { return answer }
    return try pastReaders.read(wrap: { LibraryError($0, path: self.layout.database) }) {
      connection throws(LibraryError) in
      let database = LibraryDatabase(connection: connection)
      guard try database.retains(version) else { throw .expired(version) }
      try HistoricalSnapshot.go(to: version, database)
      return try body(
        FetchSession(
          self, database, version: version, isNewest: false,
          date: try date(of: version, database)))
    }
  }

  /// Returns the date of a commit in seconds since 1970; the current time without commits.
  private func date(
    of version: Int64, _ database: LibraryDatabase
  ) throws(LibraryError) -> Double {
    try database.first("SELECT date FROM change WHERE id = ?", [.integer(version)]) { $0.real(0) }
      ?? configuration.clock().timeIntervalSince1970
  }

  /// Reads as of a commit, or the current state if the commit has expired.
  func reading<Value>(
    asOf version: Int64, _ body: (FetchSession) throws(LibraryError) -> Value
  ) throws(LibraryError) -> Value {
    do throws(LibraryError) { return try read(asOf: version, body) } catch {
      guard error.code == .persistentChangeDetailsUnavailable else { throw error }
    }
    return try read { database throws(LibraryError) in try body(FetchSession(self, database)) }
  }
}
