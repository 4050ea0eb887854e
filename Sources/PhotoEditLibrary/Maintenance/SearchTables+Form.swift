// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// The form in which `searchable` stores text in the full-text index.
extension SearchTables {
  /// The number of the form; it increases when the form changes.
  ///
  /// 2: Greek letters have no diacritics. A library without the number has form 1.
  static let form = "2"

  /// Records the form of all text in the index.
  static let noteForm =
    "INSERT OR REPLACE INTO property (key, value) VALUES ('searchForm', ?)"

  /// Returns the form of all text in the index.
  func form() throws(LibraryError) -> Int {
    let form = try database.first("SELECT value FROM property WHERE key = 'searchForm'") {
      Int($0.text(0)) ?? 1
    }
    return form ?? 1
  }

  /// Indicates whether the text in the index has the current form, or one of a later version.
  func isCurrent() throws(LibraryError) -> Bool { try form() >= (Int(Self.form) ?? 1) }
}

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
      try database.connection.transaction(
        isWriting: true, wrap: { LibraryError($0, path: database.connection.path) }
      ) { () throws(LibraryError) in
        try SearchTables(database: database).fillTexts()
      }
    } catch {}
  }
}
