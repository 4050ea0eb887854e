// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

extension LibraryReader {
  /// Updates the form of the text in the full-text index of a library that may be written.
  ///
  /// Failures are left to the next opening of the library: only words with letters whose form
  /// changed are not found until then.
  func updateSearchForm() {
    do throws(LibraryError) {
      let isCurrent = try read { database throws(LibraryError) in
        try SearchTables(database: database).isCurrent()
      }
      guard !isCurrent, LibraryAccess.permits(layout, writing: true) else { return }
      let database = try LibraryDatabase(layout.database, .readWrite)
      try database.transaction { () throws(LibraryError) in
        try SearchTables(database: database).fillTexts()
      }
    } catch {}
  }
}
