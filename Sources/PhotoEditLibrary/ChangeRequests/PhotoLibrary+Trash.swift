// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditSQLite

extension PhotoLibrary {
  /// Fetches the assets in the trash, the most recently trashed first.
  public func fetchTrashedAssets() throws(LibraryError) -> FetchResult<Asset> {
    try fetch(FetchOptions<Asset>()) { session throws(LibraryError) in
      try session.database.all(
        """
        SELECT id FROM asset WHERE trashedDate IS NOT NULL AND state = 1
          AND (?1 IS NULL OR id IN (SELECT value FROM json_each(?1)))
        ORDER BY trashedDate DESC, id DESC
        """, [.init(session.visibleRows)]
      ) { $0.int(0) }
    }
  }

  /// Permanently deletes assets that were trashed before a date, in one commit.
  ///
  /// There is no confirmation, because moving the assets to the trash was confirmed. A program with
  /// limited access deletes only assets that are visible to it.
  ///
  /// - Returns: The number of deleted assets.
  @discardableResult
  public func purgeExpired(before date: Date) throws(LibraryError) -> Int {
    let purge = RetentionPurge(before: date.timeIntervalSince1970)
    try performChangesAndWait { changes throws(LibraryError) in try changes.add(purge) }
    return purge.count
  }
}
