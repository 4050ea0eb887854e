// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// The tables of a library.
///
/// A migration is never changed after its release; another one is added instead.
///
/// Dates are seconds since 1970 in UTC. `change` contains the number of every commit; `lastChange`
/// of an object is the last commit that touched it, and the history tables contain the state before
/// each commit, so that an older result still shows the objects as of its fetch. Positions in an
/// album are numbers with gaps, so that an insertion usually changes no other row.
enum LibrarySchema {
  /// "PEdL" in ASCII.
  static let applicationID: Int32 = 0x5045_644C

  static let migrations = Migrations(
    applicationID: applicationID,
    [
      Migration("2026-11 assets", assets),
      Migration("2026-11 collections", collections),
      Migration("2026-11 history", history),
      Migration("2026-11 search", search),
      Migration("2026-11 regions", regions),
      Migration("2026-11 words", words),
    ] + PhotoProperties.added.map { Migration("property \($0.name)", adding($0)) })

  /// 0 for assets in a default fetch; otherwise the reasons for exclusion as bits: hidden 1,
  /// unpicked member of a burst 2, trashed or deleted 4, not from the user's library 8.
  static let visibility =
    """
    isHidden
        | ((burstIdentifier IS NOT NULL AND NOT representsBurst
            AND NOT (burstSelectionTypes & 2)) << 1)
        | ((state <> 0) << 2) | ((sourceType <> 1) << 3)
    """

  /// The properties of an asset; the history has the same columns.
  private static let assetColumns =
    """
    uuid BLOB NOT NULL,
      mediaType INTEGER NOT NULL,
      mediaSubtypes INTEGER NOT NULL,
      traits INTEGER NOT NULL,
      playbackStyle INTEGER NOT NULL,
      sourceType INTEGER NOT NULL,
      pixelWidth INTEGER NOT NULL,
      pixelHeight INTEGER NOT NULL,
      duration REAL NOT NULL,
      creationDate REAL,
      modificationDate REAL NOT NULL,
      contentModificationDate REAL NOT NULL,
      addedDate REAL NOT NULL,
      latitude REAL,
      longitude REAL,
      altitude REAL,
      isFavorite INTEGER NOT NULL,
      isHidden INTEGER NOT NULL,
      burstIdentifier TEXT,
      representsBurst INTEGER NOT NULL,
      burstSelectionTypes INTEGER NOT NULL,
      hasAdjustments INTEGER NOT NULL,
      originalFilename TEXT NOT NULL,
      title TEXT,
      caption TEXT,
      trashedDate REAL,
      contentRevision INTEGER NOT NULL
    """

  private static let assets =
    """
    CREATE TABLE property (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

    CREATE TABLE asset (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      \(assetColumns),
      -- 0 in the library, 1 in the trash, 2 gone but for its name.
      state INTEGER NOT NULL DEFAULT 0,
      lastChange INTEGER NOT NULL,
      visibility INTEGER NOT NULL AS (
        \(visibility)
      ) VIRTUAL
    ) STRICT;
    CREATE UNIQUE INDEX assetByUUID ON asset (uuid);
    CREATE INDEX assetByAdded ON asset (visibility, addedDate, id);
    CREATE INDEX assetByCreation ON asset (visibility, creationDate, id);
    CREATE INDEX assetByModification ON asset (visibility, modificationDate, id);
    CREATE INDEX assetByType ON asset (visibility, mediaType, addedDate, id);
    CREATE INDEX assetBySubtypes ON asset (visibility, addedDate, id, mediaSubtypes)
      WHERE mediaSubtypes <> 0;
    CREATE INDEX assetByTraits ON asset (visibility, addedDate, id, traits) WHERE traits <> 0;
    CREATE INDEX assetByFavorite ON asset (visibility, addedDate, id) WHERE isFavorite = 1;
    CREATE INDEX assetByHidden ON asset (visibility, addedDate, id) WHERE isHidden = 1;
    CREATE INDEX assetByBurst ON asset (burstIdentifier, visibility, addedDate, id)
      WHERE burstIdentifier IS NOT NULL;
    CREATE INDEX assetByTrash ON asset (trashedDate) WHERE trashedDate IS NOT NULL;

    CREATE TABLE resource (
      asset INTEGER NOT NULL REFERENCES asset,
      type INTEGER NOT NULL,
      file TEXT NOT NULL,
      digest BLOB NOT NULL,
      size INTEGER NOT NULL,
      uniformType TEXT NOT NULL,
      filename TEXT NOT NULL,
      PRIMARY KEY (asset, type)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX resourceByDigest ON resource (digest);

    -- Files of an asset in addition to its resources: 0 is a version needed by undo or redo, 1 the
    -- adjustment data while there is no edit.
    CREATE TABLE journalFile (
      asset INTEGER NOT NULL REFERENCES asset,
      file TEXT NOT NULL,
      kind INTEGER NOT NULL,
      digest BLOB NOT NULL,
      size INTEGER NOT NULL,
      PRIMARY KEY (asset, file)
    ) STRICT, WITHOUT ROWID;

    -- Files that no version needs; removed after the commit or when the library is next opened.
    CREATE TABLE leftover (file TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    -- Objects whose manifest on disk is out of date.
    CREATE TABLE staleManifest (
      class INTEGER NOT NULL, object INTEGER NOT NULL, PRIMARY KEY (class, object)
    ) STRICT, WITHOUT ROWID;
    """

  private static let collectionColumns =
    """
    uuid BLOB NOT NULL,
      class INTEGER NOT NULL,
      subtype INTEGER NOT NULL,
      title TEXT NOT NULL,
      parent INTEGER REFERENCES collection,
      position INTEGER NOT NULL,
      creationDate REAL NOT NULL,
      modificationDate REAL NOT NULL,
      state INTEGER NOT NULL
    """

  private static let collections =
    """
    CREATE TABLE collection (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      \(collectionColumns),
      lastChange INTEGER NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX collectionByUUID ON collection (uuid);
    CREATE INDEX collectionByPlace ON collection (state, parent, position);

    CREATE TABLE member (
      album INTEGER NOT NULL REFERENCES collection,
      position INTEGER NOT NULL,
      asset INTEGER NOT NULL REFERENCES asset,
      PRIMARY KEY (album, position)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX memberByAsset ON member (asset, album);

    -- The former positions of trashed assets, used to restore them.
    -- The key comes first because SQLite 3.40's integrity check misreads tables otherwise.
    CREATE TABLE trashedMember (
      asset INTEGER NOT NULL REFERENCES asset,
      album INTEGER NOT NULL REFERENCES collection,
      position INTEGER NOT NULL,
      PRIMARY KEY (asset, album)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX trashedMemberByAlbum ON trashedMember (album, position);
    """

  private static let history =
    """
    CREATE TABLE change (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      date REAL NOT NULL,
      -- What a caller gave the commit to recognise it by; at most one commit has it.
      token TEXT
    ) STRICT;
    CREATE UNIQUE INDEX changeByToken ON change (token) WHERE token IS NOT NULL;

    -- The change to an object in a commit: 1 inserted, 2 updated, 3 deleted.
    CREATE TABLE changedObject (
      change INTEGER NOT NULL REFERENCES change ON DELETE CASCADE,
      class INTEGER NOT NULL,
      object INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      isContent INTEGER NOT NULL,
      PRIMARY KEY (change, class, object)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE assetHistory (
      id INTEGER NOT NULL,
      change INTEGER NOT NULL REFERENCES change ON DELETE CASCADE,
      \(assetColumns),
      state INTEGER NOT NULL,
      PRIMARY KEY (id, change)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX assetHistoryByChange ON assetHistory (change);

    CREATE TABLE collectionHistory (
      id INTEGER NOT NULL,
      change INTEGER NOT NULL REFERENCES change ON DELETE CASCADE,
      \(collectionColumns.replacing(" REFERENCES collection", with: "")),
      PRIMARY KEY (id, change)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX collectionHistoryByChange ON collectionHistory (change);

    -- The position of a member before and after a commit; NULL if it was not in the album.
    CREATE TABLE memberHistory (
      album INTEGER NOT NULL,
      change INTEGER NOT NULL REFERENCES change ON DELETE CASCADE,
      asset INTEGER NOT NULL,
      before INTEGER,
      after INTEGER,
      PRIMARY KEY (album, change, asset)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX memberHistoryByChange ON memberHistory (change);
    """
}
