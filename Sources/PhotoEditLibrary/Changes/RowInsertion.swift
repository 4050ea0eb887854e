// SPDX-License-Identifier: Apache-2.0
package import PhotoEditSQLite

/// Inserts rows of assets that have no files yet: for generators of large libraries.
final class RowInsertion: ChangeOperation {
  private let records: [AssetRecord]

  init(_ records: [AssetRecord]) { self.records = records }

  func apply(to commit: Commit) throws(LibraryError) {
    for record in records { _ = try commit.insert(record) }
  }
}

extension PhotoLibrary {
  /// Adds assets without files in one commit, by the way of every other commit.
  package func insertRows(_ records: [AssetRecord]) throws {
    try performChangesAndWait { try $0.add(RowInsertion(records)) }
  }

  /// The columns that the history keeps of an asset, for generators of long histories.
  package static let historyColumns =
    (Asset.storedColumns + ["state"]).joined(separator: ", ")

  /// The statement that adds an asset and what it binds, for a comparison with SQLite alone.
  package static func insertion(_ record: AssetRecord) -> (sql: String, values: [SQLValue]) {
    (Commit.insertAsset, record.values + [.integer(1)])
  }
}
