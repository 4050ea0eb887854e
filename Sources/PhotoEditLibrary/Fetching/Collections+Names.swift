// SPDX-License-Identifier: Apache-2.0

extension AssetCollection {
  /// Returns the album, smart album or moment with an identifier as of the session's commit.
  static func named(
    _ name: LocalIdentifier, _ session: FetchSession
  ) throws(LibraryError) -> AssetCollection? {
    if let subtype = ComputedIdentifier.subtype(of: name) {
      return try SmartAlbum.of(subtype)?.collection(session)
    }
    if let row = try session.database.row(of: name) {
      guard session.seesUserCollections else { return nil }
      let record = try CollectionRecord(row, at: session.version, session.database)
      return try AssetCollection(record, at: session.version, session)
    }
    return try MomentClustering(session).moment(name)
  }
}

extension CollectionList {
  /// Returns the folder or list of moments with an identifier as of the session's commit.
  static func named(
    _ name: LocalIdentifier, _ session: FetchSession
  ) throws(LibraryError) -> CollectionList? {
    if ComputedIdentifier.year(of: name) != nil {
      return try MomentClustering(session).years().first { $0.localIdentifier == name.description }
    }
    guard session.seesUserCollections, let row = try session.database.row(of: name) else {
      return nil
    }
    return CollectionList(
      try CollectionRecord(row, at: session.version, session.database), session)
  }
}
