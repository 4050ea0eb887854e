// SPDX-License-Identifier: Apache-2.0
import Database

/// Fetching assets.
///
/// Each method gives an ordered snapshot of one commit. Options are checked before anything runs. A
/// program that may not read gets empty results. Without sort descriptors the library and smart
/// albums are in the order in which assets came in (`addedDate`, then the row), albums in their own,
/// and fetches by name in the caller's.
extension PhotoLibrary {
  /// The assets of the library.
  public func fetchAssets(
    _ options: FetchOptions<Asset> = FetchOptions()
  ) throws(LibraryError) -> FetchResult<Asset> {
    try fetch(options) { session throws(LibraryError) in
      try AssetQuery(scope: AssetScope(options, session, otherwise: .own), options: options)
        .rows(session.database)
    }
  }

  /// The assets of one kind of media.
  public func fetchAssets(
    with mediaType: MediaType, options: FetchOptions<Asset> = FetchOptions()
  ) throws(LibraryError) -> FetchResult<Asset> {
    let rule = AssetKey.mediaType == mediaType
    return try fetch(options) { session throws(LibraryError) in
      try AssetQuery(
        scope: AssetScope(options, session, otherwise: .own), rule: rule.node, options: options
      ).rows(session.database)
    }
  }

  /// The assets of a burst: the representative and what a person picked, or all of it with
  /// `includeAllBurstAssets`.
  public func fetchAssets(
    withBurstIdentifier burstIdentifier: String, options: FetchOptions<Asset> = FetchOptions()
  ) throws(LibraryError) -> FetchResult<Asset> {
    let rule = AssetKey.burstIdentifier == burstIdentifier
    return try fetch(options) { session throws(LibraryError) in
      try AssetQuery(
        scope: AssetScope(options, session, otherwise: .own), rule: rule.node, options: options
      ).rows(session.database)
    }
  }

  /// The assets of some names, hidden ones and all of bursts among them, in the order of the names.
  ///
  /// Names of other classes, unknown names and repeated ones are left out.
  public func fetchAssets(
    withLocalIdentifiers identifiers: some Sequence<String>,
    options: FetchOptions<Asset> = FetchOptions()
  ) throws(LibraryError) -> FetchResult<Asset> {
    let names = identifiers.compactMap { LocalIdentifier($0, as: .asset) }
    return try fetch(options) { session throws(LibraryError) in
      let scope = AssetScope(options, session, otherwise: .any, isWhole: true)
      return try AssetQuery(scope: scope, options: options)
        .rows("uuid", names.lazy.map { .blob($0.bytes) }, session.database)
    }
  }

  /// The assets of an album, a smart album, a moment or a transient collection.
  ///
  /// What is in the collection now counts, not what was when it was fetched; one that is gone is
  /// empty. `smartAlbumAllHidden` gives nothing without `includeHiddenAssets`.
  public func fetchAssets(
    in collection: AssetCollection, options: FetchOptions<Asset> = FetchOptions()
  ) throws(LibraryError) -> FetchResult<Asset> {
    try fetch(options, hasChangeDetails: !collection.isTransient) {
      session throws(LibraryError) in
      try self.rows(in: collection, options, session)
    }
  }

  /// At most three assets that stand for a collection; nil for transient ones.
  ///
  /// The first ones of an album and of a moment, the latest ones of a smart album, unless the options
  /// sort and limit in another way.
  public func fetchKeyAssets(
    in collection: AssetCollection, options: FetchOptions<Asset> = FetchOptions()
  ) throws(LibraryError) -> FetchResult<Asset>? {
    guard !collection.isTransient else { return nil }
    var options = options
    options.fetchLimit = options.fetchLimit <= 0 ? options.fetchLimit : min(3, options.fetchLimit)
    if options.fetchLimit == 0 { options.fetchLimit = 3 }
    let limited = options
    return try fetch(limited) { session throws(LibraryError) in
      try self.rows(in: collection, limited, session, isLatestFirst: true)
    }
  }

  /// The rows of the assets in a collection.
  ///
  /// - Parameter isLatestFirst: Turns the order of a smart album round.
  func rows(
    in collection: AssetCollection, _ options: FetchOptions<Asset>, _ session: FetchSession,
    isLatestFirst: Bool = false
  ) throws(LibraryError) -> [Int64] {
    let database = session.database
    if let members = collection.transientMembers {
      let scope = AssetScope(options, session, otherwise: .any)
      return try AssetQuery(scope: scope, options: options)
        .rows("id", members.lazy.map { .integer($0.row) }, database)
    }
    switch collection.kind {
    case .album:
      guard let row = collection.row, session.seesUserCollections else { return [] }
      let scope = AssetScope(options, session, otherwise: .any)
      return try AssetQuery(scope: scope, options: options).rows(album: row, database)
    case .smartAlbum:
      guard let album = SmartAlbum.of(collection.subtype) else { return [] }
      var query = AssetQuery(
        scope: AssetScope(options, session, otherwise: .own),
        rule: album.condition(at: session.date), options: options)
      query.isLatestFirst = isLatestFirst
      return try query.rows(database)
    case .moment:
      guard let identifier = LocalIdentifier(collection.localIdentifier, as: .assetCollection)
      else { return [] }
      let scope = AssetScope(options, session, otherwise: .own)
      let rows = try Moments(session).rows(of: identifier)
      return try AssetQuery(scope: scope, options: options)
        .rows("id", rows.lazy.map { .integer($0) }, database)
    }
  }

  // MARK: What all fetches do

  /// Checks the options and runs a fetch of rows in one read transaction.
  func fetch<Object>(
    _ options: FetchOptions<Object>, hasChangeDetails: Bool = true,
    _ rows: (FetchSession) throws(LibraryError) -> [Int64]
  ) throws(LibraryError) -> FetchResult<Object> {
    try options.check()
    let wantsDetails = options.wantsIncrementalChangeDetails && hasChangeDetails
    guard canRead else {
      return FetchResult([Int64](), at: 0, in: self, wantsIncrementalChangeDetails: wantsDetails)
    }
    return try read { database throws(LibraryError) in
      let found = try rows(FetchSession(self, database))
      return FetchResult(
        found, at: try database.version(), in: self, wantsIncrementalChangeDetails: wantsDetails)
    }
  }

  /// Checks the options, runs a fetch of objects in one read transaction, and applies the options.
  func fetch<Object>(
    computed options: FetchOptions<Object>, hasChangeDetails: Bool = true,
    _ objects: (FetchSession) throws(LibraryError) -> [Object]
  ) throws(LibraryError) -> FetchResult<Object> {
    try options.check()
    let wantsDetails = options.wantsIncrementalChangeDetails && hasChangeDetails
    guard canRead else {
      return FetchResult([Object](), at: 0, in: self, wantsIncrementalChangeDetails: wantsDetails)
    }
    return try read { database throws(LibraryError) in
      let found = options.apply(to: try objects(FetchSession(self, database)))
      return FetchResult(
        found, at: try database.version(), in: self, wantsIncrementalChangeDetails: wantsDetails)
    }
  }
}
