// SPDX-License-Identifier: Apache-2.0
package import PhotoEditSQLite

/// Inserts rows of assets without files, to generate large libraries.
final class RowInsertion: ChangeOperation {
  private let records: [AssetRecord]

  init(_ records: [AssetRecord]) { self.records = records }

  func apply(to commit: ChangeTransaction) throws(LibraryError) {
    for record in records { _ = try commit.insert(record) }
  }
}

extension PhotoLibrary {
  /// Adds assets without files in one commit, using the same code path as other commits.
  package func insertRows(_ records: [AssetRecord]) throws {
    try performChangesAndWait { try $0.add(RowInsertion(records)) }
  }

  /// The columns of an asset that are kept in the history, to generate long histories.
  package static let historyColumns =
    (Asset.storedColumns + ["state"]).joined(separator: ", ")

  /// Returns the statement that inserts an asset and its bound values, for comparison with plain
  /// SQLite.
  package static func insertion(_ record: AssetRecord) -> (sql: String, values: [DatabaseValue]) {
    (ChangeTransaction.insertAsset, record.values + [.integer(1)])
  }
}
