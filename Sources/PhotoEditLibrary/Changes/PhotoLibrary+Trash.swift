// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditSQLite

extension PhotoLibrary {
  /// The assets in the trash, those that came last first.
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

  /// Deletes for good what has been in the trash since before a date, in one commit.
  ///
  /// Nobody is asked: who put it there was. A program that sees some assets alone deletes those of
  /// them that are in the trash, and no others.
  ///
  /// - Returns: How many assets were deleted.
  @discardableResult
  public func purgeExpired(before date: Date) throws(LibraryError) -> Int {
    let purge = RetentionPurge(before: date.timeIntervalSince1970)
    try performChangesAndWait { changes throws(LibraryError) in try changes.add(purge) }
    return purge.count
  }
}
