// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite

/// Connections in which the tables of a library have their contents as of an earlier commit.
///
/// Views in the connection's temporary schema hide the tables `asset`, `collection` and `member`.
/// Each returns rows that no later commit touched from the table, and the others from the history,
/// so that every statement of a fetch works unchanged for the earlier commit. Touched rows are
/// collected when a transaction starts, at a cost that depends only on the later commits.
enum HistoricalSnapshot {
  static let schema =
    """
    CREATE TEMP TABLE laterAsset (id INTEGER PRIMARY KEY, change INTEGER NOT NULL);
    CREATE TEMP TABLE laterCollection (id INTEGER PRIMARY KEY, change INTEGER NOT NULL);
    CREATE TEMP TABLE laterMember (
      album INTEGER NOT NULL, asset INTEGER NOT NULL, change INTEGER NOT NULL,
      PRIMARY KEY (album, asset)
    ) WITHOUT ROWID;

    CREATE TEMP VIEW asset AS
      SELECT \(assetColumns), state, lastChange, visibility, day FROM main.asset
      WHERE id NOT IN (SELECT id FROM temp.laterAsset)
      UNION ALL
      SELECT \(assetColumns), state, 0, \(LibrarySchema.visibility), \(LibrarySchema.day)
      FROM temp.laterAsset CROSS JOIN main.assetHistory USING (id, change);

    CREATE TEMP VIEW collection AS
      SELECT \(collectionColumns), lastChange FROM main.collection
      WHERE id NOT IN (SELECT id FROM temp.laterCollection)
      UNION ALL
      SELECT \(collectionColumns), 0
      FROM temp.laterCollection CROSS JOIN main.collectionHistory USING (id, change);

    CREATE TEMP VIEW member AS
      SELECT album, position, asset FROM main.member
      WHERE NOT EXISTS (
        SELECT 1 FROM temp.laterMember AS later
        WHERE later.album = member.album AND later.asset = member.asset)
      UNION ALL
      SELECT album, before, asset
      FROM temp.laterMember CROSS JOIN main.memberHistory USING (album, asset, change)
      WHERE before IS NOT NULL;
    """

  private static let assetColumns = Asset.columns.joined(separator: ", ")
  private static let collectionColumns =
    "id, uuid, class, subtype, title, parent, position, creationDate, modificationDate, state"

  /// Switches to a commit; must be called in the transaction that reads it.
  static func go(to version: Int64, _ database: LibraryDatabase) throws(LibraryError) {
    for table in ["laterAsset", "laterCollection", "laterMember"] {
      try database.run("DELETE FROM temp.\(table)")
    }
    // The first later commit that touched an object saved its previous state; if that commit
    // inserted the object, there is no saved state, and the object did not exist.
    for (table, condition) in [("laterAsset", "class = 1"), ("laterCollection", "class <> 1")] {
      try database.run(
        """
        INSERT INTO temp.\(table) (id, change)
        SELECT object, min(change) FROM changedObject WHERE change > ? AND \(condition)
        GROUP BY object
        """, [.integer(version)])
    }
    // Without INDEXED BY, the grouping makes SQLite scan the whole table in key order.
    try database.run(
      """
      INSERT INTO temp.laterMember (album, asset, change)
      SELECT album, asset, min(change) FROM memberHistory INDEXED BY memberHistoryByChange
      WHERE change > ? GROUP BY album, asset
      """, [.integer(version)])
  }
}

extension LibraryDatabase {
  /// Returns whether the history contains all changes after a commit.
  func retains(_ version: Int64) throws(LibraryError) -> Bool {
    let history = LibraryHistory(database: self)
    let (expired, newest) = (try history.expired().number, try history.newest().number)
    return version >= expired && version <= newest
  }
}

extension LibraryError {
  static func expired(_ version: Int64) -> LibraryError {
    LibraryError(
      .persistentChangeDetailsUnavailable,
      "change \(version) is no longer in the library history",
      hint: "fetch again")
  }
}
